// Part of live.js, which starts it: letters press buttons, by the key of the button in Python. st.button(shortcut=…) is
// deaf while a slider or a radio has the focus (both are <input>), and takes Space from a focused button.
function pressKeys(buttons) {
  const FIELDS = "textarea, select, [contenteditable=true], dialog, input:not([type=range], [type=radio], [type=checkbox])";
  const SPACE = "button, a, summary, input[type=radio]:not(:checked), input[type=checkbox], [role=tab], [role=combobox]";
  addEventListener("keydown", (event) => {
    const { target, key, ctrlKey, metaKey, altKey, repeat, isComposing } = event;
    const name = buttons[key.toLowerCase()];
    if (!name || ctrlKey || metaKey || altKey || repeat || isComposing || !target.closest) return;
    if (target.closest(FIELDS) || (key === " " && target.closest(SPACE))) return;
    const button = document.querySelector(`[class*="st-key-${name}"] button:not(:disabled)`);
    if (!button) return;
    event.preventDefault();
    event.stopPropagation();
    button.click();
  }, true);
}
