// The filter of the list: text, name, unit and states.
import { count, debounce, h, remembered } from "./dom.js";
import { STATES, stateMark } from "./words.js";

const MINE = "my-device";

export class LiveFilter {
  value = { unit: "", name: "", q: "", states: new Set() };
  #inputs = {};
  #chips = {};

  constructor(onChange) {
    this.onChange = onChange;
    this.changed = debounce(150, () => this.#read());
    const mine = h("button", { type: "button", title: "Filter by the unit of your device", onclick: () => this.#takeMine() }, "My device");
    this.fields = h("div", { class: "toolbar", role: "search" }, [
      this.#field("q", "Search the list", "grow", "Searches names, units, ids, states, decisions and reasons, but not payloads"), this.#field("name", "Name contains"), this.#field("unit", "Unit"), mine,
    ].flat());
    this.states = h("div", { class: "chips", role: "group", "aria-label": "States" }, Object.keys(STATES).map((state) => this.#chip(state)));
  }

  get isOn() {
    const { unit, name, q, states } = this.value;
    return Boolean(unit || name || q || states.size);
  }

  get query() {
    const { states, ...words } = this.value;
    return { ...words, state: [...states].join(",") };
  }

  set totals(totals) {
    for (const [state, { number }] of Object.entries(this.#chips)) number.textContent = count(totals?.[state] ?? 0);
  }

  set unit(unit) {
    this.#inputs.unit.value = unit;
    this.#read();
  }

  /** Reads the whole filter from the address: `#live?unit=…&state=differs,lost`. What it does not name is empty. */
  take(query) {
    for (const [key, input] of Object.entries(this.#inputs)) input.value = query.get(key) ?? "";
    this.value.states = new Set((query.get("state") ?? "").split(",").filter((state) => state in STATES));
    this.#read();
  }

  #read() {
    for (const [key, input] of Object.entries(this.#inputs)) this.value[key] = input.value.trim();
    for (const [state, { button }] of Object.entries(this.#chips)) button.setAttribute("aria-pressed", String(this.value.states.has(state)));
    this.onChange();
  }

  #field(key, label, kind = "", title = null) {
    const id = `live-${key}`;
    this.#inputs[key] = h("input", { type: "search", id, class: kind, title, placeholder: label, autocomplete: "off", spellcheck: "false", oninput: this.changed });
    return [h("label", { for: id, class: "hidden-label" }, label), this.#inputs[key]];
  }

  #chip(state) {
    const { label, hint } = STATES[state];
    const number = h("span", { class: "number" }, "0");
    const toggle = () => {
      if (!this.value.states.delete(state)) this.value.states.add(state);
      this.#read();
    };
    const button = h("button", { type: "button", class: `chip ${state}`, "aria-pressed": "false", title: hint, onclick: toggle }, [stateMark(state), label, number]);
    this.#chips[state] = { button, number };
    return button;
  }

  /** Stores the unit in the field; if the field is empty, fills in the stored one; if both are equal, clears the field. */
  #takeMine() {
    const input = this.#inputs.unit, kept = remembered(MINE), typed = input.value.trim();
    if (typed && typed !== kept) remembered(MINE, typed);
    else if (typed) input.value = "";
    else if (kept) input.value = kept;
    else {
      input.placeholder = "Enter its unit, then press “My device”";
      return input.focus();
    }
    this.#read();
  }
}
