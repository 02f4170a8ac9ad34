// Part of live.js: where a number comes from and where it goes, lit up in all drawings of the page by the browser alone.
// A figure's layout.meta says links = [{of, op, by, part, from: [[name, rows, columns], …]}] between the matrices it names.
// Rows and columns are read for the cell (r, c): "r", "c+4", "*" for all, "0:4" or "3". `part` has those that are made so.

const lit = { at: null, kept: null, key: "", boxes: [], note: null };

const keepLit = (at) => {
  [lit.kept, lit.at] = [at, null];
  light(at, true);
  if (at) moveTerms();
};
const all = (name) => [...hands].flatMap((hand) => hand.panels.filter((panel) => panel.name === name).map((panel) => ({ hand, panel })));
const links = () => [...hands].flatMap(({ box }) => box.layout?.meta?.links ?? []);

function light(at, again = false) {
  at ??= lit.kept;
  const panel = at?.hand.panels[at.panel], key = panel ? [[...hands].indexOf(at.hand), at.panel, at.r, at.c].join() : "";
  if (key === lit.key && !again) return;
  Object.assign(lit, { key, at: panel ? at : null });
  const marks = panel ? marksOf(panel, at) : [];
  let used = 0;
  for (const [kind, name, rows, columns, only] of marks) for (const { hand, panel: shown } of only ? [only] : all(name)) {
    const size = [shown.z.length, shown.z[0].length], [n, m] = kind === "to" && !only ? shown.inner ?? size : size;
    const spans = [within(rows, n), within(columns, m)];
    if (!spans.every(Boolean)) continue;
    const box = (lit.boxes[used++] ??= document.createElement("div"));
    if (box.parentNode !== hand.layer) hand.layer.append(box);
    box.className = `lab-lit ${kind}`;
    lay(box, hand.rect(shown, ...spans));
  }
  lit.boxes.splice(used).forEach((box) => box.remove());
  note(panel, at);
}

// [kind, name, rows, columns] of all that belongs to a cell: itself, what it is made from, what is made from it.
function marksOf(panel, at) {
  const only = { hand: at.hand, panel }, [row, column] = [[at.r, at.r], [at.c, at.c]], marks = [["self", panel.name, row, column, only]];
  const [n, m] = panel.inner ?? [Infinity, Infinity], [below, beside] = [at.r >= n, at.c >= m];
  if (below || beside) {                        // means and sums beside a matrix are of its own rows and columns
    marks.push(["from", panel.name, below ? [0, n - 1] : row, beside ? [0, m - 1] : column, only]);
  } else if (panel.inner) marks.push(["to", panel.name, row, [m, Infinity], only], ["to", panel.name, [n, Infinity], column, only]);
  for (const { of, from, part } of panel.name ? links() : []) {
    if (of === panel.name && !below && !beside && covers(part, at)) from.forEach(([name, r, c]) => marks.push(["from", name, span(r, at), span(c, at)]));
    for (const [name, r, c] of from) {
      const use = { r: span(part?.[0] ?? "*", {}), c: span(part?.[1] ?? "*", {}) };
      if (name === panel.name && meets(r, at.r, use) && meets(c, at.c, use)) marks.push(["to", of, use.r, use.c]);
    }
  }
  return marks;
}

function span(sign, at) {                       // the rows or columns that a sign means for a cell: [first, last]
  const [name, more] = sign.split(/(?=[+-])/), end = sign.split(":");
  if (sign === "*") return [0, Infinity];
  if (end[1]) return [Number(end[0]), end[1] - 1];
  const one = (at[name] ?? Number(name)) + Number(more ?? 0);
  return [one, one];
}

function meets(sign, value, use) {              // the other way round: which cells use what stands at `value`
  const [name, more] = sign.split(/(?=[+-])/);
  if (name === "r" || name === "c") {
    const one = value - Number(more ?? 0), [first, last] = use[name];
    use[name] = [one, one];
    return one >= first && one <= last;
  }
  const [first, last] = span(sign, {});
  return value >= first && value <= last;
}

const covers = (part, { r, c }) => !part || [r, c].every((at, i) => meets(part[i], at, {}));

function within([first, last], n) {
  return first < n && last >= 0 && [Math.max(0, first), Math.min(n - 1, last)];
}

// ---- what a cell is called and the sum behind it, from the numbers of the drawings
function sumOf(panel, at) {
  const link = links().find(({ of, op, part }) => op && of === panel.name && covers(part, at)), value = panel.z[at.r][at.c];
  if (!link || value === null) return null;
  const values = link.from.map(([name, r, c]) => read(all(name)[0]?.panel, span(r, at), span(c, at)));
  if (values.some((part) => !part?.length)) return null;
  const exact = (v) => Number(v.toFixed(3)) === rounded(v), w = (v) => (v < 0 ? `(${written(v)})` : written(v));
  const [a, b] = values, flat = values.flat().filter((v) => v !== null);
  if (flat.length !== values.flat().length && !["softmax", "sum"].includes(link.op)) return null;
  const texts = {
    dot: () => [...a.map((v, i) => `${w(v)} · ${w(b[i])}`), ...values.slice(2).map(([v]) => w(v))].join(" + "),
    sum: () => flat.map(w).join(" + ") || "0",         // what was dropped adds nothing
    softmax: () => `e^${w(read(all(link.from[0][0])[0].panel, [at.r, at.r], [at.c, at.c])[0])} ÷ (${flat.map((v) => `e^${w(v)}`).join(" + ")})`,
    times: () => values.map(([v]) => w(v)).join(" · "),
    over: () => `${w(a[0])} ÷ ${link.by}`,
  };
  const is = link.op !== "softmax" && [...flat, value].every(exact) ? "=" : "≈";
  return texts[link.op] && { text: texts[link.op](), result: `${is} ${written(value)}`, link, values };
}

