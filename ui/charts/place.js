// Part of live.js: the main picture of a lab where there is little room, as small.py has it in the page's style.

const slotOf = (box) => box.closest("[class*='-chart-']");
const says = (box, name) => (slotOf(box) ? getComputedStyle(slotOf(box)).getPropertyValue(name).replaceAll('"', "").trim() : "");

const embedded = /[?&]embed=true/i.test(location.search);         // for the whole visit

// In another page: the place that the picture has to fill, "" everywhere else.
function placeOf(box) {
  return embedded && says(box, "--embedded") ? [slotOf(box).clientWidth, slotOf(box).clientHeight].join() : "";
}

// On a phone a picture of a single panel is drawn less high, by a fifth at most.
function fitPlace(box, layout) {
  const player = layout.meta?.play && !layout.meta.play.follow ? 40 : 0;
  const least = Math.max(240, 0.8 * layout.height);
  if (says(box, "--pinned") && !layout.xaxis2 && layout.height < 600) layout.height = Math.min(layout.height, Math.max(least, 0.46 * innerHeight - 24 - player));
  fitTitles(box, layout);
}

// Titles wider than the picture: the one of the whole goes on in a second line, those of matrices leave out what the rows and
// columns are, and then how many.
function fitTitles(box, layout) {
  const width = box.clientWidth, { l = 8, t = 40 } = layout.margin ?? {}, letter = 8;
  const words = layout.title?.text?.split(" "), room = (width - l) / letter;
  if (!width) return;
  if (words && plain(layout.title.text).length > room) {
    const lines = [words.shift()];
    for (const word of words) plain(`${lines.at(-1)} ${word}`).length > room ? lines.push(word) : lines.push(`${lines.pop()} ${word}`);
    layout.title = { ...layout.title, text: lines.join("<br>"), pad: { t: 8 + 11 * (lines.length - 1) } };     // as if of one line
    layout.margin = { ...layout.margin, t: t + 24 * (lines.length - 1) };
    layout.height += 24 * (lines.length - 1);
  }
  const notes = (layout.annotations ?? []).filter(({ xref, text }) => xref === "paper" && text?.includes("<span"));
  for (const note of notes) {
    const end = Math.min(1, ...notes.filter(({ x, y }) => y === note.y && x > note.x).map(({ x }) => x));
    const free = note.xanchor === "right" ? width : (end - note.x) * (width - l - 8) + (end === 1 ? 8 : 0);
    const long = () => plain(note.text.split("<br>")[0]).length * 0.47 * (note.font?.size ?? 15) > free;
    if (long()) note.text = note.text.replace(/ {2}[^<>]* ↓ [^<>]*→/, "");
    if (long()) note.text = note.text.replace(/<span.*?<\/span>/, "");
  }
}

// On a phone a picture that is taller than its place shows first the matrix that tells most.
function showPanel(box) {
  const panel = says(box, "--panel");
  const title = panel && [...box.querySelectorAll(".annotation-text")].find(({ textContent }) => textContent.startsWith(panel));
  if (title) slotOf(box).scrollTop = title.getBoundingClientRect().top - box.getBoundingClientRect().top - 8;
}
