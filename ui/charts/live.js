// The browser half of live.py: figures that change in place, and stock sliders that act while they are dragged.
// Mounted once a page; charts that arrive earlier wait in window.labCharts, an array until this replaces it.

export default ({ data: facts }) => {
  if (window.labCharts?.facts) return;
  addStyle(facts.css);
  loadPlotly(facts.chunk).catch(() => {});      // ahead of the first chart, which asks again and says what is wrong
  const early = window.labCharts ?? [];
  window.labCharts = {
    facts,
    push: (mounted) => {
      pace.begun = true;                        // a run has answered: its messages come in one lot, its state as it was
      const figure = figureOf(mounted);
      if (figure.isConnected) (figure.chart ??= new Chart(figure, facts)).take(mounted);
    },
    drop: (mounted) => {                        // also called for a run that newer data overtook: look before closing
      const figure = figureOf(mounted);
      if (!figure.isConnected) figure.chart?.close();
    },
  };
  window.labAddress = setAddress;
  early.forEach(window.labCharts.push);
  pace.watch();
  catchUp(followDrag());
  keepHistory();
  keepRoom();
  pressKeys({ " ": "ask_show", n: "ask_next", b: "ask_before", p: "keep" });
  fitPaper();
  markWords(facts.words);
  waitForFinger();
  tellChanges();
  document.documentElement.translate = false;   // a translator swaps the nodes that the framework is about to change
  stage.start(facts.stage);
};

const addStyle = (text) => document.head.appendChild(Object.assign(document.createElement("style"), { textContent: text }));
const figureOf = ({ parentElement }) => (parentElement.labFigure ??= parentElement.querySelector("figure"));
const isNarrow = (box) => !stage.on() && box.clientWidth < (box.below ?? 560) && !placeOf(box);

class Chart {
  constructor(box, facts) {
    Object.assign(this, { box, facts, inSight: true });
    this.resizer = new ResizeObserver(() => this.resize());
    this.watcher = new IntersectionObserver((all) => (this.inSight = all.at(-1).isIntersecting) && this.hurry?.(), { rootMargin: "-24px 0px" });
    this.watcher.observe(box);
  }

  take({ data, setTriggerValue }) {             // also called when Streamlit's theme changes
    this.mounted = data;
    this.trigger = setTriggerValue;
    this.redraw();
  }

  async redraw() {                              // one draw at a time, newest figure wins
    this.next = this.mounted;
    if (this.busy) return;
    this.busy = true;
    while (this.next && !this.gone()) {
      const mounted = this.next;
      this.next = null;
      try {
        const same = this.drawn && this.stands === this.name(mounted) && !this.box.dataset.error;
        if (same) {                             // nothing in it has changed: the picture stays, the words may be new
          if (mounted.play) this.player?.cut([], mounted.play);
          this.tell(mounted);
          continue;
        }
        const spec = mounted.spec ?? await unpack(mounted.packed);
        if (this.gone()) break;                 // the page was left meanwhile
        const figure = this.read(spec), stands = this.name(mounted);
        this.plotly ??= await loadPlotly(this.facts.chunk);
        this.box.removeAttribute("role");
        if (!this.inSight) await this.pause();
        else if (held && !this.isFirst()) await new Promise((go) => (window.requestIdleCallback ?? setTimeout)(go, { timeout: 300 }));
        if (this.gone() || this.next) continue;
        await this.draw(figure, mounted);
        this.stands = stands;
        delete this.box.dataset.error;
      } catch (error) {
        if (error.stock) this.trigger("stock", true);
        else if (!error.missing) console.error("chart:", error);
        this.tellFault(error);
      }
    }
    this.busy = false;
  }

  tellFault({ missing }) {                      // the last good picture stays and says that it is out of date
    this.box.dataset.error = "This chart is out of date: the new one could not be drawn.";
    if (this.drawn) return;
    const { alt } = this.mounted, why = missing ? "What draws the charts did not load" : "This chart could not be drawn";
    this.box.dataset.error = `${why}. All else on the page goes on. The chart would show: ${alt}`;
    Object.assign(this.box, { role: "img", ariaLabel: alt });
    this.box.style.height = "auto";
  }

