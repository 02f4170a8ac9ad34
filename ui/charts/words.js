// Part of live.js, which starts it: the field's words in a lab's sentences are dotted and told on hover or tap. The page
// itself is left alone: the browser paints over ranges of its text, so that nothing moves and React finds what it wrote.
function markWords(glossary) {
  if (!window.Highlight || !CSS.highlights) return;
  const painted = new Highlight(), entries = new Map();
  CSS.highlights.set("lab-words", painted);
  for (const entry of glossary) for (const form of entry.forms) entries.set(form, entry);
  const forms = [...entries.keys()].sort((a, b) => b.length - a.length).map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${forms.join("|")})(?![\\p{L}\\p{N}_-])`, "gu");
  const TEXT = "[data-testid=stMain] [data-testid=stMarkdown] :is(p, li)", NOT = ".katex, a, code, button, label, [data-testid=stCaptionContainer], .st-key-panel";
  let spots = [], due = 0;
  const mark = () => {
    due = 0;
    spots = [];
    painted.clear();
    const seen = new Set();
    for (const box of document.querySelectorAll(TEXT)) {
      if (box.closest(NOT) || !box.checkVisibility()) continue;
      const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const node = texts.currentNode;
        if (node.parentElement.closest(NOT)) continue;
        for (const { 0: form, index } of node.data.matchAll(pattern)) {
          const entry = entries.get(form);
          if (seen.has(entry)) continue;
          seen.add(entry);
          const range = new StaticRange({ startContainer: node, startOffset: index, endContainer: node, endOffset: index + form.length });
          painted.add(range);
          spots.push({ range, entry });
        }
      }
    }
  };
  const soon = () => (due ||= requestAnimationFrame(mark));
  const said = ({ target }) => (target.nodeType === 3 ? target.parentElement : target)?.closest?.("[data-testid=stMarkdown], [data-testid=stVerticalBlock]");
  new MutationObserver((all) => all.some((one) => said(one) && !one.target.closest?.("figure")) && soon())
    .observe(document.body, { childList: true, subtree: true, characterData: true });
  const tip = Object.assign(document.createElement("div"), { className: "lab-tip", hidden: true, role: "status" });
  document.body.appendChild(tip);
  const at = ({ target, clientX: x, clientY: y }) => {
    if (!target.closest?.(TEXT)) return null;
    for (const { range, entry } of spots) {
      const live = document.createRange();
      live.setStart(range.startContainer, Math.min(range.startOffset, range.startContainer.length));
      live.setEnd(range.endContainer, Math.min(range.endOffset, range.endContainer.length));
      for (const box of live.getClientRects()) if (x >= box.left && x <= box.right && y >= box.top && y <= box.bottom) return { entry, box };
    }
    return null;
  };
  const tell = (event) => {
    const hit = at(event);
    tip.hidden = !hit;
    if (!hit) return;
    tip.textContent = hit.entry.meaning;
    tip.style.left = `${Math.max(8, Math.min(hit.box.left, innerWidth - tip.offsetWidth - 8))}px`;
    const over = hit.box.top - tip.offsetHeight - 6;
    tip.style.top = `${over > 60 ? over : hit.box.bottom + 6}px`;
  };
  addEventListener("pointermove", (event) => event.pointerType !== "touch" && !event.buttons && tell(event));
  addEventListener("click", tell);
  addEventListener("scroll", () => (tip.hidden = true), true);
  addEventListener("keydown", ({ key }) => key === "Escape" && (tip.hidden = true));
  soon();
}
