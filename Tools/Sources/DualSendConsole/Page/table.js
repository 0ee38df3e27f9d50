import { get, latest, post } from "./api.js";
import { Diagnostics } from "./diagnostics.js";
import { complain, notice } from "./dialog.js";
import { settleConflict } from "./conflict.js";
import { count, debounce, empty, folded, h, loading, panel, plural, replace, visible } from "./dom.js";
import { Editor } from "./editor.js";
import { moved } from "./line-notes.js";
import { drafts } from "./table-drafts.js";
import { TryPayload } from "./table-try.js";

export function build(element, { stream }) {
  let saved = null, base = null, coverage = null, wanted = null;
  let noted = { text: "", notes: new Map() };
  const editor = new Editor({ id: "table-text", label: "The remapping table", onInput: () => typed() });
  const diagnostics = new Diagnostics(editor);
  const trial = new TryPayload({ text: () => editor.text, onPlace: (line) => editor.goTo(line) });
  const lead = h("p", { class: "lead" }, loading());
  const counted = h("span", { class: "note", hidden: true }, "the counts are for the saved file");
  const missing = h("div"), silent = h("div");
  const save = h("button", { type: "button", class: "primary", disabled: true, onclick: () => write().catch(complain) }, "Save the table");
  const revert = h("button", { type: "button", disabled: true, onclick: revertEdit }, "Back to the file");

  function revertEdit() {
    const edited = editor.text;
    editor.text = saved;
    typed();
    editor.area.focus();
    notice("Your edit was discarded.", "", { label: "Bring it back", run: () => { editor.text = edited; typed(); } });
  }

  function typed() {
    const isEdited = editor.text !== saved;
    save.disabled = revert.disabled = !isEdited;
    // The counts are for the saved file and move with their lines. A changed line has none.
    noted = isEdited ? { text: editor.text, notes: moved(noted.notes, noted.text, editor.text) } : { text: saved, notes: notes() };
    editor.notes = noted.notes;
    counted.hidden = !isEdited;
    check();
    trial.run();
  }

  const ask = latest((text, signal) => post("api/table/check", { text }, signal));
  const check = debounce(250, async () => {
    try {
      const answer = await ask(editor.text);
      if (answer) diagnostics.show(answer.diagnostics ?? []);
    } catch (error) {
      complain(error);
    }
  });

  const notes = () => new Map((coverage?.rows ?? []).map(({ line, fired }) => [line, { text: fired ? short(fired) : "never", kind: fired ? "fired" : "never" }]));

  async function load({ keep = false } = {}) {
    try {
      coverage = await get("api/coverage");
    } catch (error) {
      return replace(element, h("h1", { class: "hidden-label" }, "Table"), empty(error.message, error.help ?? "Start the console with a table: dualsend console rollout.json --remap remapping.json"));
    }
    if (keep && coverage.text !== saved) {
      saved = coverage.text;
      notice("The table was changed elsewhere. Your text is kept.");
    } else if (coverage.text !== saved) {
      saved = coverage.text;
      editor.begin(saved);
    }
    if (!keep) base = coverage.tag;
    typed();
    show();
    if (wanted) editor.goTo(wanted);
    wanted = null;
  }

  function show() {
    const rows = coverage.rows ?? [], never = rows.filter(({ fired }) => !fired), keys = coverage.keys ?? [];
    replace(lead, h("b", {}, `${count(rows.length - never.length)} of ${plural(rows.length, "row")}`), " fired, ", h("b", {}, plural(new Set(keys.map(({ key }) => key)).size, "key")), " without a row");
    replace(silent, never.length ? folded(never.slice(0, 200), 12, neverList, "more rows") : h("p", { class: "muted" }, "Every row has fired."));
    replace(missing, drafts(keys.slice(0, 500), { table: saved, text: () => editor.text, onAccept: accepted }));
  }

  const neverList = (rows) => h("ul", { class: "plain never-list" }, rows.map((row) => h("li", {}, [
    h("button", { type: "button", class: "place", "aria-label": `Go to line ${row.line}`, onclick: () => editor.goTo(row.line) }, `line ${row.line}`),
    h("code", {}, visible(row.text.trim(), 160)), row.event && h("span", { class: "muted" }, visible(row.event, 120)),
  ])));

  function accepted(text, found) {
    const line = firstChanged(editor.text, text);
    editor.text = text;
    diagnostics.show(found);
    typed();
    editor.goTo(line);
  }

  async function write() {
    let answer;
    try {
      answer = await post("api/table/save", { text: editor.text, tag: base });
    } catch (error) {
      if (error.status !== 409 || !error.body.current) throw error;
      const choice = await settleConflict(error.message, error.body.current);
      if (!choice) return;
      await load({ keep: true });
      base = coverage.tag;
      if (choice === "theirs") editor.begin(saved);
      return typed();
    }
    [saved, base] = [editor.text, answer.tag];
    diagnostics.show(answer?.diagnostics ?? []);
    notice("The table is saved", "good");
    await load();
  }

  replace(element, h("h1", { class: "hidden-label" }, "Table"),
    h("div", { class: "toolbar" }, [lead, counted, h("span", { class: "spring" }), revert, save]),
    h("div", { class: "table-split" }, [
      h("div", { class: "column" }, [editor.element, diagnostics.element]),
      h("div", { class: "column" }, [
        panel("Try a payload", trial.element, { id: "try-title" }),
        panel("Keys without a row", missing, { id: "missing-title", note: "kept unchanged, unless the table drops or reports them" }),
        panel("Rows that never fired", silent, { id: "silent-title" }),
      ]),
    ]));

  const isEdited = () => saved !== null && editor.text !== saved;
  // Another editor has saved: keeps the edit.
  stream.addEventListener("table", () => saved !== null && load({ keep: isEdited() }));

  addEventListener("beforeunload", (event) => isEdited() && event.preventDefault());

  return {
    async enter(query) {
      wanted = Number(query.get("line")) || null;
      if (query.has("line")) history.replaceState(null, "", "#table");
      await load({ keep: isEdited() });
    },
  };
}

const short = (number) => (number >= 10_000 ? `${Math.round(number / 1000)}k` : count(number));

function firstChanged(before, after) {
  const lines = before.split("\n");
  const at = after.split("\n").findIndex((line, index) => line !== lines[index]);
  return at < 0 ? 1 : at + 1;
}
