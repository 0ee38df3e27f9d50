// The remapping table with the counts of its rows, the keys without a row, and a form that tries a payload.
import { get } from "./api.js";
import { complain, notice } from "./dialog.js";
import { count, empty, folded, h, loading, panel, plural, replace, visible } from "./dom.js";
import { TryPayload } from "./table-try.js";

const SHOWN = 12;
const FATES = { drop: "dropped by the table", report: "kept and reported" };

export function build(element, { stream }) {
  let coverage = null;
  const trial = new TryPayload({ onPlace: goTo });
  const lead = h("p", { class: "lead" }, loading());
  const text = h("div", { class: "table-text", role: "group", tabindex: "0", "aria-label": "The remapping table" });
  const missing = h("div"), silent = h("div");
  const copy = h("button", { type: "button", class: "small", id: "copy-keys", onclick: () => navigator.clipboard.writeText(rowsFor(coverage.keys)).then(() => notice("Copied", "good"), complain) }, "Copy as JSON");

  async function load() {
    try {
      coverage = await get("api/coverage");
    } catch (error) {
      return replace(element, h("h1", { class: "hidden-label" }, "Table"), empty(error.message, error.help ?? "Start the console with a table: dualsend console rollout.json --remap remapping.json"));
    }
    const { rows, keys, problem } = coverage;
    const never = rows.filter(({ fired }) => !fired);
    replace(lead, problem && h("span", { class: "stop" }, visible(`${problem}. This is the last valid one. `, 400)), h("b", {}, `${count(rows.length - never.length)} of ${plural(rows.length, "row")}`), " fired, ", h("b", {}, plural(new Set(keys.map(({ key }) => key)).size, "key")), " without a row");
    replace(text, lines(coverage));
    replace(silent, never.length ? folded(never.slice(0, 200), SHOWN, neverList, "more rows") : h("p", { class: "muted" }, "Every row has fired."));
    replace(missing, keys.length ? folded(byKey(keys), SHOWN, keyList(fateBy(coverage.text)), "more keys") : h("p", { class: "muted" }, "Every key has a row."));
    copy.disabled = !keys.length;
  }

  function goTo(line) {
    text.querySelector(".marked")?.classList.remove("marked");
    const row = text.children[line - 1];
    row?.classList.add("marked");
    text.focus({ preventScroll: true });
    row?.scrollIntoView({ block: "center" });
  }

  const neverList = (rows) => h("ul", { class: "plain never-list" }, rows.map((row) => h("li", {}, [
    h("button", { type: "button", class: "place", "aria-label": `Go to line ${row.line}`, onclick: () => goTo(row.line) }, `line ${row.line}`),
    h("code", {}, visible(row.text.trim(), 160)), row.event && h("span", { class: "muted" }, visible(row.event, 120)),
  ])));

  replace(element, h("h1", { class: "hidden-label" }, "Table"), lead,
    h("div", { class: "table-split" }, [
      text,
      h("div", { class: "column" }, [
        panel("Try a payload", trial.element, { id: "try-title" }),
        panel("Keys without a row", missing, { id: "missing-title", note: "kept unchanged, unless the table drops or reports them", actions: [copy] }),
        panel("Rows that never fired", silent, { id: "silent-title" }),
      ]),
    ]));

  stream.addEventListener("table", () => coverage !== null && load().then(() => trial.run()));

  return {
    async enter(query) {
      const line = Number(query.get("line"));
      if (query.has("line")) history.replaceState(null, "", "#table");
      await load();
      if (line) goTo(line);
    },
  };
}

/** The table's lines, each with its number, and with the count of its row if it has one. */
function lines({ text, rows }) {
  const fired = new Map(rows.map(({ line, fired }) => [line, fired]));
  return text.split(/\r?\n/).map((line, index) => {
    const times = fired.get(index + 1);
    return h("div", { class: "code-line" }, [
      h("span", { class: "line-number" }, String(index + 1)),
      h("span", { class: `line-note ${times === 0 ? "never" : ""}` }, times == null ? "" : times === 0 ? "never" : short(times)),
      h("code", {}, visible(line.replaceAll("\t", "  "), 2_000)),
    ]);
  });
}

const short = (number) => (number >= 10_000 ? `${Math.round(number / 1000)}k` : count(number));

/** The keys of `api/coverage`, by key: `{key, events: [{event, count}], count}`, most frequent first. */
const byKey = (keys) => [...Map.groupBy(keys, ({ key }) => key)]
  .map(([key, events]) => ({ key, events, count: events.reduce((sum, each) => sum + each.count, 0) }))
  .toSorted((a, b) => b.count - a.count);

const keyList = (fate) => (some) => h("ul", { class: "plain keys" }, some.map(({ key, events, count: seen }) => {
  const fates = new Set(events.map(({ event }) => fate(event)));
  const of = events.length === 1 ? h("bdi", {}, visible(events[0].event, 120)) : plural(events.length, "event");
  return h("li", {}, [
    h("code", {}, visible(key, 120)),
    h("span", { class: "muted" }, [" ", of, `, seen ${count(seen)} ×`, fates.size === 1 && !fates.has("keep") && `: ${FATES[[...fates][0]]}`]),
  ]);
}));

/** The table's `unmapped` for an event: `keep`, `report` or `drop`. */
function fateBy(table) {
  const { events = {} } = JSON.parse(table.replace(/^\uFEFF/, ""));
  const said = (name) => (Object.hasOwn(events, name) ? events[name]?.unmapped : undefined);
  return (name) => said(name) ?? said("*") ?? "keep";
}

/** A row for each key, in the form of the table's `events`. Each keeps its key's name until it is edited. */
function rowsFor(keys) {
  const events = [...Map.groupBy(keys, ({ event }) => event)];
  const rows = (list) => ({ parameters: Object.fromEntries(list.map(({ key }) => [key, key])) });
  return JSON.stringify(Object.fromEntries(events.map(([event, list]) => [event, rows(list)])), null, 2);
}
