// Part of live.js: takes hold of a picture. One layer of HTML over each drawing, which Plotly does not know and which lets
// the pointer through, carries the cells of its matrices (cells.js), its handles (handles.js), its bars and points where
// they are answers (points.js) and what lights up (follow.js).
// A press on a cell never reaches Plotly, which would zoom, or raise a click after a drag, or none where it is still busy.

const TREMBLE = 3;                              // px that a hand may move before a press becomes a drag
const CELLS = [12, 16];                         // rows and columns up to which a matrix has numbers to take hold of
const hands = new Set();                        // of all charts on the page

class Hand {
  constructor(chart) {
    Object.assign(this, { chart, box: chart.box, panels: [], grids: [], handles: [], chips: [], unseen: new Map() });
    this.layer = part("div", "lab-hold", this.box);
    this.layer.removeAttribute("aria-hidden");  // what it holds and nobody reads is hidden one by one
    const listen = (target, types, act) => types.split(" ").forEach((type) => target.addEventListener(type, act.bind(this), true));
    listen(this.box, "pointerdown", this.down);
    listen(this.box, "pointermove", this.move);
    listen(this.box, "pointerup pointercancel lostpointercapture", this.up);
    listen(this.box, "mousedown", (event) => this.at(event) && event.stopPropagation());
    listen(this.box, "pointerleave", () => this.drag || light(null));
    listen(this.layer, "keydown", this.key);
    listen(this.layer, "keydown", this.walk);
    listen(this.layer, "focusin", ({ target }) => target.cell && light({ hand: this, ...target.cell }));
    listen(this.layer, "focusout", () => light(null));
    hands.add(this);
  }

  // After each drawing and each change of size: where things are now, and what of it can be held.
  refresh(hold = this.hold) {
    const { _fullLayout: full, _fullData: traces, layout } = this.box;
    this.hold = hold ?? {};
    const named = layout.meta?.matrices ?? [], axis = (id) => full[id.replace(/^([xy])/, "$1axis")];
    this.panels = traces.filter(({ type }) => type === "heatmap")
      .map(({ z, text, xaxis, yaxis }, i) => ({ z, text, x: axis(xaxis), y: axis(yaxis), number: Number(xaxis.slice(1) || 1) - 1,
        ...named[i], edit: this.hold.cells?.[named[i]?.held] ?? null }))
      .filter(({ z, x }) => isHeld(z) && x);
    this.lay();
    this.layHandles();
    this.layPoints();
    this.layChips();
    if (lit.kept?.hand === this && this.panels[lit.kept.panel]?.title !== lit.kept.title) keepLit(null);  // another matrix
    if (lit.at) light(lit.at, true);
  }

  rect({ x, y }, [r0, r1], [c0, c1]) {          // px of rows r0 … r1 and columns c0 … c1, in the figure's box
    const [left, right] = [c0 - 0.5, c1 + 0.5].map((v) => x._offset + x.d2p(v));
    const [top, bottom] = [r0 - 0.5, r1 + 0.5].map((v) => y._offset + y.d2p(v));
    return { left, top, width: right - left, height: bottom - top };
  }

  place({ clientX, clientY }, x, y) {           // of the pointer, in the numbers of two axes
    const [px, py] = pointed(this.box, clientX, clientY);
    return [x.p2d(px - x._offset), y.p2d(py - y._offset)];
  }

  at(event) {                                   // which cell is under the pointer
    if (event.target.closest(".modebar, dialog, .lab-handle")) return null;
    for (const [panel, { x, y, z }] of this.panels.entries()) {
      const [c, r] = this.place(event, x, y).map(Math.round);
      if (r >= 0 && c >= 0 && r < z.length && c < z[0].length) return { panel, r, c };
    }
    return null;
  }

  down(event) {
    const handle = event.target.closest(".lab-handle"), cell = handle ? null : this.at(event);
    if (event.button || event.target.matches("input") || !(handle || cell)) return;
    const { clientX: x, clientY: y } = event;
    const swipes = event.pointerType === "touch" && !handle && !event.target.closest(".ready");
    if (!swipes) {                              // a finger scrolls, until a tap has chosen the cell
      event.preventDefault();
      this.box.setPointerCapture(event.pointerId);
    }
    if (handle?.role) this.reach(handle, 0);
    this.drag = { handle, cell, swipes, x, y, last: y, value: cell && this.now(cell) };
  }

