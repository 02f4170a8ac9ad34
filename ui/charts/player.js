// Lets traces grow point by point without asking the server; appended to live.js. All players of a page stand at one
// step, so that charts move together; one that says `follow` leaves the bar to another.
const players = new Set();
const place = {};                               // at: the step shown; given, told: the last one from and to the server

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
  cut(data, { traces, steps, step = steps, follow = false }) {
    Object.assign(this, { traces, steps });
    this.whole = traces.map((i) => ({ x: data[i].x, y: data[i].y }));
    this.bar.hidden = follow;
    this.range.max = steps;
    if (step !== place.given && place.told === null && !this.timer) place.at = step;
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
    if (!this.timer) this.later = setTimeout(() => this.tell(), 250);
  }

  show() {
    this.number();
    const parts = this.whole.map((_, k) => this.part(k));
    const of = (name) => parts.map((part) => part[name]);
    this.chart.plotly.restyle(this.chart.box, { x: of("x"), y: of("y") }, this.traces);
  }

  tell() {
    if (!this.chart.clickable || place.at === (place.told ?? place.given)) return;
    place.told = place.at;
    this.chart.trigger("clicked", { step: place.at });
  }

  play() {
    this.button.textContent = "Pause";
    this.timer = setInterval(() => (place.at < this.steps ? this.seek(place.at + 1) : this.stop()), 90);
    this.seek(place.at < this.steps ? place.at : 0);
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