function read(panel, rows, columns) {
  if (!panel) return null;
  const [r, c] = [within(rows, panel.z.length), within(columns, panel.z[0].length)];
  return r && c && Array.from(panel.z).slice(r[0], r[1] + 1).flatMap((row) => Array.from(row).slice(c[0], c[1] + 1));
}

// Where the note stands: by the cell, but on nothing that is lit.
function note(panel, at) {
  const value = panel?.z[at.r]?.[at.c];
  if (value === undefined || value === null || at.hand.drag?.moved) return lit.note?.remove();
  lit.note ??= part("div", "lab-sum", at.hand.layer);
  const sum = sumOf(panel, at), own = panel.text?.[at.r]?.[at.c];
  lit.note.replaceChildren(...["b", "span", "span"].map((tag) => document.createElement(tag)));
  const [head, terms, result] = lit.note.children;
  head.textContent = at.hand.names(panel, at.r, at.c);
  terms.textContent = sum ? sum.text : "";
  const number = written(value, 6), words = own === undefined ? "" : plain(own), says = Number.isNaN(Number(words.replaceAll("−", "-")));
  result.textContent = sum ? sum.result : number === "0" && words ? words : `${number}${says ? ` ${words}` : ""}`;
  if (lit.note.parentNode !== at.hand.layer) at.hand.layer.append(lit.note);
  const cell = at.hand.rect(panel, [at.r, at.r], [at.c, at.c]), { clientWidth, clientHeight } = at.hand.box, { offsetWidth: w, offsetHeight: h } = lit.note;
  const boxes = lit.boxes.filter((box) => box.parentNode === at.hand.layer).map(({ offsetLeft: left, offsetTop: top, offsetWidth, offsetHeight }) =>
    ({ left, top, right: left + offsetWidth, bottom: top + offsetHeight }));
  const hits = ([left, top]) => boxes.filter((box) => left < box.right && left + w > box.left && top < box.bottom && top + h > box.top).length;
  const fit = (left) => Math.max(0, Math.min(clientWidth - w, left)), matrix = at.hand.rect(panel, [0, panel.z.length - 1], [0, 0]);
  const places = [[fit(cell.left), cell.top + cell.height + 4], [fit(cell.left), cell.top - h - 4], [fit(cell.left), matrix.top + matrix.height + 6],
    [fit(cell.left + cell.width + 6), cell.top], [fit(cell.left - w - 6), cell.top], [fit(cell.left), matrix.top - h - 4]]
    .filter(([, top]) => top >= -h && top + h <= clientHeight + 40);
  const [left, top] = places.sort((one, other) => hits(one) - hits(other))[0] ?? [fit(cell.left), cell.top + cell.height + 4];
  lay(lit.note, { left, top });
}

// On a click the terms of a sum travel from where they stand into it and add up; at once where less motion is wanted.
function moveTerms() {
  const { at } = lit, panel = at?.hand.panels[at.panel], sum = panel && sumOf(panel, at);
  if (sum?.link.op !== "dot" || !lit.note || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const target = lit.note.getBoundingClientRect(), result = lit.note.children[2], total = sum.result;
  const [a, b] = sum.values, n = a.length, last = 300;
  let added = 0;
  sum.link.from.slice(0, 2).forEach(([name, r, c], side) => {
    const { hand, panel: shown } = all(name)[0];
    const spans = [within(span(r, at), shown.z.length), within(span(c, at), shown.z[0].length)];
    const down = spans[0][0] !== spans[0][1], box = hand.box.getBoundingClientRect(), scale = box.width / hand.box.offsetWidth;
    if (!scale) return;                         // this matrix is not on the stage
    for (let i = 0; i < n; i++) {
      const [row, column] = [spans[0][0] + (down ? i : 0), spans[1][0] + (down ? 0 : i)];
      const { left, top, width, height } = hand.rect(shown, [row, row], [column, column]);
      const term = part("div", "lab-term", document.body);
      term.textContent = written(sum.values[side][i]);
      const from = { left: box.left + scale * (left + width / 2), top: box.top + scale * (top + height / 2) };
      lay(term, from);
      const [x, y] = [target.left + ((i + 0.5) / n) * target.width - from.left, target.top + target.height / 2 - from.top];
      const flight = term.animate([{ transform: "translate(-50%, -50%)" }, { transform: `translate(calc(${x}px - 50%), calc(${y}px - 50%))`, opacity: 0.4 }],
        { duration: last * (0.5 + (0.5 * (i + 1)) / n), easing: "ease-in" });
      flight.onfinish = flight.oncancel = () => {
        term.remove();
        if (!side || !result.isConnected) return;
        added += a[i] * b[i];
        result.textContent = i === n - 1 ? total : `→ ${written(added)}`;
      };
    }
  });
}
