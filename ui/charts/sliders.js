// Part of live.js, which starts all: stock sliders act while they are dragged, and the link keeps up.

// When the server may be asked again: sliders and hands share it, so that no run overtakes another.
const pace = {
  begun: true,                                  // the run that was asked for last: the app says so, or a figure has come
  last: 0,
  script: () => document.querySelector("[data-testid=stApp]")?.dataset.testScriptState,
  free: () => pace.script() === "notRunning" && performance.now() > pace.last + (pace.begun ? 60 : 500),
  asked: () => Object.assign(pace, { begun: false, last: performance.now() }),
  watch: () => new MutationObserver(() => (pace.begun = true))
    .observe(document, { subtree: true, attributeFilter: ["data-test-script-state"] }),
};
let held = null;                                // the slider under the pointer while that is down

// st.slider (React Aria) commits when its drag ends, which it hears as an event on window. While the pointer moves we end
// the drag and take it up again at once: at most every 60 ms, and only when the run before has ended, because runs
// that interrupt each other never reach the screen. Held keys wait for the same reason. Should Streamlit handle sliders
// another way one day, a drag is lost at most once, and sliders act on release.
// Gives what lets go of a thumb that Streamlit still holds.
function followDrag() {
  const sliderOf = (event) => event.target.closest?.("[data-testid=stSlider]");
  const values = () => Array.from(held.querySelectorAll("input"), (input) => input.value).join();
  let works = true, renewed = false, sent = "", timer = 0, at = null, moved = 0;

  const commit = () => {                        // after a move, which the slider hears of later than we do
    timer = 0;
    if (!held?.isConnected) return;             // let go, or the page changed under the pointer
    if (!pace.free()) {
      timer = setTimeout(commit, 8);
      return;
    }
    const thumb = held.querySelector("[data-dragging]");
    if (!thumb) {
      if (renewed) works = held = null;
      return;
    }
    if (values() === sent) {
      if (performance.now() < moved + 150) timer = setTimeout(commit, 30);
      return;
    }
    sent = values();
    window.dispatchEvent(new PointerEvent("mouseup", at));
    thumb.dispatchEvent(new PointerEvent("pointerdown", at));
    renewed = true;
    pace.asked();
    timer = setTimeout(commit, 8);              // where it stands by then
  };
  const listen = (type, act) => addEventListener(type, (event) => event.isTrusted && act(event), true);
  listen("pointerdown", (event) => {
    [held, renewed] = [works && sliderOf(event), false];
    if (held) sent = values();
  });
  listen("pointermove", ({ buttons, pointerId, pointerType, clientX, clientY }) => {
    if (!buttons) held = null;                  // let go outside the window
    if (!held) return;
    at = { bubbles: true, cancelable: true, buttons: 1, pointerId, pointerType, clientX, clientY };
    moved = performance.now();
    timer ||= setTimeout(commit, 0);
  });
  listen("pointerup", () => (held = null));
  listen("pointercancel", () => (held = null));
  addEventListener("click", ({ target }) => target.closest?.("a[href]") && (held = null), true);     // to another page
  listen("keydown", (event) => {
    if (!sliderOf(event) || !pace.script()) return;
    if (!event.repeat || pace.free()) return pace.asked();
    event.preventDefault();
    event.stopPropagation();
  });
  return () => {
    const thumb = !held && document.querySelector("[data-testid=stSlider] [data-dragging]");
    const at = { bubbles: true, cancelable: true, buttons: 1, pointerId: 1, pointerType: "mouse" };
    if (thumb) [thumb, window].forEach((target, up) => target.dispatchEvent(new PointerEvent(up ? "pointerup" : "pointerdown", at)));
  };
}

// While the net or the server is away a slider that is let go commits nothing, what was moved before may be lost, and a new
// server knows nothing of the page. Once it is there again all that is asked for; Streamlit does so only in a run.
function catchUp(letGo) {
  let away = false;
  const again = () => {
    letGo();
    document.querySelector("figure")?.chart?.trigger("again", true);
  };
  new MutationObserver(() => {
    const connected = document.querySelector("[data-testid=stApp]")?.dataset.testConnectionState === "CONNECTED";
    if (connected && away) setTimeout(again, 100);       // its controls have woken by then
    away = !connected;
  }).observe(document, { subtree: true, attributeFilter: ["data-test-connection-state"] });
}

// A button may change controls that Streamlit does not write into the address by itself: new ones, and ones that went.
function setAddress({ query }) {
  const wanted = query ? `?${query}` : "";
  if (location.search !== wanted) history.replaceState(history.state, "", location.pathname + wanted);
}
