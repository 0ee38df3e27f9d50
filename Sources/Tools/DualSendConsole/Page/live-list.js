// A virtual list: renders only the visible rows.
import { dayOf, h } from "./dom.js";
import { fillRow, makeRow } from "./live-row.js";

const OVERSCAN = 6;

const FAILING = new Set(["differs", "lost", "unexpected"]);

export class LiveList {
  #rows = [];
  #entries = [];
  #frame = 0;
  #active = null;
  #rowHeight = 32;

  constructor({ onChoose, onLeave, onScroll, onEnd }) {
    this.spacer = h("div", { class: "spacer" });
    this.element = h(
      "div",
      {
        class: "live-list", role: "listbox", tabindex: "0", "aria-label": "Events, newest first",
        onscroll: () => { this.render(); onScroll(this.element.scrollTop); },
        onkeydown: (event) => this.#key(event),
        onmousedown: (event) => this.#press(event),
      },
      this.spacer,
    );
    this.onChoose = onChoose;
    this.onLeave = onLeave;
    this.onEnd = onEnd;
    new ResizeObserver(() => this.render()).observe(this.element);
  }

  set entries(list) {
    this.#entries = list;
    this.render();
  }

  get active() {
    return this.#active;
  }

  set active(id) {
    this.#active = id;
    this.render();
  }

  toTop() {
    this.element.scrollTop = 0;
  }

  render() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  #draw() {
    const height = this.element.clientHeight;
    if (!height) return;
    // `--row` is in rem.
    this.#rowHeight = parseFloat(getComputedStyle(this.element).getPropertyValue("--row")) * parseFloat(getComputedStyle(document.documentElement).fontSize);
    const total = this.#entries.length;
    this.spacer.style.setProperty("height", `${total * this.#rowHeight}px`);
    const first = Math.max(0, Math.floor(this.element.scrollTop / this.#rowHeight) - OVERSCAN);
    const last = Math.min(total, Math.ceil((this.element.scrollTop + height) / this.#rowHeight) + OVERSCAN);
    while (this.#rows.length < last - first) this.spacer.append(this.#rows[this.#rows.push(makeRow(this.#rows.length)) - 1].element);
    const today = dayOf(Date.now());
    this.#rows.forEach((row, index) => {
      const entry = first + index < last ? this.#entries[first + index] : null;
      row.element.hidden = !entry;
      if (!entry) return row.element.setAttribute("aria-selected", "false");
      row.element.style.setProperty("transform", `translateY(${(first + index) * this.#rowHeight}px)`);
      fillRow(row, entry, first + index, total, { isActive: entry.id === this.#active, today });
    });
    const shown = this.#rows.find((row) => !row.element.hidden && row.entry?.id === this.#active);
    if (shown) this.element.setAttribute("aria-activedescendant", shown.element.id);
    else this.element.removeAttribute("aria-activedescendant");
    if (last >= total - OVERSCAN) this.onEnd();
  }

  #press(event) {
    const element = event.target.closest(".live-row");
    const row = this.#rows.find((candidate) => candidate.element === element);
    if (!row?.entry || event.button !== 0) return;
    this.active = row.entry.id;
    this.onChoose(row.entry, false);
  }

  #key(event) {
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.#rowHeight) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    const at = this.#entries.findIndex((entry) => entry.id === this.#active);
    if (event.key === "Enter" && at >= 0) {
      event.preventDefault();
      this.onChoose(this.#entries[at], true);
    }
    if (event.key === "Escape") this.onLeave();
    if (event.key.toLowerCase() === "n" && !event.ctrlKey && !event.metaKey && !event.altKey) this.#toFailing(event.key === "n" ? 1 : -1, at);
    if (!(event.key in steps) || !this.#entries.length) return;
    event.preventDefault();
    const from = at >= 0 ? at : steps[event.key] > 0 ? -1 : this.#entries.length;
    const to = Math.min(this.#entries.length - 1, Math.max(0, from + steps[event.key]));
    this.active = this.#entries[to].id;
    this.#reveal(to);
    this.onChoose(this.#entries[to], false);
  }

  /** Chooses the next entry that fails: `n` below, `N` above. */
  #toFailing(step, at) {
    for (let index = at < 0 ? (step > 0 ? 0 : this.#entries.length - 1) : at + step; index >= 0 && index < this.#entries.length; index += step) {
      if (!FAILING.has(this.#entries[index].state)) continue;
      this.active = this.#entries[index].id;
      this.#reveal(index);
      return this.onChoose(this.#entries[index], false);
    }
  }

  #reveal(index) {
    const top = index * this.#rowHeight;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + this.#rowHeight > scrollTop + clientHeight) this.element.scrollTop = top + this.#rowHeight - clientHeight;
  }
}
