import { post } from "./api.js";
import { complain, notice, open } from "./dialog.js";
import { h, visible } from "./dom.js";
import { difference } from "./difference.js";
import { askForWord } from "./rollout-words.js";

let under = Promise.resolve();
/** Resolves when no publication of this page is pending: the stream may report it before the answer arrives. */
export const settled = () => under;

/** The dialog for an edit of a text that has changed meanwhile. `current` is the server's `{text, tag, difference}`. Resolves to `theirs`, `mine`, or null if dismissed. */
const settleConflict = (message, current) =>
  open("The text has changed since this edit began", (close) => [
    h("p", {}, `Nothing was written: ${message}. Removed lines are in the current text, added lines are yours.`),
    difference(current.difference ?? []),
    h("div", { class: "buttons" }, [
      h("button", { type: "button", onclick: () => close("theirs") }, "Take the new text"),
      h("button", { type: "button", class: "primary", "data-first": true, onclick: () => close("mine") }, "Keep my text"),
    ]),
  ], { wide: true });

/** Posts. If the command would need a flag, asks for confirmation and posts again. */
async function withWords(path, body, { next, proof, onPublished, onConflict }) {
  const allow = [];
  for (;;) {
    const sent = post(path, { ...body, allow }).then(onPublished);
    under = sent.catch(() => {});
    try {
      return await sent;
    } catch (error) {
      const current = error.status === 409 && error.body.current;
      if (current && onConflict) return void (await onConflict(await settleConflict(error.message, current)));
      const word = error.status === 409 && error.body.needs?.find((each) => !allow.includes(each));
      if (!word) throw error;
      const objections = error.body.objections.filter((each) => each.word === word);
      if (!(await askForWord({ word, objections, proof, label: `Publish revision ${next}` }))) return;
      allow.push(word);
    }
  }
}

/** `proof` is the server's check of this text, `next` its revision after publishing. */
export const publish = ({ text, tag, revision, sign, message, ...rest }) => withWords("api/rollout/publish", { text, tag, revision, sign, message }, rest);

export const rollBack = ({ entry, tag, sign, message, ...rest }) => withWords("api/rollout/rollback", { entry, tag, sign, message }, rest);

export async function sign(text) {
  try {
    const { signature } = await post("api/rollout/sign", { text });
    const area = h("textarea", { readonly: true, rows: 4, "aria-label": "The signature", value: signature });
    await open("The signature of this text", (close) => [
      h("p", { class: "muted" }, "The signature of exactly these bytes. Nothing was written; publishing signs automatically."),
      area,
      h("div", { class: "buttons" }, [
        h("button", { type: "button", onclick: () => navigator.clipboard.writeText(signature).then(() => notice("Copied", "good"), complain) }, "Copy"),
        h("button", { type: "button", class: "primary", onclick: () => close(true) }, "Done"),
      ]),
    ]);
  } catch (error) {
    notice(visible(error.help ? `${error.message}. ${error.help}` : error.message, 300).textContent, "bad");
  }
}
