// Part of live.js: the bars and points of a picture that a question wants clicked, for keys and readers. One list over the
// drawing, one Tab stop: arrows walk, Enter answers. In all other pictures a click sets what a control sets too.

Object.defineProperties(Hand.prototype, Object.getOwnPropertyDescriptors({
  layPoints() {
    const marks = this.hold.answers && !this.panels.length ? marksIn(this.box) : [];
    if (!marks.length) {
      this.points?.remove();
      return (this.points = null);
    }
    this.points ??= Object.assign(part("div", "lab-points", this.layer), { role: "listbox", ariaHidden: null, ariaLabel: "Answers" });
    const scale = this.box.getBoundingClientRect().width / this.box.offsetWidth || 1;
    marks.forEach(({ mark, click, name }, i) => {
      const option = this.points.children[i] ?? this.points.appendChild(Object.assign(document.createElement("div"), { role: "option", tabIndex: i ? -1 : 0 }));
      const { left, top, width, height } = mark.getBoundingClientRect(), [x, y] = pointed(this.box, left, top);
      lay(option, { left: x - 4, top: y - 4, width: width / scale + 8, height: height / scale + 8 });
      Object.assign(option, { ariaLabel: name, click });
    });
    [...this.points.children].slice(marks.length).forEach((option) => option.remove());
    if (!this.points.querySelector("[tabindex='0']")) this.points.firstChild.tabIndex = 0;
  },

  walk(event) {
    const { target, key } = event, step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity }[key];
    if (target.parentNode !== this.points || event.ctrlKey || event.metaKey || event.altKey || !(step || key === "Enter")) return;
    event.preventDefault();
    event.stopPropagation();
    if (!step) return this.chart.click(target.click);
    const options = [...this.points.children], to = options[Math.min(options.length - 1, Math.max(0, options.indexOf(target) + step))];
    [target.tabIndex, to.tabIndex] = [-1, 0];
    to.focus();
  },
}));

// Every bar and point as drawn that the mouse could click, what a click on it says, and its name.
function marksIn(box) {
  const axis = (id) => box._fullLayout[id.replace(/^([xy])/, "$1axis")];
  const told = ({ ticktext, tickvals }, value) => plain(ticktext?.[tickvals?.indexOf(value)] ?? (typeof value === "number" ? written(value) : value));
  return [...box.querySelectorAll(".trace .point > path, .trace path.point")].map((mark) => {
    const { trace } = mark.closest(".trace").__data__[0], { i } = mark.__data__, [x, y] = [trace.x[i], trace.y[i]], xaxis = axis(trace.xaxis);
    const name = [plain(box.data[trace.index].name), told(xaxis, x), told(axis(trace.yaxis), y)].filter(Boolean).join(", ");
    return { mark, name, trace, click: { curveNumber: trace.index, pointIndex: i, x, y, xaxis } };
  }).filter(({ trace }) => trace.hoverinfo !== "skip");
}
