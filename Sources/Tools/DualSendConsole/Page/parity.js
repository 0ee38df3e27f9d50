import { get } from "./api.js";
import { chart } from "./chart.js";
import { view } from "./plot.js";
import { count, empty, h, keepingFocus, loading, named, panel, percent, plural, rate, replace, timeOfDay, visible, visibleText } from "./dom.js";
import { term } from "./help.js";
import { keptDays } from "./parity-days.js";
import { verdictWord } from "./rollout-gate.js";
import { exportButtons } from "./export.js";
import { FIELDS } from "./words.js";

const STEPS = [1, 5, 25, 50, 100];

const PAGE = 50;

/** Most failures first, then the highest bound; events without a pair last. */
const worstFirst = (a, b) => (a.pairs === 0) - (b.pairs === 0) || b.failing - a.failing || (b.bound ?? 0) - (a.bound ?? 0) || byName(a, b);
const byName = (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/** The orders of the columns that have one; the first press of a heading. */
const ORDERS = {
  event: byName, pairs: (a, b) => b.pairs - a.pairs, failing: worstFirst, rate: (a, b) => (b.rate ?? -1) - (a.rate ?? -1), "95 % bound": (a, b) => (b.bound ?? -1) - (a.bound ?? -1),
};

export function build(element, { go, inView, state }) {
  let chosen = null, field = null, asked = null, isShown = false, answer = null;
  const days = keptDays(), overView = view("over");
  const summary = h("div", { class: "parity-summary" });
  const over = h("div", { class: "chart-place" });
  const events = h("div", { class: "scroll parity-events" });
  const order = { column: "failing", isReversed: false }, page = { first: 0 };
  const search = h("input", { type: "search", id: "parity-search", placeholder: "Name contains", "aria-label": "Events whose name contains", autocomplete: "off", spellcheck: "false", oninput: () => { page.first = 0; showEvents(); } });
  const pages = h("div", { class: "toolbar pages" });
  const fields = h("div", { class: "parity-fields" });
  const worst = h("div");

  const split = h("div", { class: "parity-split", hidden: true }, [
    h("div", { class: "column" }, [panel("Over time", over, { id: "over-title" }), panel("By event", [events, pages], { id: "events-title", actions: [search, exportButtons("parity", rows)] })]),
    h("div", { class: "column beside" }, [panel("Fields", fields, { id: "fields-title" }), panel("Worst fields", worst, { id: "worst-title" })]),
  ]);

  replace(element, h("h1", { class: "hidden-label" }, "Parity"), replace(summary, loading()), split, days.element);

  new ResizeObserver(() => answer && drawChart()).observe(over);
  function drawChart() {
    const series = answer.series ?? [];
    const isJudged = series.some(({ judged }) => judged > 0);
    keepingFocus(() => replace(over, isJudged ? chart(series, answer.limit, Math.max(260, over.clientWidth), overView) : h("p", { class: "muted" }, "The chart appears with the first judged event.")));
  }

  async function load() {
    try {
      const found = await get("api/parity");
      if (JSON.stringify(found) === JSON.stringify(answer)) return;
      answer = found;
      show();
    } catch (error) {
      split.hidden = true;
      replace(summary, empty(error.message, error.help));
    }
  }

  function show() {
    const list = (answer.events ?? []).toSorted(worstFirst);
    const pairs = list.reduce((sum, event) => sum + event.pairs, 0);
    const sum = (key) => list.reduce((sum, event) => sum + (event[key] ?? 0), 0);
    const failing = sum("failing"), parts = [["differing", sum("differing")], ["lost", sum("lost")], ["unexpected", sum("unexpected")]];
    keepingFocus(() => replace(summary, list.length
      ? h("p", { class: "lead" }, [h("b", {}, plural(pairs, "pair")), " of ", h("b", {}, plural(list.length, "event")), ", ", h("b", { class: failing ? "differs" : "matched" }, term("failing", `${count(failing)} failing`, "parity-failing")), failing > 0 && ` (${parts.filter(([, number]) => number).map(([word, number]) => `${count(number)} ${word}`).join(", ")})`, answer.limit != null ? `. A raise needs an upper 95 % bound below ${rate(answer.limit)}.` : ".", noiseWords(answer.calibration), answer.restarted && h("span", { class: "muted" }, ` The table changed at ${timeOfDay(answer.restarted)}: the kept pairs were compared again, and the counts restarted with them.`), openWords(sum)])
      : empty("No pair has been compared yet.", "Parity needs both streams: the collector or the debug mirror, and the old log.")));
    split.hidden = !list.length;
    drawChart();
    const isKnown = list.some(({ name }) => name === (asked ?? chosen));
    chosen = isKnown ? asked ?? chosen : list[0]?.name ?? null;
    if (isKnown) asked = null;
    days.offer(asked ?? chosen, answer.limit);
    if (isShown) inView(chosen);
    if (isKnown && asked == null && chosen !== page.of) showPageOf(list, chosen);
    showEvents();
    showFields();
    showWorst(list);
  }

  /** What was not compared or not judged, and contradicting decisions. */
  function openWords(sum) {
    const uncompared = sum("uncompared"), undecided = sum("undecided"), unknown = sum("withoutUnit"), contradicting = sum("contradicting");
    return [
      uncompared > 0 && h("a", { class: "uncompared", href: "#live?state=uncompared" }, ` ${plural(uncompared, "pair")} not compared, so nothing is known of them.`),
      undecided > 0 && h("span", { class: "muted" }, ` ${plural(undecided, "event")} undecided: the revisions that the app may have had disagree.`),
      unknown > 0 && h("span", { class: "muted" }, ` ${plural(unknown, "event")} of unknown units.`),
      contradicting > 0 && h("span", { class: "lost" }, ` ${plural(contradicting, "event")} carry a decision that no app with that revision can have made.`),
    ];
  }

  function noiseWords(noise) {
    return noise && h("span", { class: "noise" }, ` Noise is subtracted: ${count(noise.differing)} of ${plural(noise.pairs, "pair")} differ between two old recordings.`);
  }

  const address = (event, field) => `#parity?${new URLSearchParams(field == null ? { event } : { event, field })}`;

  /** Shows an event's fields, and scrolls to them on a narrow page. */
  function choose(name) {
    [chosen, field, asked] = [name, null, null];
    show();
    history.pushState(null, "", address(name));
    const { top } = fields.getBoundingClientRect();
    if (top > innerHeight - 80) fields.parentElement.scrollIntoView({ block: "start" });
  }

  /** The events of the search, in order. */
  function found() {
    const words = search.value.trim().toLowerCase();
    const list = (answer.events ?? []).filter(({ name }) => !words || name.toLowerCase().includes(words)).toSorted(ORDERS[order.column]);
    return order.isReversed ? list.toReversed() : list;
  }

  /** What is exported. */
  function rows() {
    return found().map(({ name, newName, pairs, uncompared, judged, failing, differing, lost, unexpected, undecided, rate, bound, verdict }) => ({ name, newName, pairs, uncompared, judged, failing, differing, lost, unexpected, undecided, rate, bound, verdict }));
  }

  /** Turns to the page of an event that an address or a press chose. */
  function showPageOf(list, name) {
    page.of = name;
    const index = found().findIndex((event) => event.name === name);
    if (index >= 0) page.first = index - (index % PAGE);
  }

  function showEvents() {
    const list = found();
    page.first = Math.max(0, Math.min(page.first, list.length - 1));
    page.first -= page.first % PAGE;
    const turn = (id, by, text) => h("button", { type: "button", id, class: "small", disabled: page.first + by < 0 || page.first + by >= list.length, onclick: () => { page.first += by; showEvents(); } }, text);
    keepingFocus(() => {
      replace(events, eventTable(list.slice(page.first, page.first + PAGE)));
      replace(pages, list.length > PAGE && [turn("page-before", -PAGE, "Before"), h("span", { role: "status" }, `${count(page.first + 1)} to ${count(Math.min(page.first + PAGE, list.length))} of ${plural(list.length, "event")}`), turn("page-next", PAGE, "Next")],
        !list.length && h("p", { class: "muted", role: "status" }, "No event has such a name."));
    });
  }

  function eventTable(list) {
    const measures = (list[0]?.measures ?? []).map(({ title }) => title);
    const head = ["event", "pairs", "failing", "rate", "95 % bound", ...measures, "verdict", "raise"];
    const scale = Math.max(...list.map(({ bound }) => bound ?? 0), (answer.limit ?? 0) * 2, 0.0001);
    return h("table", { class: "events" }, [
      h("thead", {}, h("tr", {}, head.map((text, index) => h("th", { scope: "col", class: index > 0 && index < 5 + measures.length ? "number" : "", "aria-sort": text === order.column ? (order.isReversed ? "ascending" : "descending") : null }, ORDERS[text] ? sorter(text) : text === "verdict" ? term(text, text, "verdict-term") : text)))),
      h("tbody", {}, list.map((event) => eventRow(event, scale))),
    ]);
  }

  function sorter(column) {
    return h("button", { type: "button", id: `sort-${column}`, class: "link", onclick: () => {
      order.isReversed = order.column === column && !order.isReversed;
      [order.column, page.first] = [column, 0];
      showEvents();
    } }, [column, order.column === column && h("span", { "aria-hidden": "true" }, order.isReversed ? " ↑" : " ↓")]);
  }

  function eventRow(event, scale) {
    const link = h("button", { type: "button", id: `event-${encodeURIComponent(event.name)}`, class: "link", "aria-current": String(event.name === chosen), onclick: () => choose(event.name) }, h("bdi", {}, named(event.name, 300)));
    return h("tr", { class: event.name === chosen ? "chosen" : "" }, [
      h("td", { class: "event-name" }, link),
      h("td", { class: "number", "data-label": "pairs" }, [count(event.pairs), event.uncompared > 0 && h("span", { class: "uncompared" }, ` + ${count(event.uncompared)} not compared`)]),
      h("td", { "data-label": "failing", class: `number ${event.failing ? "differs" : ""}` }, count(event.failing)),
      h("td", { class: "number rate", "data-label": "rate" }, rate(event.rate)),
      h("td", { class: "number bound", "data-label": "bound" }, [h("span", { class: "bound-bar", "aria-hidden": "true", style: { "--part": Math.min(1, (event.bound ?? 0) / scale) } }), h("span", { class: "bound-number" }, rate(event.bound))]),
      ...(event.measures ?? []).map(({ title, text }) => h("td", { class: "number", "data-label": title }, text)),
      h("td", { title: event.summary ?? "" }, h("span", { class: `verdict-word ${event.verdict}` }, verdictWord(event.verdict))),
      h("td", { class: "raise" }, promotion(event)),
    ]);
  }

  /** The raise button. If parity does not allow the raise, the edit is still possible; publishing it needs a confirmation. */
  function promotion(event) {
    const next = STEPS.find((step) => step > (event.percent ?? 0));
    if (next === undefined) return h("span", { class: "muted" }, "at 100 %");
    if (!state.can.publish) return h("span", { class: "muted" }, `at ${percent(event.percent)}`);
    const isHeld = event.verdict !== "allowed", name = visibleText(event.name).slice(0, 200);
    const what = `${name}: now ${percent(event.percent)}. Edits the rollout's text and shows its effect`;
    return h("button", {
      type: "button", id: `raise-${encodeURIComponent(event.name)}`, class: isHeld ? "small held" : "small",
      title: isHeld ? `${what}. Parity does not allow it yet: publishing needs a confirmation` : what,
      "aria-label": `Raise ${name} to ${next} %${isHeld ? ", which parity does not allow yet" : ""}`,
      onclick: () => go("rollout", { promote: event.name, percent: next }),
    }, `to ${next} %`);
  }

  function showFields() {
    const event = answer.events?.find(({ name }) => name === chosen);
    const missing = asked != null && h("p", { class: "lost", role: "status" }, visible(`The address names the event ${asked}, of which this console has seen nothing yet.`, 400));
    if (!event) return replace(fields, missing, h("p", { class: "muted" }, "Choose an event."));
    const rows = (event.fields ?? []).toSorted((a, b) => (a.outcome === "equal") - (b.outcome === "equal") || b.count - a.count);
    const gone = field != null && asked == null && !rows.some(({ path }) => path === field) && h("p", { class: "muted", role: "status" }, visible(`The field ${field} of the address has no finding now.`, 400));
    const lead = h("p", { class: "lead" }, [h("bdi", {}, named(event.name)), event.summary && h("span", { class: "muted" }, visible(` ${event.summary}`, 300))]);
    if (!rows.length) return replace(fields, missing, lead, gone, h("p", { class: event.verdict === "allowed" ? "matched" : "muted" }, event.pairs ? `Every field is equal in ${event.pairs === 1 ? "the one pair" : `all ${count(event.pairs)} pairs`} so far.` : event.uncompared ? "No pair was compared." : "No pair yet."));
    replace(fields, missing, lead, gone,
      h("div", { class: "scroll" }, h("table", { class: "fields" }, [
        h("thead", {}, h("tr", {}, ["field", "outcome", "pairs"].map((text, index) => h("th", { scope: "col", class: index === 2 ? "number" : "" }, text)))),
        h("tbody", {}, rows.map((row) => h("tr", { class: row.path === field ? "chosen" : "" }, [
          h("td", {}, [h("a", { class: "field-link", href: address(event.name, row.path), "aria-current": String(row.path === field) }, h("code", {}, visible(row.path, 200))), row.example != null && h("a", { class: "example", href: `#live?${new URLSearchParams({ event: row.example })}` }, "example")]),
          h("td", {}, h("span", { class: `field-word ${row.outcome}` }, FIELDS[row.outcome] ?? row.outcome)),
          h("td", { class: "number" }, [count(row.count), row.noise > 0 && h("span", { class: "muted" }, ` (noise: ${count(row.noise)})`)]),
        ]))),
      ])));
  }

  function showWorst(list) {
    const all = answer.worst ?? list.flatMap((event) => (event.fields ?? []).filter(({ outcome }) => outcome !== "equal" && outcome !== "ignored").map((field) => ({ event: event.name, ...field })));
    const top = all.toSorted((a, b) => b.count - a.count).slice(0, 8);
    if (!top.length) return replace(worst, h("p", { class: "muted" }, "No field differs."));
    const most = top[0].count || 1;
    replace(worst, h("ol", { class: "worst" }, top.map((field) => h("li", {}, [
      h("span", { class: "worst-name" }, [h("a", { class: "field-link", href: address(field.event, field.path) }, h("code", {}, visible(field.path, 120))), h("span", { class: "muted" }, visible(` ${field.event}`, 120))]),
      h("span", { class: "worst-bar", "aria-hidden": "true", style: { "--part": field.count / most } }),
      h("span", { class: "number" }, `${count(field.count)} ${FIELDS[field.outcome] ?? ""}`),
    ]))));
  }

  // Comparing is expensive for the server, so the page reloads rarely, and only while it is visible.
  setInterval(() => isShown && !document.hidden && load(), 4_000);

  return {
    enter(query) {
      isShown = true;
      field = query.get("field");
      [chosen, asked] = [null, query.get("event")];
      days.load();
      if (answer) show();
      load();
    },
    leave() { isShown = false; },
  };
}
