// Part of live.js, which starts it: one gesture (drag, preset, click, edit, burst of keys) is one entry of the history.

// Streamlit 1.67 writes the address in three places: replaceState for a bound widget a visitor moved (so a drag leaves no
// entry), pushState for every parameter a script changes (so a preset of three leaves three, and leaving a page leaves
// the bare address), pushState for another page. Here the first change after a gesture began is pushed, all others
// replace it. Browsers refuse more than 100 to 200 changes in 10 s; the newest address is then written later. A server
// that started anew does not know the settings of a page that is left by a link: here they do not go along to the next.
function keepHistory(pause = 1000) {
  const [push, replace] = ["pushState", "replaceState"].map((name) => history[name].bind(history));
  const trail = JSON.parse(sessionStorage.getItem("labTrail") ?? "[]");      // the page of each entry, by its place
  let fresh = false, later = 0, burst = {}, leaving = false;
  const here = () => history.state?.labPlace ?? 0;
  const note = (place) => {
    trail[place] = location.pathname;
    sessionStorage.setItem("labTrail", JSON.stringify(trail));
  };
  const write = (state, unused, url) => {
    clearTimeout(later);
    const wanted = new URL(url ?? "", location), page = location.pathname;
    const next = wanted.pathname !== page;
    if (leaving && !next && wanted.search.length < location.search.length) return;       // the page that is left, bare
    if (leaving && next) wanted.search = embedding(wanted.search);
    if (next) [fresh, leaving] = [true, false];
    if (wanted.href === location.href) return;
    const place = here() + fresh;
    try {
      (fresh ? push : replace)({ ...state, labPlace: place }, unused, wanted.href);
      if (fresh) trail.length = place;          // what was ahead is gone
      fresh = false;
      note(place);
    } catch (error) {
      if (error.name !== "SecurityError" || wanted.origin !== location.origin) throw error;
    }
    if (location.href !== wanted.href) later = setTimeout(() => location.pathname === page && write(state, unused, wanted.href), 1000);
  };
  history.pushState = history.replaceState = write;
  note(here());

  const go = (step) => trail[here() + step] === location.pathname && history.go(step);      // never out of the lab
  const undo = (quiet) => {                     // once the edit that the press has ended is in the address
    const ended = document.querySelector("[data-testid=stApp]").dataset.testScriptState === "notRunning";
    if (quiet > 2) go(-1);
    else setTimeout(undo, 40, ended ? quiet + 1 : 0);
  };
  const begin = () => ([fresh, burst, leaving] = [true, {}, false]);
  const listen = (type, act) => addEventListener(type, (event) => event.isTrusted && act(event), true);
  const TEXT = "textarea, input:not([type=range], [type=checkbox], [type=radio])";
  let edited = false;                           // a press outside a field ends its edit first, then acts: two gestures
  listen("pointerdown", () => (begin(), (edited = false)));
  listen("focusout", ({ target }) => (edited ||= Boolean(target.matches?.(TEXT))));
  listen("click", () => edited && (begin(), (edited = false)));
  listen("keydown", (event) => {
    const { target, key, ctrlKey, metaKey, altKey, shiftKey, repeat, timeStamp } = event;
    const goes = target.matches?.("input[type=range], input[type=number], [role=slider]") && /^(Arrow|Page|Home|End)/.test(key);
    const same = repeat || (goes && burst.target === target && timeStamp - burst.at < pause);
    if (!same) begin();
    burst = { target, at: timeStamp };
    const letter = (ctrlKey || metaKey) && !altKey && key.toLowerCase();
    if (!"zy".includes(letter || "-") || target.matches?.(TEXT)) return;
    event.preventDefault();
    go(letter === "y" || shiftKey ? 1 : -1);
  });
  addEventListener("click", (event) => {        // the button is the framework's, but what it does is done here
    if (!event.target.closest?.(".st-key-undo button")) return;
    event.preventDefault();
    event.stopPropagation();
    undo(0);
  }, true);
  listen("popstate", () => ([fresh, burst] = [false, {}]));
  addEventListener("click", ({ target }) => {
    const link = target.closest?.("a[href]");
    leaving ||= Boolean(link && !link.target && link.pathname !== location.pathname);
  }, true);
}

function embedding(search) {
  const kept = new URLSearchParams([...new URLSearchParams(search)].filter(([name]) => /^(embed.*|view|plan)$/.test(name)));
  return kept.size ? `?${kept}` : "";
}
