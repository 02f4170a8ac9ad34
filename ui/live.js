// The browser half of live.py: figures that change in place, and stock sliders that act while they are dragged.
// Mounted once a page; charts that arrive earlier wait in window.labCharts, an array until this replaces it.

export default ({ data: facts }) => {
  if (window.labCharts?.facts) return;
  const early = window.labCharts ?? [];
  window.labCharts = {
    facts,
    push: (mounted) => (figureOf(mounted).chart ??= new Chart(figureOf(mounted), facts)).take(mounted),
    drop: (mounted) => {
      const figure = figureOf(mounted);         // also called for a run that newer data overtook: look before closing
      if (!figure?.isConnected) figure?.chart?.close();
    },
  };
  early.forEach(window.labCharts.push);
  followDrag(60);
  spareAddress();
  fitPaper();
};

const figureOf = ({ parentElement }) => (parentElement.labFigure ??= parentElement.querySelector("figure"));
const NARROW = 560;

class Chart {
  constructor(box, facts) {
    Object.assign(this, { box, facts });
    this.resizer = new ResizeObserver(() => this.resize());
    box.addEventListener("transitionend", (event) => event.target === box && this.redraw());   // the paper's colour: live.css
  }

  take({ data, setTriggerValue }) {             // newest figure wins, one draw at a time
    this.mounted = data;
    this.trigger = setTriggerValue;
    return this.redraw();
  }

  async redraw() {
    this.next = this.mounted;
    if (this.busy || !this.next) return;
    this.busy = true;
    while (this.next && !this.closed) {
      const mounted = this.next;
      this.next = null;
      try {
        this.plotly ??= await loadPlotly(this.facts.chunk);
        if (!this.closed) await this.draw(mounted);
        delete this.box.dataset.error;
      } catch (error) {                         // the last good picture stays and says that it is out of date
        this.box.dataset.error = this.drawn ? "This chart is out of date: the new one could not be drawn." : "This chart could not be drawn.";
        console.error("chart:", error);
      }
    }
    this.busy = false;
  }

