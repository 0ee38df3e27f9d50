import { h, replace } from "./dom.js";

/** A modal dialog; `build(close)` makes its content. Resolves with what `close` was given, null if it was dismissed. */
export function open(title, build, { wide = false } = {}) {
  return new Promise((resolve) => {
    const before = document.activeElement;
    const dialog = h("dialog", { class: wide ? "wide" : "", "aria-labelledby": "dialog-title" });
    let answer = null;
    const close = (value) => {
      answer = value;
      dialog.close();
    };
    const dismiss = h("button", { type: "button", class: "quiet icon", "aria-label": "Close", onclick: () => close(null) }, "✕");
    replace(dialog, h("div", { class: "dialog-head" }, [h("h2", { id: "dialog-title" }, title), dismiss]), build(close));
    dialog.addEventListener("close", () => {
      dialog.remove();
      before?.focus?.();
      resolve(answer);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

const MEANING = {
  evictions: "Units that have the new tracker now would lose it: what they send after that reaches the old logger only.",
  neither: "Some units would be left without a sink: their events are dropped, for good.",
  reshuffle: "The salt changes: every unit falls into another bucket, and has other sinks than before.",
  parity: "The parity gate does not allow this raise: too many pairs differ, or too few were seen.",
};

/** Asks for the word that the command wants as a flag. Resolves with whether it was typed. */
export function askForWord(word, message) {
  return open("This needs your word", (close) => {
    const button = h("button", { type: "submit", class: "danger", disabled: true }, "Do it");
    const input = h("input", {
      id: "word", autofocus: true, autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-describedby": "word-help",
      oninput: () => (button.disabled = input.value.trim() !== word),
    });
    return h("form", { onsubmit: (event) => { event.preventDefault(); if (!button.disabled) close(true); } }, [
      h("p", { class: "stop", text: message ?? "" }),
      h("p", { id: "word-help" }, [MEANING[word] ?? "The command would ask for a flag here.", ` On the command line this is ${flagOf(word)}.`]),
      h("label", { for: "word" }, ["Type ", h("code", {}, word), " to go on"]),
      input,
      h("div", { class: "buttons" }, [h("button", { type: "button", onclick: () => close(null) }, "Leave everything as it is"), button]),
    ]);
  });
}

const flagOf = (word) => ({ parity: "a plan without --parity" })[word] ?? `--allow-${word}`;

let timer;
/** A line at the foot of the page, read out, gone after a while. */
export function notice(text, kind = "") {
  const line = h("div", { class: `notice ${kind}`, text });
  replace(document.getElementById("notices"), line);
  clearTimeout(timer);
  timer = setTimeout(() => line.remove(), kind === "bad" ? 12_000 : 6_000);
}

export const complain = (error) => notice(error.help ? `${error.message}. ${error.help}` : error.message, "bad");
