import { get, latest, post } from "./api.js";
import { complain, notice } from "./dialog.js";
import { debounce, empty, h, loading, panel, replace, visible } from "./dom.js";
import { Diagnostics, Editor } from "./editor.js";
import { Explain } from "./rollout-explain.js";
import { Flags } from "./rollout-flags.js";
import { guardView } from "./guard.js";
import { showHistory } from "./rollout-history.js";
import { proof, verdict, wordsOf } from "./rollout-proof.js";
import { publish, settled, sign } from "./rollout-publish.js";
import { messageField } from "./rollout-words.js";

export function build(element, { stream, state, reloadState }) {
  let live = null, base = null, checked = null, checkedText = null, isChecking = false, isPublishing = false, proposal = null;

  const editor = new Editor({ id: "rollout-text", label: "The rollout document", onInput: () => typed() });
  const diagnostics = new Diagnostics(editor);
  const flags = new Flags({
    text: () => editor.text,
    onText: (text) => { editor.text = text; changed(); },
    onPlace: (line, column) => editor.goTo(line, column),
  });
  const explain = new Explain(() => editor.text);
  const beside = h("div", { class: "proof", "aria-live": "off" });
  const status = h("div", { class: "rollout-status", role: "status" });
  const offer = h("div", { class: "offer", hidden: true });
  const clash = h("div", { class: "offer clash", hidden: true }, [
    h("p", {}, "The document has changed since this edit began."),
    h("button", { type: "button", onclick: () => compare().catch(complain) }, "See what changed"),
  ]);
  const firstLine = loading();
  const guardBody = h("div", {});
  const guardPanel = panel("Guard", guardBody, { id: "guard-title", note: "`dualsend guard` moves this document" });
  guardPanel.hidden = true;

  const signs = state.can?.sign ?? false;
  const button = (label, action, props = {}) => h("button", { type: "button", onclick: () => Promise.resolve(action()).catch(complain), ...props }, label);
  const message = messageField("publish-message");
  const buttons = {
    revert: button("Back to live", revert),
    history: button("History", () => showRevisions({})),
    sign: button("Sign", () => sign(editor.text)),
    publish: button("Publish", async () => {
      isPublishing = true;
      showStatus();
      try {
        await publish({
          text: editor.text, tag: base, revision: live.revision, sign: signs, next: Math.max(live.revision + 1, checked.revision), proof: checked, message: message.value, onPublished, onConflict,
        });
      } finally {
        isPublishing = false;
        showStatus();
        // The button that had the focus is disabled now.
        if (document.activeElement === document.body) editor.area.focus({ preventScroll: true });
      }
    }, { id: "publish" }),
  };

  const showRevisions = (shown) => showHistory({ live, ...shown, sign: signs, can: state.can ?? {}, onLoad: (text) => { editor.text = text; changed(); editor.area.focus(); }, onPublished });

  /** Gets the difference to the current text: the server refuses the outdated edit and writes nothing. */
  const compare = () => publish({ text: editor.text, tag: base, onConflict });

  /** Loads their text, or rebases this one on it. */
  async function onConflict(choice) {
    if (!choice) return;
    await load({ keep: true });
    if (choice === "theirs") editor.text = live.text;
    base = live.tag;
    const text = editor.text.replace(/("revision"\s*:\s*)\d+/, (_, key) => key + live.revision);
    if (choice === "mine" && text !== editor.text) editor.text = text;
    await changed();
  }

  function revert() {
    const edited = editor.text, offered = proposal;
    editor.text = live.problem ? live.inForce : live.text;
    proposal = null;
    editor.area.focus();
    notice("Your edit was discarded.", "", { label: "Bring it back", run: () => { editor.text = edited; proposal = offered; changed(); } });
    return changed();
  }

  const check = latest((text, signal) => post("api/rollout/check", { text }, signal));
  const run = debounce(200, changed);
  function typed() {
    isChecking = true;
    showStatus();
    run();
  }

  async function changed() {
    isChecking = true;
    showStatus();
    try {
      const text = editor.text;
      const answer = await check(text);
      if (!answer) return;
      checked = answer;
      checkedText = text;
      diagnostics.show(answer.diagnostics ?? []);
      flags.show(answer.flags ?? []);
      const isProven = answer.plan != null; // a falling revision is an error, but has a plan
      if (isProven) replace(beside, proof(answer, (line, column) => editor.goTo(line, column)));
      else replace(beside, verdict({}), [...beside.children].slice(1));
      beside.classList.toggle("stale", !isProven);
      explain.run();
    } catch (error) {
      complain(error);
    }
    isChecking = false;
    showStatus();
  }

  const hasErrors = () => (checked?.diagnostics ?? []).some(({ severity }) => severity === "error");

  const hasEdit = () => live !== null && editor.text !== live.text;

  function showStatus() {
    const isEdited = hasEdit();
    const stand = !live ? "" : live.problem && !isEdited ? ["bad", "Apps cannot use this text"] : isEdited && base !== live.tag ? ["edited", "Edited from another text than the live one"] : hasErrors() ? ["bad", "Apps would refuse this text"] : isEdited ? ["edited", "Edited, not published"] : ["good", "This is live"];
    replace(status, stand && h("span", { class: `stand ${stand[0]}` }, stand[1]), h("span", { class: "muted" }, isChecking ? "checking …" : live ? live.problem ? visible(`${live.problem}. Apps keep revision ${live.revision}`, 300) : `revision ${live.revision} is live${live.signed ? ", signed" : ""}` : ""));
    buttons.revert.disabled = !isEdited && !live?.problem;
    buttons.revert.textContent = live?.problem ? "Back to the last valid text" : "Back to live";
    buttons.publish.disabled = !isEdited || isChecking || isPublishing || checkedText !== editor.text || hasErrors() || state.can?.publish === false;
    const asks = wordsOf(checked ?? {}).length > 0;
    buttons.publish.className = asks ? "danger" : "primary";
    buttons.publish.textContent = isPublishing ? "Publishing …" : asks ? "Publish …" : "Publish";
    buttons.sign.disabled = isChecking || hasErrors();
    buttons.sign.hidden = state.can?.sign === false;
    buttons.history.disabled = !live?.record?.entries?.length && !live?.record?.problems?.length;
    message.hidden = !isEdited;
    offer.hidden = !proposal || !isEdited;
    clash.hidden = !isEdited || base === live.tag;
  }

  function showGuard() {
    guardPanel.hidden = !live?.guard;
    if (live?.guard) replace(guardBody, guardView(live.guard, Math.max(260, guardBody.clientWidth)));
  }

  async function load({ keep = false } = {}) {
    try {
      const answer = await get("api/rollout");
      const isEdited = hasEdit(), isNewer = answer.revision !== live?.revision, isOther = answer.text !== live?.text;
      live = answer;
      if (keep && isEdited) {
        if (isNewer) notice(`Revision ${live.revision} was published elsewhere. Your text is kept, and its plan is now against that revision.`);
        else if (isOther) notice("The document was changed elsewhere. Your text is kept.");
      } else {
        if (isOther) editor.text = live.text;
        base = live.tag;
      }
      showGuard();
      await changed();
    } catch (error) {
      replace(element, h("h1", { class: "hidden-label" }, "Rollout"), empty(error.message, error.help ?? "Start the console with a rollout document: dualsend console rollout.json"));
    }
  }

  async function onPublished({ revision, warnings = [] }) {
    notice(visible([`Revision ${revision} is live`, ...warnings].join(". "), 400).textContent, warnings.length ? "bad" : "good");
    message.value = "";
    proposal = null;
    live = await get("api/rollout");
    showGuard();
    base = live.tag;
    editor.text = live.text;
    await changed();
    reloadState();
  }

  // Another editor has published: keeps the edit, and compares it with the new live document.
  stream.addEventListener("rollout", async () => {
    await settled();
    if (live) await load({ keep: true });
  });

  addEventListener("beforeunload", (event) => hasEdit() && event.preventDefault());

  replace(
    element,
    h("h1", { class: "hidden-label" }, "Rollout"),
    h("div", { class: "toolbar rollout-bar" }, [status, h("span", { class: "spring" }), message, Object.values(buttons)].flat()),
    offer, clash, firstLine,
    h("div", { class: "rollout-split" }, [
      h("div", { class: "rollout-left" }, [editor.area, diagnostics.element, panel("Flags", flags.element, { id: "flags-title", note: "sliders edit the same text" })]),
      h("div", { class: "rollout-right" }, [guardPanel, beside, panel("One unit, one event", explain.element, { id: "explain-title" })]),
    ]),
  );
  showStatus();
  const loaded = load();

  return {
    async enter(query) {
      await loaded;
      firstLine.remove();
      if (live && (query.has("revision") || query.has("entry"))) showRevisions({ revision: query.get("revision"), entry: query.get("entry") });
      if (query.has("unit") || query.has("event")) explain.ask(query.get("unit") ?? "", query.get("event") ?? "");
      if (query.has("promote")) propose(query.get("promote"), Number(query.get("percent")));
    },
  };

  /** Applies the edit that the parity room offers, without publishing it. */
  async function propose(name, percent) {
    history.replaceState(null, "", "#rollout");
    try {
      const { text } = await post("api/parity/promote", { name, percent, text: editor.text });
      proposal = { name, percent };
      replace(offer, h("p", {}, [h("b", { text: name }), ` to ${percent} %: the edit is in the text, its effect beside it. Nothing is live until you publish.`]));
      editor.text = text;
      await changed();
    } catch (error) {
      complain(error);
    }
  }
}
