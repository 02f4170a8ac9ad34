// Part of live.js: what is dragged in a drawing besides cells: the tip of an arrow, a point, the line of now on a curve.
// A handle runs ahead of the drawing, which follows as it does with a slider. Those with a name are one Tab stop: arrows
// move the one that has the focus (with Shift ten times finer), Page Up and Down go to the next. A slider has its own keys.

const REACH = { PageUp: -1, PageDown: 1, Home: -Infinity, End: Infinity };
const NUDGE = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

Object.defineProperties(Hand.prototype, Object.getOwnPropertyDescriptors({
  layHandles() {
    const handles = this.hold.handles ?? [];
    handles.forEach((spec, i) => {
      if (Boolean(this.handles[i]?.role) !== Boolean(spec.name)) this.handles[i] = this.handles[i]?.remove();
      const handle = (this.handles[i] ??= part("div", "lab-handle", this.layer));
      handle.at = i;
      handle.className = `lab-handle ${spec.along} ${spec.only ? `only ${spec.only}-way` : ""} ${spec.name ? "named" : ""}`;
      if (this.unseen.get(`handle ${i}`)?.sent) this.unseen.delete(`handle ${i}`);
      const { x, y } = this.axes(spec);
      handle.hidden = !x || !y;
      if (spec.name) this.nameHandle(handle, spec);
      if (handle.hidden || this.drag?.handle === handle || this.unseen.has(`handle ${i}`)) return;
      this.move_(handle, spec, spec.x === null ? 0 : x.d2p(spec.x), spec.y === null ? 0 : y.d2p(spec.y));
    });
    this.handles.splice(handles.length).forEach((handle) => handle.remove());
    const named = this.handles.filter(({ role }) => role);
    if (named.length && !named.some(({ tabIndex }) => tabIndex === 0)) named[0].tabIndex = 0;
  },

  nameHandle(handle, { name, x, y }) {
    handle.removeAttribute("aria-hidden");
    handle.title = `${name}: (${written(x)}, ${written(y)})`;
    Object.assign(handle, { role: "slider", ariaLabel: name, ariaValueNow: x, ariaValueText: `(${written(x)}, ${written(y)})` });
  },

  keyHandle(event) {
    const { target: handle, key, shiftKey, ctrlKey, metaKey, altKey } = event, spec = this.hold.handles?.[handle.at];
    if (!spec?.name || ctrlKey || metaKey || altKey || !(REACH[key] || NUDGE[key])) return;
    event.preventDefault();
    event.stopPropagation();
    if (REACH[key]) return this.reach(handle, REACH[key]);
    const axes = this.axes(spec), [x, y] = ["x", "y"].map((name, i) => {
      const [low, high] = axes[name].range, by = 10 ** Math.floor(Math.log10((high - low) / 20)) * (shiftKey ? 0.1 : 1);
      const from = this.unseen.get(`handle ${handle.at}`)?.[name] ?? spec[name];
      return rounded(Math.min(high, Math.max(low, from + by * NUDGE[key][i])));
    });
    this.move_(handle, spec, axes.x.d2p(x), axes.y.d2p(y));
    this.tell(`handle ${handle.at}`, { handle: handle.at, x, y });
  },

  reach(handle, by) {
    const named = this.handles.filter(({ role }) => role);
    const next = named[Math.min(named.length - 1, Math.max(0, named.indexOf(handle) + by))];
    named.forEach((one) => (one.tabIndex = one === next ? 0 : -1));
    next.focus({ preventScroll: true });
  },

  axes({ panel }) {
    const { _fullLayout: full } = this.box, end = panel ? panel + 1 : "";
    return { x: full[`xaxis${end}`], y: full[`yaxis${end}`] };
  },

  move_(handle, spec, left, top) {              // px from the corner of its axes
    const { x, y } = this.axes(spec), inside = left >= -1 && left <= x._length + 1 && top >= -1 && top <= y._length + 1;
    handle.hidden = !inside && spec.along !== "xy";
    if (spec.along === "x") lay(handle, { left: x._offset + left, top: y._offset, height: y._length });
    else if (spec.along === "y") lay(handle, { left: x._offset, top: y._offset + top, width: x._length });
    else lay(handle, { left: x._offset + left, top: y._offset + top });
  },

  pull({ clientX, clientY }) {
    const { handle } = this.drag, spec = this.hold.handles[handle.at];
    if (!spec) return;
    const { x, y } = this.axes(spec), [at_x, at_y] = pointed(this.box, clientX, clientY);
    const inside = ({ _offset, _length }, px) => Math.min(_length, Math.max(0, px - _offset));
    const px = spec.only === "y" ? x.d2p(spec.x) : inside(x, at_x);
    const py = spec.only === "x" ? y.d2p(spec.y) : inside(y, at_y);
    this.move_(handle, spec, px, py);
    const value = { handle: handle.at, x: rounded(x.p2d(px)), y: rounded(y.p2d(py)) }, key = `handle ${handle.at}`;
    const old = this.unseen.get(key);
    if (old?.x !== value.x || old?.y !== value.y) this.tell(key, value);
  },
}));
