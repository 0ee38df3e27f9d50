// Keys without a row. By default they stay unchanged, so they need a row only for another name. A key of many events is
// one line, with one edit for all of them.
import { post } from "./api.js";
import { complain } from "./dialog.js";
import { count, folded, h, plural, visible } from "./dom.js";

const SHOWN = 12;
const FATES = { drop: "dropped by the table", report: "kept and reported" };

/** The keys of `api/coverage`, by key: `{key, events: [{event, count, draft}], count}`, most frequent first. */
const byKey = (keys) => [...Map.groupBy(keys, ({ key }) => key)]
  .map(([key, events]) => ({ key, events, count: events.reduce((sum, each) => sum + each.count, 0) }))
  .toSorted((a, b) => b.count - a.count);

/** The table's `unmapped` for an event: `keep`, `report` or `drop`. */
function fateBy(table) {
  let events = {};
  try {
    events = JSON.parse(table).events ?? {};
  } catch {
    // An invalid file, which may be partly written: uses the default.
  }
  const said = (name) => (Object.hasOwn(events, name) ? events[name]?.unmapped : undefined);
  return (name) => said(name) ?? said("*") ?? "keep";
}

/** `table` is the file, `text()` the edited text; `onAccept(text, diagnostics)` gets the result. */
export function drafts(keys, { table, text, onAccept }) {
  if (!keys.length) return [h("p", { class: "muted" }, "Every key has a row.")];
  let number = 0;
  const fate = fateBy(table);
  return folded(byKey(keys), SHOWN, (some) => h("ul", { class: "plain drafts" }, some.map((group) => draftRow(group, number++, { fate, text, onAccept }))), "more keys");
}

function draftRow({ key, events, count: seen }, index, { fate, text, onAccept }) {
  const fates = new Set(events.map(({ event }) => fate(event)));
  const left = new Set(events);
  const buttons = [];
  const to = h("input", { id: `draft-${index}`, value: events[0].draft.to, spellcheck: "false", autocomplete: "off", oninput: () => enable() });
  const enable = () => {
    const name = to.value.trim();
    // A row that keeps the name has no effect, unless keys without a row are dropped or reported.
    const says = (each) => !left.has(each) || name !== key || fate(each.event) !== "keep";
    for (const { button, of } of buttons) button.disabled = !name || !of.some((each) => left.has(each)) || !of.every(says);
    item.classList.toggle("accepted", left.size === 0);
  };
  const accept = (label, of, name) => {
    const button = h("button", { type: "button", class: "small", "aria-label": name, onclick: () => take(of.filter((each) => left.has(each))).catch(complain) }, label);
    buttons.push({ button, of });
    return button;
  };

  async function take(some) {
    let answer = { text: text() };
    for (const { draft } of some) answer = await post("api/table/accept", { text: answer.text, draft: { ...draft, to: to.value.trim() } });
    for (const each of some) left.delete(each);
    enable();
    onAccept(answer.text, answer.diagnostics ?? []);
  }

  const of = events.length === 1 ? [h("bdi", {}, visible(events[0].event, 120))] : [plural(events.length, "event")];
  const item = h("li", {}, [
    h("div", { class: "draft-row" }, [
      h("label", { for: to.id }, [h("code", {}, visible(JSON.stringify(key), 120)), " : "]), to,
      accept(events.length === 1 ? "Accept" : `Accept for ${count(events.length)}`, events),
    ]),
    h("div", { class: "muted" }, [of, `, seen ${count(seen)} ×`, fates.size === 1 && !fates.has("keep") && `: ${FATES[[...fates][0]]}`]),
    events.length > 1 && h("details", {}, [h("summary", {}, "one by one"), h("ul", { class: "plain draft-events" }, events.map((each) => h("li", {}, [
      h("bdi", {}, visible(each.event, 120)), h("span", { class: "muted" }, ` ${count(each.count)} ×`), h("span", { class: "spring" }),
      accept("Accept", [each], `Accept for ${each.event}`.slice(0, 200)),
    ])))]),
  ]);
  enable();
  return item;
}
