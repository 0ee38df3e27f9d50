import { get, latest } from "./api.js";
import { complain } from "./dialog.js";
import { count, debounce, h, replace, visible } from "./dom.js";
import { LiveDetail } from "./live-detail.js";
import { LiveList } from "./live-list.js";
import { LiveWindow } from "./live-window.js";
import { STATES, stateMark } from "./words.js";

const PAGE = 200;
const BUFFER = 5_000;

export function build(element, { stream, state, go }) {
  const held = new LiveWindow();
  const filter = { unit: "", name: "", q: "", states: new Set() };
  let paused = false, scrolled = false, loading = 0, again = false, older = false, buffer = [];
  const rests = () => paused || scrolled || detail.id !== null;

  const list = new LiveList({
    onChoose: (entry, focus) => detail.show(entry.id, { focus }).then(() => layout()),
    onScroll: (top) => { const now = top > 4; if (now !== scrolled) { scrolled = now; settle(); } },
    onEnd: loadOlder,
  });
  const detail = new LiveDetail({
    onClose: () => { detail.close(); layout(); list.element.focus(); settle(); },
    onUnit: (unit) => { controls.unit.value = unit; change(); },
  });

  // Reading the list: what the stream brings meanwhile is put on top of it, by sequence.
  const search = latest((query, signal) => get("api/live", query, signal));
  const query = () => ({ limit: PAGE, unit: filter.unit, name: filter.name, q: filter.q, state: [...filter.states].join(",") });
  async function reload() {
    loading += 1;
    try {
      const answer = await search(query());
      if (answer) {
        held.reset(answer);
        list.toTop();
        scrolled = false;
      }
    } catch (error) {
      complain(error);
    }
    loading -= 1;
    if (loading) return;
    held.receive(buffer, filter, rests());
    buffer = [];
    show();
    if (again) { again = false; setTimeout(reload, 500); }
  }

  async function loadOlder() {
    if (older || loading || held.next == null || held.isFull) return;
    older = true;
    try {
      held.addOlder(await get("api/live", { ...query(), before: held.next }));
      show();
    } catch (error) {
      complain(error);
    }
    older = false;
  }

  async function continueOlder() {
    try {
      const answer = await get("api/live", { ...query(), before: held.next });
      held.reset(answer);
      list.toTop();
      paused = true;
      show();
    } catch (error) {
      complain(error);
    }
  }

  // While a pair is open, the list is scrolled or paused, nothing moves under the reader's eyes.
  function settle() {
    if (!rests() && held.unseen) reload();
    else show();
  }

  stream.addEventListener("entries", ({ detail: batch }) => {
    if (loading) {
      if (buffer.length < BUFFER) buffer.push(...batch);
      else again = true;
      return;
    }
    held.receive(batch, filter, rests());
    if (detail.id !== null && batch.some((entry) => entry.id === detail.id)) detail.refresh();
    show();
  });
  stream.addEventListener("gap", () => (loading ? (again = true) : rests() ? held.receive([], filter, true) : reload()));
  stream.addEventListener("totals", (event) => showTotals(event.detail));

  const change = debounce(150, () => {
    filter.unit = controls.unit.value.trim();
    filter.name = controls.name.value.trim();
    filter.q = controls.q.value.trim();
    reload();
  });
  const field = (id, label, props = {}) => {
    const input = h("input", { type: "search", id: `live-${id}`, placeholder: label, autocomplete: "off", spellcheck: "false", oninput: change, ...props });
    return [h("label", { for: `live-${id}`, class: "hidden-label" }, label), input];
  };
  const [qLabel, q] = field("q", "Search", { class: "grow" });
  const [nameLabel, name] = field("name", "Name contains");
  const [unitLabel, unit] = field("unit", "Unit");
  const controls = { q, name, unit };
  const mine = h("button", { type: "button", onclick: takeMine, title: "The unit of the device in your hand" }, "My device");

  function takeMine() {
    const kept = localStorage.getItem("my-device");
    if (unit.value.trim() && unit.value.trim() !== kept) {
      localStorage.setItem("my-device", unit.value.trim());
    } else if (kept && unit.value.trim() !== kept) unit.value = kept;
    else if (kept) unit.value = "";
    else { unit.focus(); unit.placeholder = "Your device's unit, then “My device”"; return; }
    change();
  }

  const chips = Object.fromEntries(Object.entries(STATES).map(([key, { label, hint }]) => {
    const number = h("span", { class: "number" }, "0");
    const button = h("button", { type: "button", class: `chip ${key}`, "aria-pressed": "false", title: hint, onclick: () => {
      if (!filter.states.delete(key)) filter.states.add(key);
      button.setAttribute("aria-pressed", String(filter.states.has(key)));
      reload();
    } }, [stateMark(key), label, number]);
    return [key, { button, number }];
  }));
  const showTotals = (totals) => {
    for (const [key, { number }] of Object.entries(chips)) number.textContent = count(totals?.[key] ?? 0);
  };

  const pause = h("button", { type: "button", "aria-pressed": "false", class: "pause", onclick: () => { paused = !paused; settle(); } });
  const fresh = h("button", { type: "button", class: "fresh", hidden: true, onclick: () => {
    paused = false;
    if (detail.id !== null) { detail.close(); list.active = null; layout(); }
    reload();
  } });
  const status = h("span", { class: "live-status muted", role: "status" });
  const nothing = h("div", { class: "live-empty", hidden: true });
  const end = h("button", { type: "button", class: "quiet", hidden: true, onclick: continueOlder }, "Older from here");

  let frame = 0;
  function show() {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      const entries = held.list;
      list.entries = entries;
      fresh.hidden = !rests() || held.unseen === 0;
      fresh.textContent = `${count(held.unseen)}${held.unseen >= 9_999 ? "+" : ""} new`;
      pause.setAttribute("aria-pressed", String(paused));
      pause.textContent = paused ? "Go on" : "Pause";
      const isFiltered = filter.unit || filter.name || filter.q || filter.states.size;
      const found = count(Math.max(held.found ?? 0, entries.length));
      status.textContent = isFiltered ? `${found} found in the newest ${count(held.searched)}` : paused ? "paused" : rests() ? "resting while you look" : "";
      end.hidden = !(held.isFull && held.next != null);
      nothing.hidden = entries.length > 0 || loading > 0;
      if (!nothing.hidden) showNothing(isFiltered);
    });
  }

  function showNothing(isFiltered) {
    if (isFiltered) return replace(nothing, h("p", {}, "Nothing fits."), h("p", { class: "muted" }, "Take a filter away, or wait for the next event."));
    const base = new URL(".", location.href).href;
    replace(nothing, h("p", {}, "No event has come yet."), h("dl", {}, [
      h("dt", {}, "an app's tracker posts to"), h("dd", {}, h("code", {}, visible(`${base}events`))),
      h("dt", {}, "a debug build mirrors its pairs to"), h("dd", {}, h("code", {}, visible(`${base}mirror`))),
      h("dt", {}, "apps fetch the rollout from"), h("dd", {}, h("code", {}, visible(`${base}rollout.json`))),
    ]));
  }

  const columns = h("div", { class: "live-columns", "aria-hidden": "true" }, ["time", "state", "name", "unit", "decision"].map((text) => h("span", {}, text)));
  const layout = () => element.classList.toggle("with-detail", detail.id !== null);
  replace(
    element,
    h("h1", { class: "hidden-label" }, "Live"),
    h("div", { class: "toolbar", role: "search" }, [qLabel, q, nameLabel, name, unitLabel, unit, mine]),
    h("div", { class: "toolbar states" }, [h("div", { class: "chips", role: "group", "aria-label": "States" }, Object.values(chips).map(({ button }) => button)), h("span", { class: "spring" }), status, fresh, pause]),
    h("div", { class: "live-split" }, [h("div", { class: "live-main" }, [columns, list.element, nothing, end]), detail.element]),
  );
  showTotals(state.totals);
  show();
  reload();

  return {
    enter(given) {
      let changed = false;
      for (const key of ["unit", "name", "q"]) if (given.has(key)) { controls[key].value = given.get(key); changed = true; }
      if (given.get("state")) { filter.states = new Set(given.get("state").split(",")); for (const [key, { button }] of Object.entries(chips)) button.setAttribute("aria-pressed", String(filter.states.has(key))); changed = true; }
      if (changed) change();
      list.render();
    },
  };
}
