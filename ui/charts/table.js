// Part of live.js: the tools over a chart, by its name, and its numbers as a table.

// What stands over each panel; a figure of one has its title, or else the words for it.
function titlesOf({ layout }) {
  const over = (layout.annotations ?? []).filter(({ xref, yanchor }) => xref === "paper" && yanchor === "bottom");
  return [layout.title?.text ?? layout.title, ...over.map(({ text }) => text)].map((text) => plain(text).trim()).filter(Boolean);
}

function nameTools(box) {
  const [title] = titlesOf(box);
  box.querySelectorAll(".modebar-btn").forEach((button) => (button.ariaLabel = `${button.dataset.title}${title ? `: ${title}` : ""}`));
}

function inWords(value) {
  if (typeof value !== "number") return plain(value);
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "" : value > 0 ? "∞" : "−∞";
  return String(Number(value.toPrecision(6))).replace("-", "−");       // 0.47, not 0.47000000000000003
}

function tablesOf(box) {
  const { data, _fullData: full, _fullLayout: layout } = box, titles = titlesOf(box), tables = [];
  const axis = (id) => layout[id?.replace(/^([xy])/, "$1axis")];
  const name = (of, value) => of?.ticktext?.[of.tickvals?.indexOf(value)] ?? value;
  const panels = [...new Set(full.filter(({ z }) => z).map(({ xaxis }) => xaxis))];
  full.forEach(({ type, mode, x, y, z, labels, values, text, orientation, xaxis, yaxis }, i) => {
    const called = data[i].name, [ax, ay] = [axis(xaxis), axis(yaxis)];
    if (type === "contour" || called === "guide" || (!called && /^scatter/.test(type))) return;
    if (z) {
      const words = full.find((one) => one.type === "scatter" && one.mode === "text" && one.xaxis === xaxis && one.yaxis === yaxis);
      const gone = (r, c) => words?.text?.[words.x.findIndex((at, k) => at === c && words.y[k] === r)];
      const cells = (row, r) => Array.from(row, (value, c) => (Number.isFinite(value) ? value : gone(r, c)));
      const panel = panels.length > 1 || titles.length > 1 ? titles[panels.indexOf(xaxis)] : titles[0];
      tables.push([panel, [["", ...Array.from(z[0], (_, c) => name(ax, c))], ...Array.from(z, (row, r) => [name(ay, r), ...cells(row, r)])]]);
      return;
    }
    const rows = labels ? Array.from(labels, (label, k) => [label, values[k]])
      : orientation === "h" ? Array.from(y, (value, k) => [name(ay, value), text?.[k] || x[k]])
      : ay?.ticktext && !ax?.ticktext ? Array.from(x ?? [], (value, k) => [name(ay, y[k]), value])
      : Array.from(y ?? [], (value, k) => [`${mode === "lines" && text ? `${text[k]}, ` : ""}${inWords(name(ax, x?.[k] ?? k))}`, value]);
    const full_title = [titles[0], called].filter(Boolean).map(plain);
    tables.push([[...new Set(full_title)].join(": "), [["", called ?? titles[0] ?? ""], ...rows.filter(([, value]) => value != null)]]);
  });
  return tables;
}

function showTable(box) {
  const dialog = document.createElement("dialog");
  dialog.className = "lab-table";
  dialog.ariaLabel = ["The numbers as a table", titlesOf(box)[0]].filter(Boolean).join(": ");
  const add = (parent, tag, text = "") => Object.assign(parent.appendChild(document.createElement(tag)), { textContent: text });
  const close = add(dialog, "button", "Close");
  close.onclick = () => dialog.close();
  dialog.onclose = () => dialog.remove();
  const seen = {};                              // titles may be alike where a drawing says by its place what is whose
  for (const [title, rows] of tablesOf(box)) {
    const table = add(dialog, "table"), n = (seen[title] = (seen[title] ?? 0) + 1);
    if (title) add(table, "caption", n > 1 ? `${title} (${n})` : title);
    for (const row of rows) {
      const tr = add(table, "tr");
      row.forEach((cell, i) => {
        const head = !i || row === rows[0], words = inWords(cell);
        Object.assign(add(tr, head && (words || i) ? "th" : "td", words), head && words ? { scope: i ? "col" : "row" } : {});
      });
    }
  }
  if (!dialog.querySelector("table")) add(dialog, "p", "A drawing: it has no numbers of its own.");
  box.parentElement.appendChild(dialog);
  dialog.showModal();
}
