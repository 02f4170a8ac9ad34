// Part of live.js, which starts it: on the stage (view=stage in the link) one picture of a lab fills the screen, with one or
// two controls, a sentence or the question; and the arrow keys walk a plan of prepared states.

// What a lab shows there is data, facts.stage.labs: slug -> [pictures, controls, control of the rows, {picture: its panels}].
const stage = {
  on: () => document.documentElement.classList.contains("stage"),
  slug: () => location.pathname.split("/").pop(),

  start({ css, labs }) {
    addStyle(css);
    Object.assign(stage, { labs, marks: addStyle(""), slots: new ResizeObserver(() => stage.on() && stage.redraw()) });
    let soon = 0;
    const later = () => (soon ||= setTimeout(() => ((soon = 0), stage.look()), 50));      // parts of a page come one by one
    const changes = { subtree: true, childList: true, attributeFilter: ["data-test-script-state"] };
    new MutationObserver((found) => (stage.on() || found.some(({ type }) => type === "attributes")) && later()).observe(document.body, changes);
    addEventListener("popstate", stage.look);
    addEventListener("resize", () => stage.on() && stage.redraw());
    addEventListener("click", ({ target }) => {
      const { go, view, step } = target.closest?.(".lab-corner button:not(:disabled)")?.dataset ?? {};
      if (step) stage.walk(step);
      else if (go) stage.go(go);
      else if (view) stage.toggle();
    });
    addEventListener("pointerup", () => (stage.on() || stage.corner()?.dataset.plan) && setTimeout(stage.letGo, 50));
    addEventListener("keydown", stage.press, true);
    setInterval(stage.clock, 1000);
    stage.look();
  },

  corner: () => document.querySelector(".lab-corner"),

  letGo: () => document.activeElement.matches("input[type=range]") && document.activeElement.blur(),      // arrows walk the plan

  go(link) {                                    // the history's own way: of what the link does not say the default stands
    const to = new URL(link, location), view = new URLSearchParams(location.search).get("view");
    if (view && !to.searchParams.has("view")) to.searchParams.set("view", view);
    if (to.searchParams.get("view") === "page") to.searchParams.delete("view");
    history.pushState({}, "", to.pathname + to.search);
    dispatchEvent(new PopStateEvent("popstate", { state: history.state }));
  },

  toggle() {
    const search = new URLSearchParams(location.search);
    search.set("view", stage.on() ? "page" : "stage");
    stage.go(`?${search}`);
  },

  press(event) {
    const { target, key, ctrlKey, metaKey, altKey, shiftKey, repeat, isComposing } = event;
    if (ctrlKey || metaKey || altKey || shiftKey || repeat || isComposing || !target.closest) return;
    if (target.closest("textarea, select, [contenteditable=true], dialog, [role=dialog], input:not([type=range], [type=radio], [type=checkbox])")) return;
    const walks = target.closest("input, [role=slider], [role=tab], [role=radio], [role=radiogroup], [role=combobox], [role=listbox], [role=grid]");
    if (/^(Arrow|Page)/.test(key) && walks) return;
    const step = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }[key];
    const button = step && document.querySelector(`.lab-corner [data-step="${step}"]`);
    const acts = walks && key === "Escape" && stage.on() ? () => (keepLit(null), target.blur())      // arrows walk the plan again
      : button ? () => stage.walk(step)
      : /^f$/i.test(key) && stage.labs[stage.slug()] ? stage.toggle
      : key === "Escape" && stage.on() && !document.fullscreenElement ? stage.toggle
      : key === "ArrowDown" && stage.on() && stage.rows() ? stage.next : null;
    if (!acts) return;
    event.preventDefault();
    event.stopPropagation();
    acts();
  },

  walk(step, tries = 100) {                     // a press that is ahead of the server waits until the last one has come
    const button = document.querySelector(`.lab-corner [data-step="${step}"]`), plan = (url) => new URL(url, location).searchParams.get("plan");
    if (!button?.dataset.go) return;
    if (plan(button.dataset.go) !== plan(location)) stage.go(button.dataset.go);
    else if (tries) setTimeout(stage.walk, 50, step, tries - 1);
  },

  rows() {                                      // the slider or field of the lab's rows
    const name = stage.labs[stage.slug()]?.[2];
    return name && document.querySelector(`.st-key-${css(`${stage.slug()}.${name}`)} input[type=range]`);
  },

  next() {
    const { value, min, max } = stage.rows(), name = `${stage.slug()}.${stage.labs[stage.slug()][2]}`;
    const search = new URLSearchParams(location.search);
    search.set(name, Number(value) >= Number(max) ? min : Number(value) + 1);
    stage.go(`?${search}`);
  },

  clock() {                                     // minutes since this plan was opened in this tab
    const clock = document.querySelector(".lab-corner output"), plan = stage.corner()?.dataset.plan;
    if (!clock || !plan) return;
    const [known, start] = JSON.parse(sessionStorage.getItem("labClock") ?? "[]");
    if (known !== plan) sessionStorage.setItem("labClock", JSON.stringify([plan, Date.now()]));
    const gone = `${known === plan ? Math.floor((Date.now() - start) / 60_000) : 0}`;
    if (clock.textContent !== gone) clock.textContent = gone;
  },

  look() {                                      // which parts of the page are kept, by their keys
    const slug = stage.slug(), lab = stage.labs[slug];
    const wanted = Boolean(lab) && new URLSearchParams(location.search).get("view") === "stage";
    const changed = wanted !== stage.on();
    document.documentElement.classList.toggle("stage", wanted);
    stage.clock();
    if (wanted) {
      const [pictures, controls] = lab, of = (name) => `.st-key-${css(`${slug}.${name}`)}`;
      const asked = stage.corner()?.dataset.look, card = new URLSearchParams(location.search).has(`${slug}.ask`);
      const picture = [...(asked ? [asked] : []), ...pictures].map((name) => of(`chart.${name}`)).find((one) => document.querySelector(one)) ?? ".lab-none";
      const held = card ? [] : controls.map(of).filter((one) => document.querySelector(one));
      const words = card ? ".st-key-ask_card" : ".st-key-notice";
      const kept = [picture, ...held, words, ".st-key-corner", "[data-testid=stAlert]"].join();
      const parts = ":is(.stElementContainer, .stVerticalBlock, .stLayoutWrapper, [data-testid=stHorizontalBlock], [data-testid=stColumn], [data-testid=stExpander], details)";
      const rules = `html.stage [data-testid=stMainBlockContainer] ${parts}:not(:is(${kept}), :has(${kept}), :is(${kept}) *) { display: none !important; }
        html.stage [data-testid=stMainBlockContainer] :has(${kept}):not(${kept}, :is(${kept}) *) { display: contents !important; }
        html.stage [data-testid=stMainBlockContainer] { --held: ${Math.max(1, held.length)}; }
        html.stage ${picture} { grid-area: 1 / 1 / 2 / -1; }
        html.stage ${words} { grid-area: 3 / 1 / 4 / -1; }
        ${held.length ? `html.stage :is(${held}) { grid-row: 2; }` : ""}`;
      if (stage.marks.textContent === rules && !changed) return;
      stage.marks.textContent = rules;
    }
    if (changed || wanted) stage.redraw();
  },

  redraw: () => document.querySelectorAll("figure").forEach(({ chart }) => chart?.mounted && chart.redraw()),

  slot: (box) => (stage.on() || placeOf(box) ? slotOf(box) : null),

  size(box) {                                   // of the place of a picture, as its name has it
    const slot = stage.slot(box);
    return slot ? [slot.clientWidth, slot.clientHeight, innerHeight] : "";
  },

  // The figure is laid out small and scaled up as a whole, so lines, margins, hover boxes and tools grow by one factor. Its
  // words have one size, which the factor makes a thirtieth of the window, and in another page what its width has room for;
  // numbers in cells are larger where there is room.
  fit(box, data, layout, template) {
    const slot = stage.slot(box);
    if (!slot) {
      if (box.dataset.stage) Object.assign(box.style, { width: "", transform: "" });
      delete box.dataset.stage;
      return;
    }
    if (stage.on()) stage.slots.observe(slot);
    box.dataset.stage = true;
    const panels = box.chart.facts.stage.labs[stage.slug()]?.[3]?.[slot.className.match(/-chart-([\w-]+)/)?.[1]];
    const words = stage.on() ? innerHeight / 30 : Math.min(14, Math.max(11.5, slot.clientWidth / 50));
    const factor = words / SMALLEST, play = layout.meta?.play ?? (stage.on() && box.chart.mounted.play);
    const player = play && !play.follow ? 40 * factor : 0;
    const [w, h] = [slot.clientWidth / factor, (slot.clientHeight - player) / factor];
    if (panels) onlyPanels(data, layout, panels);
    oneSize(data, layout, template);
    const cells = data.some(({ type, texttemplate }) => type === "heatmap" && texttemplate);
    const high = cells ? Math.min(h, 1.5 * layout.height) : h;          // a few cells need not fill the screen
    refit(layout, w, high);
    growNumbers(data, layout, w, high);
    layout.height = Math.floor(high);
    Object.assign(box.style, { width: `${Math.floor(w)}px`, transform: `scale(${factor})` });
  },
};
const SMALLEST = 12;
const pointed = (box, x, y) => {               // where the pointer is in a picture, in its own px: the stage has it scaled
  const { left, top, width } = box.getBoundingClientRect(), scale = width / box.offsetWidth || 1;
  return [(x - left) / scale, (y - top) / scale];
};
const css = (key) => key.replace(/[^\w-]/g, "-");

