import { h, replace } from "./dom.js";

/**
 * A modal dialog; `build(close)` makes its content. Resolves with the value given to `close`, or null if dismissed.
 * The browser gives the focus back when it closes, before anything else happens.
 * The element with `data-first` gets the focus, without scrolling the title away.
 */
export function open(title, build, { wide = false, middle = false } = {}) {
  return new Promise((resolve) => {
    const dialog = h("dialog", { class: wide ? "wide" : middle ? "middle" : "", "aria-labelledby": "dialog-title" });
    const opener = document.activeElement?.id;
    let answer = null;
    const close = (value) => {
      answer = value;
      dialog.close();
    };
    const dismiss = h("button", { type: "button", class: "quiet icon", "aria-label": "Close", onclick: () => close(null) }, "✕");
    replace(dialog, h("div", { class: "dialog-head" }, [h("h2", { id: "dialog-title" }, title), dismiss]), build(close));
    dialog.addEventListener("close", () => {
      dialog.remove();
      // What opened it can have been drawn again.
      if (document.activeElement === document.body) (document.getElementById(opener) ?? document.getElementById("room")).focus({ preventScroll: true });
      resolve(answer);
    });
    document.body.append(dialog);
    dialog.showModal();
    dialog.querySelector("[data-first]")?.focus({ preventScroll: true });
    dialog.scrollTop = 0;
  });
}

let timer;
/** A temporary message at the bottom of the page; `action` is `{label, run}`. */
export function notice(text, kind = "", action = null) {
  const line = h("div", { class: `notice ${kind}`, text });
  if (action) line.append(h("button", { type: "button", class: "small", onclick: () => { line.remove(); action.run(); } }, action.label));
  replace(document.getElementById("notices"), line);
  clearTimeout(timer);
  timer = setTimeout(() => line.remove(), kind === "bad" || action ? 12_000 : 6_000);
}

export const complain = (error) => notice(error.help ? `${error.message}. ${error.help}` : error.message, "bad");
