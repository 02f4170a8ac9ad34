// Part of live.js: the main picture of a lab where there is little room, as small.py has it in the page's style.

const slotOf = (box) => box.closest("[class*='-chart-']");
const says = (box, name) => (slotOf(box) ? getComputedStyle(slotOf(box)).getPropertyValue(name).replaceAll('"', "").trim() : "");

const embedded = /[?&]embed=true/i.test(location.search);         // for the whole visit

// In another page: the place that the picture has to fill, "" everywhere else.
function placeOf(box) {
  return embedded && says(box, "--embedded") ? [slotOf(box).clientWidth, slotOf(box).clientHeight].join() : "";
}

// On a phone a picture of a single panel is drawn less high, by a fifth at most, and no less high than it says.
function fitPlace(box, layout) {
  const player = layout.meta?.play && !layout.meta.play.follow ? 40 : 0;
  const least = layout.meta?.least ?? Math.max(240, 0.8 * layout.height);
  if (says(box, "--pinned") && !layout.xaxis2 && layout.height < 600) layout.height = Math.min(layout.height, Math.max(least, 0.46 * innerHeight - 24 - player));
}

// On a phone a picture that is taller than its place shows first the matrix that tells most.
function showPanel(box) {
  const panel = says(box, "--panel");
  const title = panel && [...box.querySelectorAll(".annotation-text")].find(({ textContent }) => textContent.startsWith(panel));
  if (title) slotOf(box).scrollTop = title.getBoundingClientRect().top - box.getBoundingClientRect().top - 8;
}
