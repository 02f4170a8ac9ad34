// Part of live.js: what keeps a picture's words off each other and inside it, at the width that it has.
const pen = document.createElement("canvas").getContext("2d");
const WAYS = ["top right", "top left", "bottom right", "bottom left", "top center", "bottom center", "middle right", "middle left"];

function wide(text, size = 14) {                // px of its longest line
  pen.font = `${/<b>/.test(text) ? "bold " : ""}${size}px "Source Sans", sans-serif`;
  return Math.max(...String(text).split("<br>").map((line) => pen.measureText(line.replace(/<[^>]*>/g, "")).width));
}

function fitWords(box, data, layout) {
  if (!box.clientWidth) return;
  fitTitles(box, layout);
  fitLegend(box, data, layout);
  fitNames(box, layout);
  fitNotes(box, layout);
  fitMarks(box, data, layout);
  fitBars(box, data, layout);
}

// Where the axes of a chart will stand, before they are drawn: about, as the numbers beside them are not known yet.
function frame(box, layout) {
  const { l = 8, r = 8, t = 40, b = 8 } = layout.margin ?? {}, { xaxis: x = {}, yaxis: y = {} } = layout;
  const bare = (axis) => axis.visible === false || axis.showticklabels === false;
  const numbers = bare(y) ? 0 : 8 + Math.max(...(y.ticktext ?? ["0.00"]).map((text) => wide(text)));
  const left = Math.max(l, numbers + (y.title?.text ? 24 : 0)), bottom = Math.max(b, (bare(x) ? 0 : 22) + (x.title?.text ? 24 : 0));
  return { left, right: box.clientWidth - r, top: t, bottom: layout.height - bottom };
}

const along = ({ range: [first, last] }, value, from, to) => from + ((value - first) / (last - first)) * (to - from);

