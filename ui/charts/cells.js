// Part of live.js: the cells of matrices for keys and readers. One grid over each matrix, one Tab stop each: arrows walk, + and −
// (or Alt with an arrow, and Shift ten times finer) change a number that can be changed, Enter types it, Space clicks.

Object.defineProperties(Hand.prototype, Object.getOwnPropertyDescriptors({
  lay() {
    this.panels.forEach((panel, i) => {
      const [n, m] = [panel.z.length, panel.z[0].length];
      let grid = this.grids[i];
      if (grid?.n !== n || grid.m !== m) {
        grid?.root.remove();
        grid = this.grids[i] = gridOf(i, n, m, this.layer);
      }
      grid.root.setAttribute("aria-label", plain(panel.title) || `Matrix ${i + 1}`);
      const spot = this.rect(panel, [0, n - 1], [0, m - 1]), where = JSON.stringify(spot);
      if (where !== grid.where) lay(grid.root, spot);
      grid.where = where;
      grid.root.classList.toggle("editable", Boolean(panel.edit));
    });
    this.grids.splice(this.panels.length).forEach(({ root }) => root.remove());
    const focused = document.activeElement;
    if (focused?.cell && this.layer.contains(focused)) this.label(focused);
    clearTimeout(this.naming);                  // a hundred and more names can wait until the hand rests
    this.naming = setTimeout(() => this.grids.forEach(({ rows }) => rows.flat().forEach((cell) => this.label(cell))), 250);
  },

  label(element) {
    const { panel: i, r, c } = element.cell, panel = this.panels[i];
    if (panel?.z[r] === undefined || panel.z[r][c] === undefined) return;
    const value = panel.z[r][c] === null ? "no number" : plain(panel.text?.[r]?.[c] ?? written(panel.z[r][c]));
    const words = `${this.names(panel, r, c)}: ${value}`;
    if (element.words === words) return;
    element.words = words;
    element.setAttribute("aria-label", words);
    element.setAttribute("aria-readonly", !this.editable(element.cell));
  },

  names({ x, y }, r, c) {
    const name = ({ ticktext, tickvals }, at) => plain(ticktext?.[tickvals?.indexOf(at)] ?? at);
    return `${name(y, r)}, ${name(x, c)}`;
  },

  cell({ panel, r, c }) {
    return this.grids[panel]?.rows[r]?.[c];
  },

  key(event) {
    const { cell } = event.target, { key, altKey, shiftKey } = event;
    if (!cell) return this.keyHandle(event);
    if (event.ctrlKey || event.metaKey) return;
    const { rows, n, m } = this.grids[cell.panel], edit = this.editable(cell);
    const sign = altKey ? { ArrowUp: 1, ArrowDown: -1 }[key] : { "+": 1, "=": 1, "-": -1, "−": -1 }[key];
    const way = !altKey && { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Home: [0, -m], End: [0, m] }[key];
    if (sign && edit) {
      const by = sign * edit.step * (shiftKey && altKey ? 1 : 10);
      this.put(cell, rounded(Math.min(edit.limit, Math.max(-edit.limit, this.now(cell) + by))));
    } else if (way) {
      const [r, c] = [[cell.r + way[0], n], [cell.c + way[1], m]].map(([at, end]) => Math.min(end - 1, Math.max(0, at)));
      event.target.tabIndex = -1;
      rows[r][c].tabIndex = 0;
      rows[r][c].focus();
    } else if (key === "Enter" && edit) this.type(event.target, edit);
    else if (key === " " || key === "Enter") this.press(cell);
    else if (key === "Escape") keepLit(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  },

  type(element, { limit }) {
    const input = Object.assign(document.createElement("input"), { value: this.now(element.cell), ariaLabel: element.words, inputMode: "decimal" });
    element.append(input);
    input.select();
    const end = (keep, stay = true) => {
      const text = input.value.trim().replace("−", "-").replace(",", "."), value = Number(text);
      const fits = text && Number.isFinite(value) && Math.abs(value) <= limit;
      if (keep && stay && !fits) {
        input.setCustomValidity(`A number from −${limit} to ${limit}.`);
        return input.reportValidity();
      }
      input.onblur = null;
      input.remove();
      if (stay) element.focus({ preventScroll: true });
      return keep && fits && this.put(element.cell, value);
    };
    input.oninput = () => input.setCustomValidity("");
    input.onblur = () => end(true, false);
    input.onkeydown = (event) => {
      event.stopPropagation();
      if (event.key === "Enter" || event.key === "Escape") end(event.key === "Enter");
    };
  },
}));

function gridOf(panel, n, m, layer) {
  const root = part("div", "lab-grid", layer);
  root.removeAttribute("aria-hidden");
  root.setAttribute("role", "grid");
  root.style.gridTemplate = `repeat(${n}, 1fr) / repeat(${m}, 1fr)`;
  const rows = Array.from({ length: n }, (_, r) => {
    const row = root.appendChild(Object.assign(document.createElement("div"), { role: "row" }));
    return Array.from({ length: m }, (_, c) =>
      Object.assign(row.appendChild(document.createElement("div")), { role: "gridcell", tabIndex: r || c ? -1 : 0, cell: { panel, r, c } }));
  });
  return { root, n, m, rows };
}
