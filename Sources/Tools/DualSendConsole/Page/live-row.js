import { dateAndTime, dayBeside, h, named, replace, timeOfDay, visible, visibleText } from "./dom.js";
import { outcomeWord, shortReason, stateMark, stateWords } from "./words.js";

const NAME = 160; // characters of a name in the list; the detail shows all of it

export function makeRow(index) {
  const cell = (name) => h("span", { class: `cell ${name}` });
  const cells = {
    time: cell("time"), state: cell("state"), names: cell("names"), unit: cell("unit"), decision: cell("decision"),
  };
  const element = h("div", { class: "live-row", role: "option", id: `live-row-${index}`, hidden: true }, Object.values(cells));
  return { element, cells, entry: null };
}

/** `today` is the current day: only other days are shown beside the times. */
export function fillRow(row, entry, index, total, { isActive, today }) {
  row.element.setAttribute("aria-selected", String(isActive));
  row.element.setAttribute("aria-posinset", String(index + 1));
  row.element.setAttribute("aria-setsize", String(total));
  if (row.entry === entry && row.today === today) return;
  row.today = today;
  const changed = row.entry?.state !== entry.state || row.entry.also !== entry.also;
  row.entry = entry;
  row.element.dataset.sequence = entry.sequence;
  row.element.dataset.state = entry.state;
  const { time, state, names, unit, decision } = row.cells;
  const day = dayBeside(entry.time, today);
  replace(time, day && h("span", { class: "day" }, `${day} `), h("span", {}, timeOfDay(entry.time)));
  time.title = dateAndTime(entry.time);
  if (changed || !state.firstChild) replace(state, stateMark(entry.state), h("span", {}, stateWords(entry)));
  replace(names, ...nameNodes(entry, NAME));
  names.title = visibleText(clip([entry.oldName, entry.newName].filter((name) => name != null).join(" → ")));
  replace(unit, entry.unit == null ? h("span", { class: "muted" }, "no unit") : visible(entry.unit, NAME));
  replace(decision, h("b", { class: `outcome ${entry.outcome ?? "undecided"}` }, outcomeWord(entry.outcome)), " ", visible(shortReason(entry.reason), NAME));
  decision.title = visibleText(clip(entry.reason ?? ""));
}

const clip = (text) => (text.length > 400 ? `${text.slice(0, 400)}…` : text);

export function nameNodes(entry, limit) {
  const name = (text, kind) => h("bdi", { class: `name ${kind}` }, named(text, limit));
  const arrow = () => h("span", { class: "arrow", "aria-label": "becomes" }, "→");
  if (entry.oldName == null && entry.newName == null) return [h("span", { class: "muted" }, "no name")];
  if (entry.newName == null) return [name(entry.oldName, "same")];
  if (entry.oldName == null) return [arrow(), name(entry.newName, "new")];
  if (entry.oldName === entry.newName) return [name(entry.oldName, "same")];
  return [name(entry.oldName, "old"), arrow(), name(entry.newName, "new")];
}