  async draw({ spec, alt, clickable }) {
    const dark = isDark(this.box);
    const text = (value) => JSON.parse(dark ? value.replace(/#[0-9a-f]{6}/g, (hex) => this.facts.dark[hex] ?? hex) : value);
    const { data, layout } = text(spec);
    this.narrow = this.box.clientWidth < NARROW;
    if (this.narrow) merge(layout, layout.meta?.narrow ?? {});
    this.box.style.height = `${layout.height}px`;
    this.box.setAttribute("aria-label", alt);
    this.box.classList.toggle("clickable", clickable);
    this.clickable = clickable;
    const template = text(JSON.stringify(this.facts.template));
    await this.plotly.react(this.box, data, { uirevision: "keep", ...layout, template }, CONFIG);
    this.player?.stop();
    this.player = layout.meta?.play ? new Player(this, layout.meta.play) : null;
    if (this.drawn) return;
    this.drawn = true;
    this.resizer.observe(this.box);
    this.box.on("plotly_click", ({ points: [point] }) => this.click(point));
  }

  click({ curveNumber, pointIndex, x, y }) {
    if (!this.clickable) return;
    const [row, column] = Array.isArray(pointIndex) ? pointIndex : [null, null];
    this.trigger("clicked", { curve: curveNumber, point: Array.isArray(pointIndex) ? null : pointIndex, row, column, x, y });
  }

  resize() {
    if (!this.box.clientWidth || this.closed) return;
    if (this.box.clientWidth < NARROW !== this.narrow) this.redraw();
    else this.plotly.Plots.resize(this.box);
  }

  close() {
    this.closed = true;
    this.player?.stop();
    this.resizer.disconnect();
    if (this.drawn) this.plotly.purge(this.box);
  }
}

// Shows the first k points of some traces, k by a slider and a play button, without asking the server.
class Player {
  constructor(chart, { traces, steps }) {
    Object.assign(this, { chart, traces, steps });
    this.bar = chart.box.parentElement.querySelector(".lab-player");
    this.bar.hidden = false;
    [this.button, this.range, this.label] = this.bar.children;
    this.full = traces.map((i) => ({ x: chart.box.data[i].x, y: chart.box.data[i].y }));
    this.range.max = steps;
    const kept = Number(this.range.dataset.step ?? steps);
    this.range.oninput = () => { this.stop(); this.seek(Number(this.range.value)); };
    this.button.onclick = () => (this.timer ? this.stop() : this.play());
    this.seek(Math.min(kept, steps));
  }

  seek(step) {
    this.range.value = this.range.dataset.step = step;
    this.label.textContent = `step ${step}`;
    const upTo = (values) => Array.from(values).slice(0, step + 1);
    this.chart.plotly.restyle(this.chart.box, { x: this.full.map(({ x }) => upTo(x)), y: this.full.map(({ y }) => upTo(y)) }, this.traces);
  }

  play() {
    if (Number(this.range.value) >= this.steps) this.seek(0);
    this.button.textContent = "Pause";
    this.timer = setInterval(() => {
      if (Number(this.range.value) >= this.steps) return this.stop();
      this.seek(Number(this.range.value) + 1);
    }, 90);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    this.button.textContent = "Play";
  }
}

// The very module st.plotly_chart loads, so no copy and no second download.
async function loadPlotly(chunk) {
  if (!window.Plotly) await import(new URL(chunk, document.querySelector('script[src*="/static/js/"]').src));
  return window.Plotly;
}

function isDark(box) {
  const [r, g, b] = getComputedStyle(box).backgroundColor.match(/[\d.]+/g).map(Number);
  return 0.299 * r + 0.587 * g + 0.114 * b < 128;
}

function merge(into, from) {
  for (const [key, value] of Object.entries(from)) {
    if (value && typeof value === "object" && !Array.isArray(value)) merge((into[key] ??= {}), value);
    else into[key] = value;
  }
}

const path = (d) => ({ width: 24, height: 24, path: d });
const CONFIG = {
  displaylogo: false,
  modeBarButtons: [["zoom2d", "pan2d", "resetScale2d"], ["toImage",
    { name: "table", title: "The numbers as a table", icon: path("M3 4h18v16H3zm2 2v3h14V6zm0 5v3h6v-3zm8 0v3h6v-3zm-8 5v2h6v-2zm8 0v2h6v-2z"), click: showTable },
    { name: "fullscreen", title: "Full screen", icon: path("M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z"),
      click: (box) => (document.fullscreenElement ? document.exitFullscreen() : box.requestFullscreen?.()) }]],
};

function showTable(box) {
  const dialog = document.createElement("dialog");
  dialog.className = "lab-table";
  const add = (parent, tag, text = "") => Object.assign(parent.appendChild(document.createElement(tag)), { textContent: text });
  const close = add(dialog, "button", "Close");
  close.onclick = () => dialog.close();
  dialog.onclose = () => dialog.remove();
  const plain = (text) => new DOMParser().parseFromString(String(text ?? ""), "text/html").body.textContent;
  const name = (axis, value) => plain(axis?.ticktext?.[axis.tickvals?.indexOf(value)] ?? value);
  for (const { type, name: title, x, y, z, labels, values, xaxis, yaxis } of box._fullData) {
    if (type === "contour" || (type === "scatter" && !title)) continue;
    const [ax, ay] = [xaxis, yaxis].map((id) => box._fullLayout[id?.replace(/^([xy])/, "$1axis")]);
    const rows = z ? [["", ...Array.from(z[0], (_, c) => name(ax, c))], ...Array.from(z, (row, r) => [name(ay, r), ...row])]
      : labels ? Array.from(labels, (label, i) => [label, values[i]])
      : [["", title], ...Array.from(y ?? [], (value, i) => [name(ax, x?.[i] ?? i), value])];
    const table = add(dialog, "table");
    for (const row of rows) {
      const tr = add(table, "tr");
      row.forEach((cell, i) => add(tr, i && row !== rows[0] ? "td" : "th", plain(cell)));
    }
  }
  box.parentElement.appendChild(dialog);
  dialog.showModal();
}

// st.slider (React Aria) commits when its drag ends, which it hears as an event on window. While the pointer moves we end
// the drag and take it up again at once: at most every `interval` ms, and only when the script is idle, because runs that
// interrupt each other never reach the screen. Held keys wait for the same reason. Should Streamlit handle sliders another
// way one day, the drag is lost once, and from then on sliders act on release again.
function followDrag(interval) {
  const sliderOf = (event) => event.target.closest?.("[data-testid=stSlider]");
  const idle = () => document.querySelector("[data-testid=stApp]")?.dataset.testScriptState === "notRunning";
  let slider = null, renewed = false, last = 0, timer = 0;

  const commit = (at) => {
    clearTimeout(timer);
    const wait = last + interval - performance.now();
    if (wait > 0 || !idle()) {
      timer = setTimeout(() => slider && commit(at), Math.max(wait, 8));
      return;
    }
    const thumb = slider.querySelector("[data-dragging]");
    if (!thumb) {
      if (renewed && slider.isConnected) interval = Infinity;
      return;
    }
    window.dispatchEvent(new PointerEvent("mouseup", at));
    thumb.dispatchEvent(new PointerEvent("pointerdown", at));
    renewed = true;
    last = performance.now();
  };
  const listen = (type, act) => addEventListener(type, (event) => event.isTrusted && act(event), true);
  listen("pointerdown", (event) => ([slider, renewed] = [sliderOf(event), false]));
  listen("pointermove", (event) => {
    const { pointerId, pointerType, clientX, clientY } = event;
    if (slider && event.buttons) commit({ bubbles: true, cancelable: true, buttons: 1, pointerId, pointerType, clientX, clientY });
  });
  listen("pointerup", () => (slider = null));
  listen("pointercancel", () => (slider = null));
  listen("keydown", (event) => {
    if (event.repeat && sliderOf(event) && !idle()) {
      event.preventDefault();
      event.stopPropagation();
    }
  });
}

// Browsers refuse more than 100 to 200 address changes in 10 s with an exception that would take the bound widget down.
function spareAddress() {
  const replaceState = history.replaceState.bind(history);
  let later = 0;
  history.replaceState = (...change) => {
    clearTimeout(later);
    const page = location.pathname;
    try {
      replaceState(...change);
    } catch (error) {
      if (error.name !== "SecurityError") throw error;
      later = setTimeout(() => location.pathname === page && history.replaceState(...change), 1000);
    }
  };
}

// Paper is narrower than the screen and nothing redraws for it: let the drawings scale.
function fitPaper() {
  const drawings = (act) => () => document.querySelectorAll("figure .main-svg").forEach(act);
  addEventListener("beforeprint", drawings((svg) => svg.setAttribute("viewBox", `0 0 ${svg.getAttribute("width")} ${svg.getAttribute("height")}`)));
  addEventListener("afterprint", drawings((svg) => svg.removeAttribute("viewBox")));
}