  name({ spec, packed }) {                      // of the picture: what it is drawn from, and how wide
    return [isDark(this.box), this.box.clientWidth, isNarrow(this.box), stage.size(this.box), placeOf(this.box), spec ?? packed].join();
  }

  gone() {
    return this.closed || !this.box.isConnected;
  }

  isFirst() {                                   // of those in sight: under a drag it is drawn before all others
    return this.box === [...document.querySelectorAll("figure")].find(({ chart }) => chart?.inSight);
  }

  pause() {                                     // leaves the processor to charts in sight until a slider is let go
    return new Promise((go) => {
      const wait = () => setTimeout(() => (held?.isConnected ? wait() : go()), 200);
      this.hurry = go;
      wait();
    });
  }

  read(spec) {                                  // and keep the place free, also before plotly.js has come
    const dark = isDark(this.box);
    const text = (value) => JSON.parse(dark ? value.replace(/#[0-9a-f]{6}/g, (hex) => this.facts.dark[hex] ?? hex) : value);
    const { data, layout } = text(spec);
    this.box.below = layout.meta?.below;
    this.narrow = isNarrow(this.box);
    if (this.narrow) {
      merge(layout, layout.meta?.narrow ?? {});
      const columns = ({ z }) => Number(z?.shape?.split(",").pop() ?? z?.[0]?.length);    // bytes say their shape
      data.forEach((trace) => columns(trace) > 12 && delete trace.texttemplate);        // no room in the cells
      data.forEach((trace) => trace.textfont?.size < 12 && columns(trace) <= 10 && (trace.textfont.size = this.box.clientWidth < 340 ? 10 : 12));
    }
    data.forEach((trace) => isHeld(trace.z) && Object.assign(trace, { hoverinfo: "skip" }));      // the hand's own note speaks
    const template = text(JSON.stringify(this.facts.template));
    stage.fit(this.box, data, layout, template);
    if (stage.on()) fitBars(this.box, data, layout);
    else {
      fitPlace(this.box, layout);
      fitWords(this.box, data, layout);
    }
    this.box.style.height = `${layout.height}px`;
    delete layout.height;                       // the box has it, and more in full screen
    return { data, layout: { uirevision: "keep", ...layout, template } };
  }

  async draw({ data, layout }, mounted) {
    const still = Object.entries(layout).every(([name, axis]) => !/^[xy]axis/.test(name) || axis.fixedrange);
    const play = layout.meta?.play ?? mounted.play;
    if (play) (this.player ??= new Player(this)).cut(data, play);
    else this.player &&= this.player.close();
    const left = () => this.gone() && (this.plotly.purge(this.box), true);    // the page, meanwhile
    await this.plotly.react(this.box, data, layout, still ? STILL : ZOOMABLE);
    if (left()) return;
    const { clientWidth, clientHeight, _fullLayout: drawn } = this.box;    // of a new size alone react sees nothing
    const off = Math.max(Math.abs(drawn.width - clientWidth), Math.abs(drawn.height - clientHeight));
    if (clientWidth && off > 1) await this.plotly.Plots.resize(this.box);
    if (left()) return;
    this.box.querySelectorAll(".main-svg").forEach((svg, i) => svg.setAttribute(...(i ? ["aria-hidden", true] : ["role", "img"])));
    const first = !this.drawn;
    nameTools(this.box);
    this.drawn = true;
    this.tell(mounted);
    if (!first) return;
    this.resizer.observe(this.box);
    this.resizer.observe(this.box.closest("[class*='-chart-']") ?? this.box);
    showPanel(this.box);
    this.box.on("plotly_relayout", () => this.hand.refresh());
    this.box.on("plotly_click", ({ points: [point] }) => this.isSurface() || this.click(point));
    this.box.addEventListener("pointerdown", (event) => (this.pressed = event), true);
    this.box.addEventListener("click", ({ target }) => this.isSurface() && this.clickPlace(target.dataset.subplot));
  }

  tell({ alt, clickable, hold }) {
    this.box.querySelector(".main-svg").setAttribute("aria-label", alt);
    this.box.classList.toggle("clickable", (this.clickable = clickable));
    (this.hand ??= new Hand(this)).refresh(hold);
  }

  click({ curveNumber, pointIndex, x, y, xaxis }) {
    if (!this.clickable) return;
    const [row, column] = Array.isArray(pointIndex) ? pointIndex : [null, null];
    const panel = Number(xaxis?._id.slice(1) || 1) - 1;       // which of several matrices
    this.trigger("clicked", { curve: curveNumber, panel, point: Array.isArray(pointIndex) ? null : pointIndex, row, column, x, y });
  }

  isSurface() {
    return this.box.data[0]?.type === "contour";
  }

  clickPlace(subplot) {                         // on a surface the very place counts; Plotly's click waits for a hover label
    const axes = this.box._fullLayout._plots[subplot];
    if (!this.clickable || !axes) return;
    const [px, py] = pointed(this.box, this.pressed.clientX, this.pressed.clientY);
    const [x, y] = [axes.xaxis.p2d(px - axes.xaxis._offset), axes.yaxis.p2d(py - axes.yaxis._offset)];
    this.trigger("clicked", { curve: 0, panel: 0, point: null, row: null, column: null, x, y });
  }

  resize() {
    const { clientWidth, clientHeight, _fullLayout: drawn } = this.box;
    if (placeOf(this.box)) return this.redraw();
    if (!clientWidth || this.closed || (clientWidth === drawn.width && clientHeight === drawn.height)) return;
    this.redraw();
  }

  close() {
    this.closed = true;
    this.player?.close();
    this.hand?.close();
    this.resizer.disconnect();
    this.watcher.disconnect();
    if (this.drawn) this.plotly.purge(this.box);
  }
}

// The very module st.plotly_chart loads, so no copy and no second download.
async function loadPlotly(chunk) {
  const address = new URL(chunk, document.querySelector('script[src*="/static/js/"]').src);
  if (!window.Plotly) await import(address).catch((error) => Promise.reject(Object.assign(error, { missing: true })));
  if (!window.Plotly) throw Object.assign(new Error("the framework has its plotly.js elsewhere"), { stock: true });
  return window.Plotly;
}

function isDark(box) {
  const [r, g, b] = getComputedStyle(box).backgroundColor.match(/[\d.]+/g).map(Number);
  return 0.299 * r + 0.587 * g + 0.114 * b < 128;
}

function merge(into, from) {
  for (const [key, value] of Object.entries(from)) {
    const both = into[key] && typeof into[key] === "object" && value && typeof value === "object";
    if (both && Array.isArray(value) === Array.isArray(into[key])) merge(into[key], value);
    else into[key] = value;
  }
}

async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
}

const path = (d) => ({ width: 24, height: 24, path: d });
const TOOLS = ["toImage",
  { name: "table", title: "The numbers as a table", icon: path("M3 4h18v16H3zm2 2v3h14V6zm0 5v3h6v-3zm8 0v3h6v-3zm-8 5v2h6v-2zm8 0v2h6v-2z"), click: showTable },
  { name: "fullscreen", title: "Full screen", icon: path("M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z"),
    click: (box) => (document.fullscreenElement ? document.exitFullscreen() : box.requestFullscreen?.()) }];
if (!document.fullscreenEnabled) TOOLS.pop();    // on a phone of Apple's
const STILL = { displaylogo: false, modeBarButtons: [TOOLS] };
const ZOOMABLE = { displaylogo: false, modeBarButtons: [["zoom2d", "pan2d", "resetScale2d"], TOOLS] };

// Paper is narrower than the screen and nothing redraws for it: let the drawings scale.
function fitPaper() {
  const drawings = (act) => () => document.querySelectorAll("figure .main-svg").forEach(act);
  addEventListener("beforeprint", () => document.querySelectorAll("figure").forEach(({ chart }) => chart?.hurry?.()));
  addEventListener("beforeprint", () => document.documentElement.classList.toggle("lab-dark", isDark(document.body)));
  addEventListener("beforeprint", drawings((svg) => svg.setAttribute("viewBox", `0 0 ${svg.getAttribute("width")} ${svg.getAttribute("height")}`)));
  addEventListener("afterprint", drawings((svg) => svg.removeAttribute("viewBox")));
}