const drawn = (layout, letter) => Object.entries(layout).filter(([name, axis]) => name.startsWith(`${letter}axis`) && axis.domain);

function oneSize(data, layout, template) {
  const size = (font) => ({ ...font, size: Math.min(SMALLEST * 1.6, Math.max(SMALLEST, (font?.size ?? SMALLEST) > 18 ? font.size : 0)) });
  for (const part of [template.layout, layout]) {
    part.font = size(part.font);
    for (const one of [part.title, part.legend, ...Object.entries(part).filter(([name]) => /^([xy]|color)axis/.test(name)).flatMap(([, axis]) => [axis.title, axis.colorbar])]) {
      if (one && typeof one === "object") one.font = size(one.font);
    }
  }
  for (const [name, axis] of Object.entries(layout)) {
    if (/^[xy]axis/.test(name)) axis.tickfont = axis.exponentformat === "power" ? { ...axis.tickfont, size: SMALLEST * 1.15 } : size(axis.tickfont);
  }
  const larger = (text) => (typeof text === "string" ? text.replace(/font-size: ?(\d+)px/g, (_, px) => `font-size:${Math.max(px, SMALLEST)}px`) : text);
  for (const one of layout.annotations ?? []) Object.assign(one, { font: size(one.font), text: larger(one.text) });
  for (const trace of data) for (const name of ["textfont", "insidetextfont", "outsidetextfont"]) if (trace[name]) trace[name] = size(trace[name]);
  for (const trace of data) {
    if (Array.isArray(trace.text)) trace.text = trace.text.map((text) => (Array.isArray(text) ? text.map(larger) : larger(text)));
    if (trace.marker?.size > 20) trace.marker.size *= 0.85;
  }
}

