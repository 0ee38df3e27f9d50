// The dialog for an edit of a text that has changed meanwhile.
import { open } from "./dialog.js";
import { h } from "./dom.js";
import { difference } from "./rollout-history.js";

/** `current` is the server's `{text, tag, difference}`. Resolves to `theirs`, `mine`, or null if dismissed. */
export const settleConflict = (message, current) =>
  open("The text has changed since this edit began", (close) => [
    h("p", {}, `Nothing was written: ${message}. Removed lines are in the current text, added lines are yours.`),
    difference(current.difference ?? []),
    h("div", { class: "buttons" }, [
      h("button", { type: "button", onclick: () => close("theirs") }, "Take the new text"),
      h("button", { type: "button", class: "primary", "data-first": true, onclick: () => close("mine") }, "Keep my text"),
    ]),
  ], { wide: true });
