// Part of live.js: the main picture of a lab where there is little room, as small.py has it in the page's style.

const slotOf = (box) => box.closest("[class*='-chart-']");
const says = (box, name) => (slotOf(box) ? getComputedStyle(slotOf(box)).getPropertyValue(name).replaceAll('"', "").trim() : "");

// In another page: the place that the picture has to fill, "" everywhere else.
function placeOf(box) {
  return says(box, "--embedded") ? [slotOf(box).clientWidth, slotOf(box).clientHeight].join() : "";
}

// There it is laid out as on a wide screen and scaled as a whole; below a half it scrolls. On a phone one of a single panel
// is drawn less high.
function fitPlace(box, layout) {
  const single = !layout.xaxis2, player = layout.meta?.play && !layout.meta.play.follow ? 40 : 0;
  if (says(box, "--pinned") && single && layout.height < 600) layout.height = Math.min(layout.height, Math.max(240, 0.46 * innerHeight - 24 - player));
  if (!placeOf(box)) return;
  const [width, height] = placeOf(box).split(",").map(Number);
  const room = layout.meta?.narrow ? 840 : 420;
  const factor = Math.max(0.5, Math.min(1, (height - player) / layout.height, width / room));
  if (single) layout.height = Math.max(layout.height, Math.floor((height - player) / factor));
  Object.assign(box.style, { width: `${Math.floor(width / factor)}px`, transform: `scale(${factor})` });
}

// On a phone a picture that is taller than its place shows first the matrix that tells most.
function showPanel(box) {
  const panel = says(box, "--panel");
  const title = panel && [...box.querySelectorAll(".annotation-text")].find(({ textContent }) => textContent.startsWith(panel));
  if (title) slotOf(box).scrollTop = title.getBoundingClientRect().top - box.getBoundingClientRect().top - 8;
}
