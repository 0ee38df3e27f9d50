import { get, latest } from "./api.js";
import { complain } from "./dialog.js";
import { count, h, loading as loadingLine, plural, prose, replace, visible } from "./dom.js";
import { exportButtons } from "./export.js";
import { LiveDetail } from "./live-detail.js";
import { LiveFilter } from "./live-filter.js";
import { LiveList } from "./live-list.js";
import { LiveWindow } from "./live-window.js";
import { stateWords } from "./words.js";

const PAGE = 200;
const BUFFER = 5_000;
const PACE = 1_000; // the shortest time between two reloads after gaps

export function build(element, { stream, state, inView }) {
  const held = new LiveWindow();
  const filter = new LiveFilter(() => {
    remember();
    reload();
  });
  let paused = false, scrolled = false, missed = false; // reasons to rest; whether there was a gap meanwhile
  let loading = 0, loadingOlder = false, again = false, waiting = false, loaded = -PACE, buffer = [];

  const detail = new LiveDetail({ onClose: leave, onName: inView, onUnit: (unit) => (filter.unit = unit) });
  const list = new LiveList({
    onChoose: (entry, focus) => {
      detail.show(entry.id, { focus });
      layout();
      remember();
    },
    onLeave: () => detail.id !== null && leave(),
    onScroll: (top) => {
      if (top > 4 === scrolled) return;
      scrolled = top > 4;
      settle();
    },
    onEnd: loadOlder,
  });

  // The list does not move while a pair is open, or the list is scrolled or paused.
  const rests = () => paused || scrolled || detail.id !== null;

  function settle() {
    if (!rests() && (missed || held.unseen)) reload();
    else show();
  }

  function leave() {
    detail.close();
    layout();
    remember();
    list.element.focus();
    settle();
  }

  /** Stores the view in the address, so that it can be shared. */
  function remember() {
    if (!element.isConnected) return;
    const given = Object.entries({ ...filter.query, event: detail.id ?? "" }).filter(([, value]) => value !== "");
    history.replaceState(null, "", given.length ? `#live?${new URLSearchParams(given)}` : "#live");
  }

  // Reloads the list, then adds the entries that the stream delivered meanwhile.
  const search = latest((query, signal) => get("api/live", query, signal));
  const query = () => ({ limit: PAGE, ...filter.query });

  async function reload() {
    loading += 1;
    try {
      const answer = await search(query());
      if (answer) {
        held.reset(answer);
        missed = false;
        list.toTop();
        scrolled = false;
      }
    } catch (error) {
      complain(error);
    }
    loading -= 1;
    loaded = performance.now();
    if (loading) return;
    held.receive(buffer, filter.value, rests());
    buffer = [];
    show();
    if (again) reloadSoon();
  }

  function reloadSoon() {
    again = false;
    if (waiting) return;
    waiting = true;
    setTimeout(() => {
      waiting = false;
      reload();
    }, Math.max(0, loaded + PACE - performance.now()));
  }

  async function loadOlder() {
    if (loadingOlder || loading || held.next == null || held.isFull) return;
    loadingOlder = true;
    try {
      held.addOlder(await get("api/live", { ...query(), before: held.next }));
      show();
    } catch (error) {
      complain(error);
    }
    loadingOlder = false;
  }

  /** The window is full: restarts it below its oldest entry. */
  async function startBelow() {
    try {
      held.reset(await get("api/live", { ...query(), before: held.next }));
      paused = missed = true;
      list.toTop();
      show();
    } catch (error) {
      complain(error);
    }
  }

  stream.addEventListener("entries", ({ detail: batch }) => {
    if (loading || waiting) {
      if (buffer.length < BUFFER) buffer.push(...batch);
      else again = true;
      return;
    }
    held.receive(batch, filter.value, rests());
    if (detail.id !== null && batch.some(({ id }) => id === detail.id)) detail.refresh();
    show();
  });
  stream.addEventListener("gap", () => {
    if (loading) again = true;
    else if (rests()) missed = true;
    else reloadSoon();
    show();
  });
  stream.addEventListener("totals", (event) => (filter.totals = event.detail));
  stream.addEventListener("sources", (event) => showSources(event.detail));

  const pause = h("button", { type: "button", "aria-pressed": "false", class: "pause", onclick: () => { paused = !paused; settle(); } });
  const fresh = h("button", { type: "button", class: "fresh", hidden: true, onclick: () => {
    paused = false;
    detail.close();
    list.active = null;
    layout();
    remember();
    reload();
  } });
  const status = h("span", { class: "live-status muted", role: "status" });
  const nothing = h("div", { class: "live-empty", hidden: true });
  const below = h("button", { type: "button", class: "quiet", hidden: true, onclick: startBelow }, "Older from here");
  const columns = h("div", { class: "live-columns", "aria-hidden": "true" }, ["time", "state", "name", "unit", "decision"].map((text) => h("span", {}, text)));
  const sources = h("ul", { class: "sources", "aria-label": "Sources of events" });
  function showSources(list) {
    sources.hidden = !list.length;
    replace(sources, list.map(source));
  }

  const layout = () => element.classList.toggle("with-detail", detail.id !== null);

  let frame = 0;
  function show() {
    frame ||= requestAnimationFrame(draw);
  }

  function draw() {
    frame = 0;
    const entries = held.list;
    list.entries = entries;
    fresh.hidden = !rests() || !(held.unseen || missed);
    fresh.textContent = missed ? "show the newest" : `${count(held.unseen)} new`;
    pause.setAttribute("aria-pressed", String(paused));
    pause.textContent = paused ? "Resume" : "Pause";
    const found = count(Math.max(held.found ?? 0, entries.length));
    status.textContent = filter.isOn ? `${found} found in the newest ${count(held.searched)}` : paused ? "paused" : rests() ? "not updating" : "";
    below.hidden = !(held.isFull && held.next != null);
    nothing.hidden = entries.length > 0;
    if (!nothing.hidden) replace(nothing, loading > 0 ? loadingLine() : filter.isOn ? nothingFits() : howToBegin());
  }

  replace(
    element,
    h("h1", { class: "hidden-label" }, "Live"),
    filter.fields,
    sources,
    h("div", { class: "toolbar states" }, [filter.states, h("span", { class: "spring" }), status, fresh, pause, exportButtons("events", () => held.list.map(({ time, oldName, newName, unit, outcome, id, ...entry }) => ({ time: new Date(time).toISOString(), oldName, newName, state: stateWords(entry), unit, outcome, id })))]),
    h("div", { class: "live-split" }, [h("div", { class: "live-main" }, [columns, list.element, nothing, below]), detail.element]),
  );
  filter.totals = state.totals;
  showSources(state.sources);
  show();

  return {
    enter(given) {
      filter.take(given);
      list.active = given.get("event");
      if (given.has("event")) detail.show(given.get("event"));
      else detail.close();
      layout();
      remember();
      list.render();
    },
  };
}