// Several drawings in one figure: the room between them (titles, names) shrinks as the words do, the drawings share the rest.
function refit(layout, w, h) {
  const shrink = SMALLEST / 15, before = { w: 900, h: layout.height };
  const margin = { l: 8, r: 8, t: 40, b: 8, ...layout.margin };
  const less = (side) => Math.round(margin[side] * shrink);
  layout.margin = { ...margin, l: less("l"), r: less("r"), t: less("t"), b: less("b") };
  const map = (letter, from, to) => {
    const parts = [];
    for (const [, { domain: [start, end] }] of drawn(layout, letter).toSorted(([, a], [, b]) => a.domain[0] - b.domain[0])) {
      if (parts.length && start < parts.at(-1)[1] - 1e-3) parts.at(-1)[1] = Math.max(parts.at(-1)[1], end);
      else parts.push([start, end]);
    }
    if (parts.length < 2) return (v) => v;
    const share = parts.reduce((sum, [start, end]) => sum + end - start, 0);
    const gaps = (1 - share) * from * shrink, stretch = Math.max(0.2, to - gaps) / (share * from);
    const points = [[0, 0]];
    let at = 0, last = 0;
    for (const [start, end] of parts) {
      at += (start - last) * from * shrink;
      points.push([start, at]);
      at += (end - start) * from * stretch;
      points.push([end, at]);
      last = end;
    }
    points.push([1, at + (1 - last) * from * shrink]);
    const whole = points.at(-1)[1];
    return (v) => {
      if (v <= 0 || v >= 1) return v;
      const i = Math.max(1, points.findIndex(([start]) => start >= v)), [x0, y0] = points[i - 1], [x1, y1] = points[i];
      return (x1 === x0 ? y1 : y0 + ((v - x0) / (x1 - x0)) * (y1 - y0)) / whole;
    };
  };
  const x = map("x", before.w - margin.l - margin.r, w - layout.margin.l - layout.margin.r);
  const y = map("y", before.h - margin.t - margin.b, h - layout.margin.t - layout.margin.b);
  for (const letter of ["x", "y"]) for (const [, axis] of drawn(layout, letter)) axis.domain = axis.domain.map(letter === "x" ? x : y);
  for (const one of [...(layout.annotations ?? []), ...(layout.shapes ?? [])]) {
    for (const k of ["x", "x0", "x1"]) if (one.xref === "paper" && k in one) one[k] = x(one[k]);
    for (const k of ["y", "y0", "y1"]) if (one.yref === "paper" && k in one) one[k] = y(one[k]);
    for (const k of one.axref ? [] : ["xshift", "yshift", "ax", "ay"]) if (one[k]) one[k] *= shrink;
  }
}

