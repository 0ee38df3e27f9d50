import { get, latest, post } from "./api.js";
import { Diagnostics } from "./diagnostics.js";
import { complain, notice } from "./dialog.js";
import { count, debounce, empty, h, panel, plural, replace, visible } from "./dom.js";
import { Editor } from "./editor.js";
import { TryPayload } from "./table-try.js";

export function build(element) {
  let saved = null, coverage = null, wanted = null;
  const editor = new Editor({ id: "table-text", label: "The remapping table", onInput: () => typed() });
  const diagnostics = new Diagnostics(editor);
  const trial = new TryPayload({ text: () => editor.text, onPlace: (line) => editor.goTo(line) });
  const lead = h("p", { class: "lead" });
  const missing = h("div"), silent = h("div");
  const save = h("button", { type: "button", class: "primary", disabled: true, onclick: () => write().catch(complain) }, "Save the table");
  const revert = h("button", { type: "button", disabled: true, onclick: () => { editor.text = saved; typed(); } }, "Back to the file");

  function typed() {
    const isEdited = editor.text !== saved;
    save.disabled = revert.disabled = !isEdited;
    // The numbers beside the lines are of the file: they would stand at wrong lines of another text.
    editor.notes = isEdited ? new Map() : notes();
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
    if (!keep) {
      saved = coverage.text;
      editor.text = saved;
    }
    typed();
    show();
    if (wanted) editor.goTo(wanted);
    wanted = null;
  }

  function show() {
    const rows = coverage.rows ?? [], never = rows.filter(({ fired }) => !fired), keys = coverage.keys ?? [];
    replace(lead, h("b", {}, `${count(rows.length - never.length)} of ${plural(rows.length, "row")}`), " fired, ", h("b", { class: keys.length ? "differs" : "" }, plural(keys.length, "key")), " without a row");
    replace(silent, never.length ? h("ul", { class: "plain never-list" }, never.slice(0, 200).map((row) => h("li", {}, [
      h("button", { type: "button", class: "place", "aria-label": `Go to line ${row.line}`, onclick: () => editor.goTo(row.line) }, String(row.line)),
      h("code", {}, visible(row.text.trim(), 160)), row.event && h("span", { class: "muted" }, visible(row.event, 120)),
    ]))) : h("p", { class: "muted" }, "Every row has fired."));
    replace(missing, keys.length ? h("ul", { class: "plain drafts" }, keys.slice(0, 200).map(draftRow)) : h("p", { class: "muted" }, "Every key that came has a row."));
  }

  function draftRow({ event, key, count: seen, draft }, index) {
    const to = h("input", { id: `draft-${index}`, value: draft?.to ?? key, spellcheck: "false", autocomplete: "off" });
    const accept = h("button", { type: "button", class: "small", onclick: async () => {
      try {
        const answer = await post("api/table/accept", { text: editor.text, draft: { ...draft, to: to.value.trim() } });
        const line = firstChanged(editor.text, answer.text);
        editor.text = answer.text;
        diagnostics.show(answer.diagnostics ?? []);
        typed();
        item.classList.add("accepted");
        accept.disabled = true;
        editor.goTo(line);
      } catch (error) {
        complain(error);
      }
    } }, "Accept");
    const item = h("li", {}, [
      h("div", { class: "draft-of" }, [h("bdi", { class: "muted" }, visible(event, 120)), h("span", { class: "muted" }, ` seen ${count(seen)} ×`)]),
      h("div", { class: "draft-row" }, [h("label", { for: to.id }, [h("code", {}, visible(JSON.stringify(key), 120)), " : "]), to, accept]),
    ]);
    return item;
  }

  async function write() {
    const answer = await post("api/table/save", { text: editor.text });
    saved = editor.text;
    diagnostics.show(answer?.diagnostics ?? []);
    notice("The table is saved", "good");
    await load();
  }

  replace(element, h("h1", { class: "hidden-label" }, "Table"),
    h("div", { class: "toolbar" }, [lead, h("span", { class: "spring" }), revert, save]),
    h("div", { class: "table-split" }, [
      h("div", { class: "column" }, [editor.element, diagnostics.element]),
      h("div", { class: "column" }, [
        panel("Try a payload", trial.element, { id: "try-title" }),
        panel("Keys without a row", missing, { id: "missing-title", note: "a draft for each" }),
        panel("Rows that never fired", silent, { id: "silent-title" }),
      ]),
    ]));

  return {
    async enter(query) {
      wanted = Number(query.get("line")) || null;
      if (query.has("line")) history.replaceState(null, "", "#table");
      await load({ keep: saved !== null && editor.text !== saved });
    },
  };
}

const short = (number) => (number >= 10_000 ? `${Math.round(number / 1000)}k` : count(number));

function firstChanged(before, after) {
  const lines = before.split("\n");
  const at = after.split("\n").findIndex((line, index) => line !== lines[index]);
  return at < 0 ? 1 : at + 1;
}