const SOURCES = { collector: "Collector", oldLog: "Old log", mirror: "Debug mirror" };

/** What a source of events has brought, with the first malformed event and the last refused request. */
function source({ kind, events, duplicates, malformed, firstMalformed, refused, lastRefusal, note }) {
  const fault = (text, why) => [", ", h("span", { class: "lost" }, [text, ": ", prose(why, 300)])];
  return h("li", {}, [
    h("b", {}, SOURCES[kind] ?? kind), ` ${plural(events, "event")}, ${plural(duplicates, "duplicate")}`,
    malformed > 0 ? fault(`${count(malformed)} malformed, the first`, firstMalformed) : ", 0 malformed",
    refused > 0 && fault(`${plural(refused, "request")} refused, the last`, lastRefusal),
    note && h("span", { class: "muted" }, visible(`. ${note}`, 400)),
  ]);
}

const nothingFits = () => [h("p", {}, "No event matches the filter."), h("p", { class: "muted" }, "Remove a part of the filter, or wait for the next event.")];

function howToBegin() {
  const base = new URL(".", location.href).href;
  const places = { "an app's tracker posts to": "events", "a debug build mirrors its pairs to": "mirror", "apps fetch the rollout from": "rollout.json" };
  return [
    h("p", {}, "No event has arrived yet."),
    h("dl", {}, Object.entries(places).flatMap(([what, path]) => [h("dt", {}, what), h("dd", {}, h("code", {}, visible(base + path)))])),
  ];
}
