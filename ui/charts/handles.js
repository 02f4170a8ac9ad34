// Part of live.js: what is dragged in a drawing besides cells: the tip of an arrow, a point, the line of now on a curve.
// A handle runs ahead of the drawing, which follows as it does with a slider.

Object.defineProperties(Hand.prototype, Object.getOwnPropertyDescriptors({
  layHandles() {
    const handles = this.hold.handles ?? [];
    handles.forEach((spec, i) => {
      const handle = (this.handles[i] ??= part("div", "lab-handle", this.layer));
      handle.at = i;
      handle.className = `lab-handle ${spec.along} ${spec.only ? `only ${spec.only}-way` : ""}`;
      if (this.unseen.get(`handle ${i}`)?.sent) this.unseen.delete(`handle ${i}`);
      const { x, y } = this.axes(spec);
      handle.hidden = !x || !y;
      if (handle.hidden || this.drag?.handle === handle || this.unseen.has(`handle ${i}`)) return;
      this.move_(handle, spec, spec.x === null ? 0 : x.d2p(spec.x), spec.y === null ? 0 : y.d2p(spec.y));
    });
    this.handles.splice(handles.length).forEach((handle) => handle.remove());
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
