// Part of live.js, which starts it: what a change has come to is said once to those who do not see it, when the page has
// been still for a while: the question or its verdict, and the first picture's sentence.
function tellChanges(pause = 1000) {
  const region = document.body.appendChild(Object.assign(document.createElement("div"), { className: "lab-told", role: "status" }));
  const words = (css) => [...document.querySelectorAll(css)].map(({ textContent }) => textContent.trim()).filter(Boolean);
  const now = () => {
    const picture = document.querySelector("figure .main-svg")?.getAttribute("aria-label");
    return [...words("h1"), ...words(".st-key-ask_card [data-testid=stMarkdown]"), ...(picture ? [picture] : [])];
  };
  let known = null, later = 0;
  const drawn = () => [...document.querySelectorAll("figure")].every(({ chart, dataset }) => chart?.drawn || dataset.error);
  const look = () => {
    if (!known && !drawn()) {                   // what there is at first is not told
      later = setTimeout(look, pause);
      return;
    }
    const all = now(), fresh = known && all.filter((one) => !known.includes(one));
    known = all;
    if (fresh?.length) region.textContent = fresh.join(". ").replace(/([.?!])\. /g, "$1 ");
    document.querySelectorAll(".katex-display").forEach((formula) => {       // one that scrolls can be scrolled by keys
      const wide = formula.scrollWidth > formula.clientWidth + 1;
      if (wide) Object.assign(formula, { tabIndex: 0, role: "group", ariaLabel: "Formula" });
      else ["tabindex", "role", "aria-label"].forEach((name) => formula.removeAttribute(name));
    });
  };
  const twice = () => {                         // a busy machine may draw what it was told later
    look();
    if (known) later = setTimeout(look, 3 * pause);
  };
  const wait = () => {
    clearTimeout(later);
    if (document.querySelector("[data-testid=stApp]")?.dataset.testScriptState === "notRunning") later = setTimeout(twice, pause);
  };
  new MutationObserver(wait).observe(document, { subtree: true, attributeFilter: ["data-test-script-state"] });
  addEventListener("resize", wait);
  ["pointerdown", "keydown"].forEach((type) => addEventListener(type, () => (known ??= now()), true));       // a quick hand
  wait();
}

// A finger that comes down on a slider's track may want to scroll the page: the slider hears of it once it moves sideways.
// A tap it hears as the click of a mouse that follows.
function waitForFinger() {
  let held = null;
  const listen = (type, act) => addEventListener(type, (event) => event.isTrusted && act(event), true);
  const track = ({ target }) => {
    const on = target.closest?.("[data-testid=stSlider] [style*='touch-action']");
    return on && !on.parentElement.closest("[style*='touch-action']") ? on : null;       // the thumb has one around it
  };
  listen("pointerdown", (event) => {
    held = event.pointerType === "touch" && track(event) ? event : null;
    if (held) event.stopPropagation();
  });
  listen("touchstart", (event) => track(event) && event.stopPropagation());
  listen("pointermove", ({ pointerId, clientX, clientY }) => {
    if (!held || pointerId !== held.pointerId || Math.abs(clientX - held.clientX) < 6) return;
    const at = { bubbles: true, cancelable: true, buttons: 1, pointerId, pointerType: "touch", clientX, clientY };
    held.target.dispatchEvent(new PointerEvent("pointerdown", at));
    held = null;
  });
  ["pointerup", "pointercancel"].forEach((type) => listen(type, () => (held = null)));
}
