// Explains the decision for a unit and an event by the current text.
import { latest, post } from "./api.js";
import { count, debounce, h, percent, replace, visible } from "./dom.js";
import { term } from "./help.js";
import { outcomeWord } from "./words.js";

// What rules ask of the app and its user, by the keys of `match`.
const properties = [["appVersion", "App version"], ["platform", "Platform"], ["locale", "Locale"], ["country", "Country"]];

const ask = latest((body, signal) => post("api/rollout/explain", body, signal));

export class Explain {
  constructor(text) {
    this.text = text;
    const field = (id, label, placeholder) => {
      const input = h("input", { id: `explain-${id}`, placeholder, autocomplete: "off", spellcheck: "false", oninput: debounce(200, () => this.run()) });
      this[id] = input;
      return h("div", { class: "field" }, [h("label", { for: input.id }, label), input]);
    };
    this.answer = h("div", { class: "explain-answer", role: "status", "aria-live": "polite" });
    this.element = h("div", { class: "explain" }, [
      h("div", { class: "fields" }, [field("unit", "Unit", "qa-device-7"), field("name", "Event", "home.like_button.tap"), ...properties.map(([id, label]) => field(id, label, "not given"))]),
      h("p", { class: "note" }, "Rules that ask for one of these match only if you enter it."),
      this.answer,
    ]);
  }

  ask(unit, name) {
    this.unit.value = unit;
    this.name.value = name;
    this.element.scrollIntoView({ block: "center" });
    this.run();
  }

  async run() {
    const value = (input) => input.value.trim() || undefined;
    const name = value(this.name);
    if (!name) return replace(this.answer, h("p", { class: "muted" }, "Enter an event, and a unit if the event has one."));
    try {
      const found = await ask({ text: this.text(), unit: value(this.unit), name, ...Object.fromEntries(properties.map(([id]) => [id, value(this[id])])) });
      if (found) replace(this.answer, answer(found));
    } catch (error) {
      replace(this.answer, h("p", { class: "muted" }, visible(error.message, 300)));
    }
  }
}

function answer(found) {
  const because = (key) => found[key]?.because && h("li", {}, visible(found[key].because, 600));
  return [
    h("p", { class: "explain-outcome" }, [h("b", { class: `outcome ${found.outcome}` }, outcomeWord(found.outcome)), found.bucket != null && h("span", { class: "muted" }, [" ", term("bucket", "bucket", "explain-bucket"), ` ${count(found.bucket)} of 0 to 99,999`])]),
    h("ul", { class: "plain" }, [because("shouldSendLogToNewTracker"), because("shouldSendLogToOldLogger")]),
    found.rules?.length && h("table", { class: "rules" }, [
      h("thead", {}, h("tr", {}, ["rule", "new", "old", "here"].map((text, index) => h("th", { scope: "col", class: index === 1 || index === 2 ? "number" : "" }, text)))),
      h("tbody", {}, found.rules.map(ruleRow)),
    ]),
  ];
}

function ruleRow(rule) {
  const decides = [rule.decidesNewTracker && "decides new", rule.decidesOldLogger && "decides old"].filter(Boolean).join(", ");
  const why = rule.matches ? decides || "matches" : `does not match: ${(rule.obstacles ?? []).join(", ")}`;
  const share = (of) => (of == null ? "" : typeof of === "number" ? percent(of) : String(of));
  return h("tr", { class: rule.matches ? "" : "muted" }, [
    h("td", {}, [`${rule.rule} `, visible(rule.name ?? "", 120)]),
    h("td", { class: "number" }, share(rule.newTracker)),
    h("td", { class: "number" }, share(rule.oldLogger)),
    h("td", {}, decides ? h("b", {}, why) : visible(why, 200)),
  ]);
}