  move(event) {
    const { drag } = this;
    if (!drag) return event.pointerType === "touch" || light(this.spot(event));
    if (drag.swipes || (!drag.moved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) <= TREMBLE)) return;
    const edit = drag.cell && this.editable(drag.cell);
    if (!drag.moved && (edit || drag.handle)) this.box.classList.add("held");
    drag.moved = true;
    if (drag.handle) this.pull(event);
    else if (edit) this.scrub(event, edit);
  }

  spot(event) {
    const cell = this.at(event);
    return cell && { hand: this, ...cell };
  }

  editable({ panel, r, c }) {                   // how far and how fine a number can be changed; means beside a matrix can't
    const { edit, step, own } = this.panels[panel] ?? {};
    return edit && r >= own[0] && r < own[1] && c < own[2] ? { ...edit, step } : null;
  }

  scrub({ clientY, shiftKey }, { step, limit }) {
    const { drag } = this, fine = shiftKey ? step / 10 : step;
    drag.value = Math.min(limit, Math.max(-limit, drag.value + (drag.last - clientY) * fine));
    drag.last = clientY;
    this.put(drag.cell, rounded(Math.round(drag.value / fine) * fine));
  }

  up({ type, clientX, clientY }) {
    const { drag } = this;
    if (!drag) return;
    this.drag = null;
    this.box.classList.remove("held");
    this.layChips();
    if (type !== "pointerup" || drag.handle || drag.moved || Math.hypot(clientX - drag.x, clientY - drag.y) > 8) return;
    const element = this.cell(drag.cell);
    this.layer.querySelector(".ready")?.classList.remove("ready");
    if (this.editable(drag.cell)) element?.classList.add("ready");
    element?.focus({ preventScroll: true });
    this.press(drag.cell);
  }

  press(cell) {                                 // a click on a cell: what it chooses, and its sum stays
    const { number, title } = this.panels[cell.panel], { r: row, c: column } = cell;
    if (this.chart.clickable) this.chart.trigger("clicked", { curve: null, panel: number, point: null, row, column, x: column, y: row });
    keepLit({ hand: this, title, ...cell });
  }

  now({ panel, r, c }) {
    return this.unseen.get(`${panel} ${r} ${c}`)?.value ?? this.panels[panel].z[r][c];
  }

  put(cell, value) {                            // shows a number at once, and tells the server
    const { panel, r, c } = cell;
    if (this.now(cell) === value) return;
    this.tell(`${panel} ${r} ${c}`, { control: this.panels[panel].held, row: r - this.panels[panel].own[0], column: c, value });
    this.layChips();
  }

  // A run that is overtaken forgets what its callback wrote, so every message says again whatever no drawing shows yet;
  // what still does not show a second later is said once more, then given up.
  tell(key, said, tries = 1) {
    if (key) this.unseen.set(key, said);
    clearTimeout(this.timer);
    if (!this.unseen.size) return;
    if (!pace.free()) {
      this.timer = setTimeout(() => this.tell(null, null, tries), 8);
      return;
    }
    pace.asked();
    this.chart.trigger("held", [...this.unseen.values()].map((one) => Object.assign(one, { sent: true })));
    this.timer = setTimeout(() => (tries ? this.tell(null, null, 0) : this.giveUp()), 1000);
  }

  giveUp() {
    this.unseen.clear();
    this.layChips();
    this.layHandles();
  }

  // The numbers that the hand has set, each over its cell until the drawing below says the same.
  layChips() {
    let used = 0;
    for (const [key, { value, control }] of this.unseen) {
      if (control === undefined) continue;
      const [panel, r, c] = key.split(" ").map(Number), shown = this.panels[panel]?.z[r]?.[c];
      const held = this.drag?.moved && key === Object.values(this.drag.cell ?? {}).join(" ");
      if (shown === undefined || (!held && Math.abs(shown - value) <= 1e-9 * Math.max(1, Math.abs(value)))) {
        this.unseen.delete(key);
        continue;
      }
      const chip = (this.chips[used++] ??= part("div", "lab-chip", this.layer));
      lay(chip, this.rect(this.panels[panel], [r, r], [c, c]));
      chip.textContent = written(value);
    }
    this.chips.splice(used).forEach((chip) => chip.remove());
  }

  close() {
    [this.timer, this.naming].forEach(clearTimeout);
    hands.delete(this);
    this.layer.remove();
    if (lit.at?.hand === this || lit.kept?.hand === this) [lit.at, lit.kept] = [null, null];
  }
}

const isHeld = (z) => Array.isArray(z) && z.length <= CELLS[0] && z[0]?.length <= CELLS[1];
const part = (tag, className, parent) => parent.appendChild(Object.assign(document.createElement(tag), { className, ariaHidden: "true" }));
const lay = (element, box) => Object.assign(element.style, Object.fromEntries(Object.entries(box).map(([side, px]) => [side, `${px}px`])));
const plain = (text) => new DOMParser().parseFromString(String(text ?? "").replace(/<br>/g, ", "), "text/html").body.textContent;
const rounded = (value) => Number(value.toPrecision(12));
const written = (value, digits = 3) => String(Number(value.toFixed(digits))).replace("-", "−");
