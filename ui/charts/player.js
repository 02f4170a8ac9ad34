// Plays a picture step by step; appended to live.js. Traces grow point by point without asking the server; where a player
// names none, it steps a control and the server draws, as fast as it answers. All players of a page stand at one step, so
// that charts move together; one that says `follow` leaves the bar to another.
const players = new Set();
const place = {};                               // at: the step shown; given, told: the last one from and to the server
const PATIENCE = 3000;                          // ms until a step that the server does not show is passed over

class Player {
  constructor(chart) {
    if (!players.size) Object.assign(place, { at: null, given: null, told: null });
    players.add(this);
    this.chart = chart;
    this.bar = chart.box.parentElement.querySelector(".lab-player");
    [this.button, this.range, this.label] = this.bar.children;
    this.button.onclick = () => (this.timer ? this.stop() : this.play());
    this.range.oninput = () => {
      const step = Number(this.range.value);
      this.stop();
      this.seek(step);
    };
  }

  // Cuts the traces of a figure that is about to be drawn, and keeps them whole for other steps.
  cut(data, { traces = [], steps, step = steps, first = 0, every = 90, follow = false }) {
    Object.assign(this, { traces, steps, first, every, asks: !traces.length });
    this.whole = traces.map((i) => ({ x: data[i].x, y: data[i].y }));
    this.bar.hidden = follow;
    Object.assign(this.range, { min: first, max: steps });
    if (step !== place.given && place.told === null && (!this.timer || this.asks)) place.at = step;
    if (step === place.told) place.told = null;
    place.given = step;
    this.number();
    traces.forEach((i, k) => Object.assign(data[i], this.part(k)));
  }

  part(k) {
    const { x, y } = this.whole[k];
    return { x: x.slice(0, place.at + 1), y: y.slice(0, place.at + 1) };
  }

  number() {
    this.range.value = place.at;
    this.label.textContent = `step ${place.at}`;
    this.range.setAttribute("aria-valuetext", this.label.textContent);
  }

  seek(step) {
    place.at = step;
    players.forEach((player) => player.show());
    clearTimeout(this.later);                   // the server hears where it came to rest, not of every step
    if (!this.timer) this.later = setTimeout(() => this.tell(), this.asks ? 60 : 250);
    else if (this.asks) this.tell();
  }

  show() {
    this.number();
    if (this.asks) return;
    const parts = this.whole.map((_, k) => this.part(k));
    const of = (name) => parts.map((part) => part[name]);
    this.chart.plotly.restyle(this.chart.box, { x: of("x"), y: of("y") }, this.traces);
  }

  tell() {
    if (!(this.asks || this.chart.clickable) || place.at === (place.told ?? place.given)) return;
    Object.assign(place, { told: place.at, since: performance.now() });
    if (this.asks) pace.asked();
    this.chart.trigger("clicked", { step: place.at });
  }

  play() {
    this.button.textContent = "Pause";
    this.timer = setInterval(() => this.tick(), this.every);
    this.seek(place.at < this.steps ? place.at : this.first);
  }

  tick() {
    const waits = this.asks && ((place.told !== null && performance.now() < place.since + PATIENCE) || !pace.free());
    if (waits) return;
    if (this.asks) place.told = null;
    if (place.at < this.steps) this.seek(place.at + 1);
    else this.stop();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    this.button.textContent = "Play";
    this.seek(place.at);
  }

  close() {
    clearInterval(this.timer);
    clearTimeout(this.later);
    this.bar.hidden = true;
    players.delete(this);
  }
}
