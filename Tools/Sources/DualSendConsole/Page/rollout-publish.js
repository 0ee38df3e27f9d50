import { post } from "./api.js";
import { complain, notice, open } from "./dialog.js";
import { settleConflict } from "./conflict.js";
import { h, visible } from "./dom.js";
import { askForWord } from "./rollout-words.js";

let under = Promise.resolve();
/** Resolves once nothing that this page publishes is on its way: the stream tells of it before its answer is here. */
export const settled = () => under;

/** Posts, and where the command would want a flag, asks for its word and posts again with it. */
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

/** `proof` is what the server said of this text, `next` the revision that it will have. */
export const publish = ({ text, tag, revision, sign, ...rest }) => withWords("api/rollout/publish", { text, tag, revision, sign }, rest);

export const rollBack = ({ id, sign, ...rest }) => withWords("api/rollout/rollback", { id, sign }, rest);

export async function sign(text) {
  try {
    const { signature } = await post("api/rollout/sign", { text });
    const area = h("textarea", { readonly: true, rows: 4, "aria-label": "The signature", value: signature });
    await open("The signature of this text", (close) => [
      h("p", { class: "muted" }, "Of these exact bytes. Nothing was written; Publish signs by itself."),
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
