// The detail view of a pair: old and new side by side, with the table's row for each key.
import { get, latest } from "./api.js";
import { dateAndTime, h, loading, plural, replace, scroller, visible } from "./dom.js";
import { term } from "./help.js";
import { nameNodes } from "./live-row.js";
import { STATES, fieldWord, outcomeWord, stateMark, stateWords } from "./words.js";

const TEXT = 2_000;
const fetchDetail = latest((id, signal) => get(`api/live/${encodeURIComponent(id)}`, {}, signal));

export class LiveDetail {
  #id = null;
  #under = false;
  #again = false;

  constructor({ onClose, onName, onUnit }) {
    this.element = h("section", { class: "live-detail", hidden: true, tabindex: "-1", "aria-label": "The pair" });
    this.element.addEventListener("keydown", (event) => event.key === "Escape" && onClose());
    this.onClose = onClose;
    this.onUnit = onUnit;
    this.onName = onName;
  }

  get id() {
    return this.#id;
  }

  close() {
    this.#id = null;
    this.element.hidden = true;
    this.onName(null);
  }

  async show(id, { focus = false } = {}) {
    // Until the answer arrives, nothing of another pair is shown under this one's address.
    if (this.#id !== id) replace(this.element, this.#bar(), loading());
    this.#id = id;
    this.element.hidden = false;
    if (focus) this.element.focus();
    try {
      const detail = await fetchDetail(id);
      if (!detail || this.#id !== id) return;
      this.#fill(detail);
      if (this.element.isConnected) this.onName(detail.oldName);
    } catch (error) {
      if (this.#id === id) replace(this.element, this.#bar(), h("p", { class: "stop" }, error.message));
    }
  }

  /** Reloads the pair. Runs at most one request at a time. */
  async refresh() {
    if (this.#under) return void (this.#again = true);
    this.#under = true;
    await this.show(this.#id);
    this.#under = false;
    if (this.#again && this.#id) {
      this.#again = false;
      this.refresh();
    }
  }

  #bar() {
    return h("button", { type: "button", class: "quiet icon close", "aria-label": "Close the pair", onclick: this.onClose }, "✕");
  }

  #fill(detail) {
    const wrong = (detail.fields ?? []).filter((field) => !isFine(field));
    const fields = [...wrong, ...(detail.fields ?? []).filter(isFine)];
    replace(
      this.element,
      h("div", { class: "detail-head" }, [
        h("div", { class: `badge ${detail.state}` }, [stateMark(detail.state), term(STATES[detail.state]?.label, stateWords(detail), "detail-state")]),
        h("span", { class: "muted" }, STATES[detail.state]?.hint ?? ""),
        h("span", { class: "spring" }),
        this.#bar(),
      ]),
      h("h2", { class: "detail-name" }, nameNodes(detail, TEXT)),
      this.#facts(detail),
      detail.valuesHidden && h("p", { class: "hint" }, ["Values are hidden: only their types are shown. ", h("code", {}, "dualsend console --show-values"), " shows them."]),
      detail.expectedName != null && detail.newName != null && detail.expectedName !== detail.newName && h("p", { class: "summary differs" }, ["The table renames it to ", h("bdi", { class: "name", text: detail.expectedName })]),
      detail.cut?.length > 0 && h("p", { class: "hint" }, `Not kept, because there was no room for it on disk: ${detail.cut.join(" and ")}.`),
      wrong.length > 0 && h("p", { class: "summary differs" }, `${plural(wrong.length, "key")} not as the table says`),
      fields.length ? fieldTable(detail, fields) : h("p", { class: "empty" }, detail.state === "alone" ? "No fields: this side has no parameters, and the other side is not sent." : "This pair has no fields to compare yet."),
    );
  }

  #facts(detail) {
    const unit = detail.unit == null ? "no unit" : h("button", { type: "button", class: "link", title: "Show this unit only", onclick: () => this.onUnit(detail.unit) }, [h("bdi", {}, visible(detail.unit, 200))]);
    const decision = [h("b", { class: `outcome ${detail.outcome ?? "undecided"}` }, outcomeWord(detail.outcome)), " ", h("ul", { class: "reasons" }, (detail.reason ?? "").slice(0, TEXT).split("\n").map((line) => h("li", {}, line)))];
    const name = detail.oldName ?? detail.newName;
    const why = name !== null && h("a", { class: "why", href: `#rollout?${new URLSearchParams({ unit: detail.unit ?? "", event: name ?? "" })}`, title: "Explain this unit and this event by the current text of the rollout" }, "explain");
    const facts = { unit, decision: [decision, why], time: dateAndTime(detail.time), id: h("code", {}, visible(detail.id, 80)) };
    return h("dl", { class: "facts-list" }, Object.entries(facts).flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
  }
}

const FINE = new Set([undefined, null, "equal", "ignored", "pending", "dropped", "uncompared"]);
const isFine = ({ outcome }) => FINE.has(outcome);

function fieldTable(detail, fields) {
  const head = ["old key", "old value", "row of the table", "new key", "new value"];
  const table = h("table", { class: "pair" }, [
    h("caption", { class: "unseen-caption" }, "Old and new, key by key"),
    h("thead", {}, h("tr", {}, head.map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, fields.map((field) => fieldRow(field, detail))),
  ]);
  return scroller("Fields", table, "pair-scroll");
}

function fieldRow(field, detail) {
  const fine = isFine(field);
  const value = (of) => (of == null ? h("span", { class: "none" }, "–") : valueNode(of, detail.valuesHidden));
  // A null is not a missing key.
  const said = (of, isThere) => (isThere ? valueNode(of ?? null, detail.valuesHidden) : h("span", { class: "none" }, "nothing"));
  const got = fine
    ? value(field.new)
    : [
        h("div", { class: "got" }, [h("span", { class: "tag" }, "has"), said(field.new, field.outcome !== "missing")]),
        h("div", { class: "expected" }, [h("span", { class: "tag" }, "table says"), said(field.expected, field.outcome !== "extra")]),
      ];
  const quiet = field.outcome == null || field.outcome === "equal";
  const outcome = quiet ? null : h("span", { class: "field-outcome" }, fieldWord(field.outcome, detail.state));
  return h("tr", { class: fine ? "fine" : `wrong ${field.outcome}` }, [
    h("td", { "data-label": "old key" }, field.oldPath == null ? h("span", { class: "none" }, "–") : h("bdi", { class: "key" }, visible(field.oldPath, TEXT))),
    h("td", { "data-label": "old value" }, value(field.old)),
    h("td", { "data-label": "row" }, rowLink(field.row, field)),
    h("td", { "data-label": "new key" }, [field.path == null ? h("span", { class: "none" }, "–") : h("bdi", { class: "key" }, visible(field.path, TEXT)), outcome]),
    h("td", { "data-label": "new value" }, got),
  ]);
}

function rowLink(row, field) {
  if (!row) return h("span", { class: "none" }, field.oldPath == null && field.expected != null ? "added by the table" : field.oldPath != null && field.path === field.oldPath ? "no row: kept" : "no row");
  return h("a", { class: "row-link", href: `#table?line=${row.line}`, title: "Show it in the table" }, [
    h("span", { class: "line-number" }, String(row.line)), h("code", {}, visible(ruleText(row.text), 200)),
  ]);
}

export function valueNode(value, hidden) {
  if (hidden && typeof value === "string" && value.startsWith("‹")) return h("span", { class: "hidden-value" }, value);
  const text = typeof value === "string" ? JSON.stringify(value).slice(0, 20_000) : JSON.stringify(value);
  return h("bdi", { class: `value is-${value === null ? "null" : typeof value}` }, visible(text ?? "–", TEXT));
}

/** A row of several lines is shown by its first one. */
const ruleText = (text) => text.trim().replace(/[{[]$/, (open) => `${open} … ${open === "{" ? "}" : "]"}`);
