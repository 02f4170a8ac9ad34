// Part of live.js, which starts it: what a drag has made taller stays so until something other than a slider is touched,
// so that nothing under it jumps to and fro. A formula that nearly fills its line has room for the next one from the start.
function keepRoom() {
  const WHERE = "[data-testid=stColumn]:not(:has(.st-key-panel)) :is([data-testid=stElementContainer]:has(> [data-testid=stMarkdown]), [class*='-chart-'])";
  const LINE = 28;                              // px that a formula grows by where its result goes on in the next line
  const most = new Map();
  let dragged = false;
  const grown = new ResizeObserver((seen) => seen.forEach(({ target }) => {
    const { offsetHeight: now } = target;
    if (!target.isConnected || now <= (most.get(target) ?? 0)) return;
    most.set(target, now);
    if (dragged) target.style.minHeight = `${now}px`;
  }));
  const free = () => {
    most.forEach((_, element) => (element.style.minHeight = ""));
    most.clear();
    grown.disconnect();
  };
  const hold = (event) => {
    const on = event.isTrusted && event.target.closest?.("[data-testid=stSlider]");
    if (!event.isTrusted || (on && dragged)) return;
    free();
    dragged = Boolean(on);
    if (!dragged) return;
    document.querySelectorAll(WHERE).forEach((element) => {
      most.set(element, element.offsetHeight);
      element.style.minHeight = `${element.offsetHeight}px`;
      grown.observe(element);
    });
  };
  const reserve = () => !dragged && document.querySelectorAll(".katex-display").forEach((formula) => {
    const pieces = [...formula.querySelectorAll(".katex-html > .base")];
    const filled = pieces.reduce((sum, piece) => sum + piece.offsetWidth, 0) / formula.clientWidth;
    const room = formula.closest("[data-testid=stMarkdown]");
    if (!room) return;
    room.style.minHeight = "";
    if (filled > 0.85 && filled <= 1) room.style.minHeight = `${room.offsetHeight + LINE}px`;
  });
  new ResizeObserver(reserve).observe(document.querySelector("[data-testid=stMainBlockContainer]"));
  addEventListener("pointerdown", hold, true);
  addEventListener("keydown", (event) => event.key !== "Tab" && hold(event), true);
}