// Titles wider than the picture: the one of the whole goes on in a second line, those of matrices leave out what the rows and
// columns are, and then how many.
function fitTitles(box, layout) {
  const width = box.clientWidth, { l = 8, t = 40 } = layout.margin ?? {}, letter = 8;
  const words = layout.title?.text?.split(" "), room = (width - l) / letter;
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

// A legend under the title gets the lines that it takes: names that do not fit on one stand in columns of one width.
function fitLegend(box, data, layout) {
  if (!layout.showlegend || layout.legend?.xanchor !== "left") return;
  const { left, right, top } = frame(box, layout), size = layout.legend.font?.size ?? 14;
  const names = data.filter(({ name, showlegend }) => name && showlegend !== false).map(({ name }) => wide(name, size) + 46);
  const whole = names.reduce((sum, one) => sum + one, 0), beside = Math.floor((right - left) / Math.max(...names));
  const lines = whole <= right - left ? 1 : Math.ceil(names.length / Math.max(1, beside));
  const titles = layout.title?.text ? layout.title.text.split("<br>").length : 0;
  const more = Math.max(0, 16 + 22 * titles + (size + 5.5) * lines - top);
  layout.margin = { ...layout.margin, t: top + more };
  layout.height += more;
}

// Names over the columns of a matrix that would touch: of numbered ones every second stands, or third …, others are turned.
function fitNames(box, layout) {
  const { l = 8, r = 8 } = layout.margin ?? {}, over = new Map();
  for (const [, axis] of drawn(layout, "x")) {
    const { side, ticktext, tickvals, domain, range, anchor = "y", tickfont } = axis;
    if (side !== "top" || !(ticktext?.length > 1)) continue;
    const widths = ticktext.map((text) => wide(text, tickfont?.size));
    const step = ((box.clientWidth - l - r) * (domain[1] - domain[0]) * (tickvals[1] - tickvals[0])) / Math.abs(range[1] - range[0]);
    if (widths.every((one, i) => !i || (one + widths[i - 1]) / 2 + 3 <= step)) continue;
    if (ticktext.every((text) => /\d$/.test(plain(text)))) {
      const kept = (_, i) => i % Math.ceil((Math.max(...widths) + 3) / step) === 0;
      Object.assign(axis, { ticktext: ticktext.filter(kept), tickvals: tickvals.filter(kept) });
    } else {
      const top = layout[anchor.replace("y", "yaxis")].domain[1];
      axis.tickangle = -90;
      over.set(top, Math.max(over.get(top) ?? 0, Math.max(...widths) - 18));
    }
  }
  if (over.size) giveRoom(layout, over);
}

// More room over some lines of matrices: `over` has how many px, by where the line begins.
function giveRoom(layout, over) {
  const { t = 40, b = 8 } = layout.margin ?? {}, inner = layout.height - t - b;
  const first = over.get(1) ?? 0, sum = [...over.values()].reduce((all, one) => all + one, 0) - first;
  const lower = (y) => [...over].reduce((px, [top, more]) => px + (top < 1 && y < top + 1e-6 ? more : 0), (1 - y) * inner);
  const moved = (y) => 1 - lower(y) / (inner + sum);
  for (const one of layout.annotations ?? []) {
    if (one.yref !== "paper") continue;
    if (over.has(one.y) && one.yanchor === "bottom") one.yshift = (one.yshift ?? 0) + over.get(one.y);
    one.y = moved(one.y);
  }
  for (const [, axis] of drawn(layout, "y")) axis.domain = axis.domain.map(moved);
  layout.margin = { ...layout.margin, t: t + first };
  layout.height += first + sum;
}

// Words beside a place on an axis go on in the next line where they would run out.
function fitNotes(box, layout) {
  const { left, right } = frame(box, layout);
  for (const note of layout.annotations ?? []) {
    if (note.xref === "paper" || note.axref || !/left|right/.test(note.xanchor) || !layout.xaxis?.range || layout.xaxis2) continue;
    const at = along(layout.xaxis, note.x, left, right) + (note.xshift ?? 0);
    const room = note.xanchor === "left" ? box.clientWidth - at : at - left, fits = (text) => wide(text, note.font?.size) <= room;
    note.text = note.text.split("<br>").flatMap((line) => {
      if (fits(line) || line.includes("<")) return line;
      return line.split(" ").reduce((all, word) => (all.length && fits(`${all.at(-1)} ${word}`) ? [...all.slice(0, -1), `${all.at(-1)} ${word}`] : [...all, word]), []);
    }).join("<br>");
  }
}

// The words of marks that are close: the next takes another side of its dot, off the other words, dots and upright lines.
function fitMarks(box, data, layout) {
  const marks = data.find(({ name, mode }) => name === "now" && mode === "markers+text"), { xaxis: x, yaxis: y } = layout;
  if (!marks || !x?.range || !y?.range || y.scaleanchor || layout.xaxis2) return;
  const { left, right, top, bottom } = frame(box, layout), log = (axis, value) => (axis.type === "log" ? Math.log10(value) : value);
  const dots = marks.x.map((value, i) => [along(x, log(x, value), left, right), along(y, log(y, marks.y[i]), bottom, top)]);
  const highest = layout.showlegend && layout.legend?.xanchor === "left" ? top : 30, taken = [];
  const uprights = (layout.shapes ?? []).filter(({ type, x0, x1 }) => type === "line" && x0 === x1).map(({ x0 }) => along(x, log(x, x0), left, right));
  const meets = ([l, t, r, b]) => ([L, T, R, B]) => l < R && r > L && t < B && b > T;
  marks.textposition = marks.textposition.map((own, i) => {
    if (!marks.text[i]) return own;
    const [px, py] = dots[i], width = wide(marks.text[i]);
    const place = (way) => {
      const [up, side] = way.split(" "), l = px + { left: -8 - width, center: -width / 2, right: 8 }[side], t = py + { top: -26, middle: -9, bottom: 8 }[up];
      return [l, t, l + width, t + 18];
    };
    const free = (spot) => spot[0] >= left && spot[2] <= box.clientWidth && spot[1] >= highest && spot[3] <= bottom && !taken.some(meets(spot));
    const clear = (spot) => free(spot) && !uprights.some((at) => at > spot[0] && at < spot[2])
      && !dots.some(([a, b], k) => k !== i && meets(spot)([a - 6, b - 6, a + 6, b + 6]));
    const ways = [own, ...WAYS], way = ways.find((one) => clear(place(one))) ?? ways.find((one) => free(place(one))) ?? own;
    taken.push(place(way));
    return way;
  });
}

// What stands behind a bar and would run out: in the bar if that is longer, and only the first part of it where neither fits.
function fitBars(box, data, layout) {
  const { l = 8, r = 8 } = layout.margin ?? {};
  for (const trace of data) {
    if (trace.type !== "bar" || trace.orientation !== "h" || trace.textposition !== "outside" || !trace.text) continue;
    const axis = layout[(trace.xaxis ?? "x").replace("x", "xaxis")], room = (box.clientWidth - l - r) * (axis.domain[1] - axis.domain[0]);
    const bars = trace.x.map((value) => along(axis, value ?? 0, 0, room)), space = (i) => Math.max(bars[i], room - bars[i]) - 8;
    const fits = (text, i) => wide(text, trace.textfont.size) <= space(i);
    trace.text = trace.text.map((text, i) => (fits(text, i) ? text : text.split(" · ")[0]));
    trace.textposition = trace.text.map((text, i) => (wide(text, trace.textfont.size) + 8 > room - bars[i] && bars[i] > room / 2 ? "inside" : "outside"));
  }
}