// Some matrices only, by their numbers, line by line; each line takes as much height as its rows need.
function onlyPanels(data, layout, wanted) {
  const axis = (letter, i) => layout[`${letter}axis${i ? i + 1 : ""}`], span = ({ range: [a, b] }) => Math.abs(b - a);
  const lines = wanted.map((line) => line.filter((i) => axis("x", i))).filter((line) => line.length), kept = lines.flat();
  if (!kept.length) return;
  const { l = 8, r = 8, t = 40, b = 8 } = layout.margin, width = 900 - l - r, cell = 40;
  const rows = lines.map((line) => Math.max(...line.map((i) => span(axis("y", i)))));
  const height = rows.reduce((sum, n) => sum + n * cell + t, -t), places = {};
  let top = 0;
  lines.forEach((line, k) => {
    const unit = (1 - ((l + 22) * (line.length - 1)) / width) / line.reduce((sum, i) => sum + span(axis("x", i)), 0);
    let left = 0;
    for (const i of line) {
      places[i] = [left, 1 - top / height];
      axis("x", i).domain = [left, Math.min(1, left + span(axis("x", i)) * unit)];
      axis("y", i).domain = [Math.max(0, 1 - (top + span(axis("y", i)) * cell) / height), 1 - top / height];
      left += span(axis("x", i)) * unit + (l + 22) / width;
    }
    top += rows[k] * cell + t;
  });
  const of = (ref) => Number(ref?.match(/^[xy](\d*)/)?.[1] || 1) - 1, here = (ref) => ref === "paper" || kept.includes(of(ref));
  data.splice(0, data.length, ...data.filter(({ xaxis }) => here(xaxis)));
  layout.shapes = (layout.shapes ?? []).filter(({ xref }) => here(xref));
  layout.annotations = kept.map((i) => ({ ...layout.annotations[i], x: places[i][0], y: places[i][1], xanchor: "left" }));
  for (const name of Object.keys(layout)) if (/^[xy]axis/.test(name) && !kept.includes(Number(name.slice(5) || 1) - 1)) delete layout[name];
  layout.height = height + t + b;
}

// Numbers in cells take the room their cells have; no smaller than the other words where they fit at all.
function growNumbers(data, layout, w, h) {
  const { l, r, t, b } = layout.margin;
  for (const trace of data) {
    if (trace.type !== "heatmap" || !trace.texttemplate || !Array.isArray(trace.z)) continue;
    const n = (trace.xaxis ?? "x").slice(1), [x, y] = [layout[`xaxis${n}`], layout[`yaxis${n}`]];
    const share = ({ domain = [0, 1] }) => domain[1] - domain[0];
    const wide = (share(x) * (w - l - r)) / trace.z[0].length, high = (share(y) * (h - t - b)) / trace.z.length;
    const longest = Math.max(1, ...trace.text.flat().map((text) => Math.max(...String(text).split("<br>").map((line) => line.replace(/<[^>]*>/g, "").length))));
    trace.textfont = { ...trace.textfont, size: Math.min(2 * SMALLEST, Math.max(SMALLEST, Math.min(0.5 * high, (0.92 * wide) / (0.53 * longest)))) };
  }
}
