// Two hands at one text: what the other one wrote, what differs, and whose text goes on.
import { open } from "./dialog.js";
import { h } from "./dom.js";
import { difference } from "./rollout-history.js";

/** `current` is the server's `{text, tag, difference}`. Resolves to `theirs`, `mine`, or null where neither was chosen. */
export const settleConflict = (message, current) =>
  open("Somebody else has changed this text", (close) => [
    h("p", {}, `Nothing was written: ${message}. Removed lines are theirs, added ones yours.`),
    difference(current.difference ?? []),
    h("div", { class: "buttons" }, [
      h("button", { type: "button", onclick: () => close("theirs") }, "Take their text"),
      h("button", { type: "button", class: "primary", "data-first": true, onclick: () => close("mine") }, "Go on with mine"),
    ]),
  ], { wide: true });
