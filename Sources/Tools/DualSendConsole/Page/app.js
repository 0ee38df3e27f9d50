// The frame of the page: navigation, the live document, the connection and the theme.
import { showAlarm, showTitle } from "./alarm.js";
import { get } from "./api.js";
import { complain } from "./dialog.js";
import { h, remembered, replace } from "./dom.js";
import { copyLink } from "./export.js";
import { explain } from "./help.js";
import { showStop, stop } from "./stop.js";
import { StreamSource } from "./stream-source.js";

const rooms = {
  live: () => import("./live.js"),
  rollout: () => import("./rollout.js"),
  parity: () => import("./parity.js"),
  table: () => import("./table.js"),
};

/** The server's events: from the stream that all tabs share, or from its own if the browser has no `SharedWorker`. */
class Stream extends EventTarget {
  state = "connecting";

  start(after) {
    if (typeof SharedWorker !== "function") return this.#alone(after);
    const worker = new SharedWorker("stream-worker.js", { type: "module" });
    const { port } = worker;
    port.onmessage = ({ data }) => this.#take(data.name, data.detail);
    worker.onerror = () => this.#alone(after);
    port.postMessage({ join: after });
    addEventListener("pagehide", () => port.postMessage({ leave: true }));
    // After a return from the back-forward cache, reloads the missed events.
    addEventListener("pageshow", (event) => event.persisted && port.postMessage({ join: -1 }));
  }

  #alone(after) {
    new StreamSource((name, detail) => this.#take(name, detail)).start(after);
  }

  #take(name, detail) {
    if (name === "state") this.state = detail;
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

const main = document.getElementById("room");
const context = { stream: new Stream(), state: null, go, inView };
const built = new Map();
let current = null;

/** `#room` or `#room?key=value`. Each room reads its own query. */
function address() {
  const [name, query] = location.hash.slice(1).split("?");
  return { name: Object.hasOwn(rooms, name) ? name : "live", query: new URLSearchParams(query) };
}

function go(name, query = {}) {
  const text = new URLSearchParams(query).toString();
  location.hash = text ? `${name}?${text}` : name;
}

let event = null;
/** The rooms name the event that they show alone, so that it can be stopped from the frame. */
function inView(name) {
  event = name ?? null;
  showStop(document.getElementById("stop"), context.state, event, context.reloadState);
}

function alarm(detail) {
  const { can, document: live } = Object.assign(context.state, { alarm: detail });
  showAlarm(detail, live && can.publish ? (name) => stop(name, context.reloadState) : null);
}

async function show() {
  const { name, query } = address();
  if (location.hash === "#room") return main.focus();
  if (!built.has(name)) {
    const element = h("div", { class: `room room-${name}` });
    built.set(name, rooms[name]().then((module) => ({ element, ...module.build(element, context) })));
  }
  let room;
  try {
    room = await built.get(name);
  } catch (error) {
    built.delete(name);
    return complain(error);
  }
  if (address().name !== name) return;
  if (current !== room) {
    current?.leave?.();
    current = room;
    replace(main, room.element);
    for (const link of document.querySelectorAll(".tabs a")) {
      if (link.dataset.room === name) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
      if (link.dataset.room === name) link.hash = name;
    }
    showTitle(`${name[0].toUpperCase()}${name.slice(1)}`);
    inView(null);
  }
  room.enter?.(query);
}

const CONNECTION = {
  live: "live",
  connecting: "connecting",
  reconnecting: "connection lost, trying again",
  crowded: "too many pages follow: this one refreshes every few seconds",
};

function showConnection() {
  const element = document.getElementById("connection");
  element.dataset.state = context.stream.state;
  replace(element, h("span", { class: "dot", "aria-hidden": "true" }), h("span", {}, CONNECTION[context.stream.state]));
}

function showState() {
  inView(event);
  alarm(context.state.alarm);
  const { document: live, showValues } = context.state;
  replace(
    document.getElementById("document"),
    live ? [h("span", { class: "fact-name", title: live.name, text: live.name.split("/").at(-1) }), " revision ", h("b", {}, String(live.revision ?? "–")), live.problem && h("span", { class: "lost", title: live.problem }, " broken on disk")] : "no document",
  );
  document.getElementById("link").title = context.state.reading ? "Copies a link to this view by which one can only read" : "This page came by a link for reading";
  replace(document.getElementById("values"), showValues ? "values shown" : "values hidden");
  document.getElementById("values").title = showValues
    ? "Started with --show-values: payload values reach this page"
    : "Payload values stay on the server; start the console with --show-values to see them";
}

async function loadState() {
  context.state = await get("api/state");
  showState();
  return context.state;
}

// "auto" follows the system.
const THEMES = ["auto", "light", "dark"];
const dark = matchMedia("(prefers-color-scheme: dark)");
let theme = remembered("theme") ?? "auto";

function showTheme() {
  const isDark = theme === "dark" || (theme === "auto" && dark.matches);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  const button = document.getElementById("theme");
  replace(button, h("span", { class: "theme-word" }, "theme: "), theme);
  button.setAttribute("aria-label", `Theme: ${theme}. Change it`);
}

document.getElementById("theme").addEventListener("click", () => {
  theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  remembered("theme", theme);
  showTheme();
});
dark.addEventListener("change", showTheme);
showTheme();

document.getElementById("link").addEventListener("click", () => copyLink(context.state?.reading));
document.getElementById("words").addEventListener("click", () => explain());

context.reloadState = () => loadState().catch(complain);
context.stream.addEventListener("state", showConnection);
context.stream.addEventListener("rollout", context.reloadState);
context.stream.addEventListener("table", context.reloadState);
// A room that is opened later begins with the newest counts.
for (const name of ["totals", "sources"]) context.stream.addEventListener(name, ({ detail }) => (context.state[name] = detail));
context.stream.addEventListener("alarm", ({ detail }) => alarm(detail));
showConnection();
addEventListener("hashchange", ({ oldURL }) => {
  // The tab of a room leads back to what was selected there; an address has only what it says.
  const left = new URL(oldURL).hash, link = document.querySelector(`.tabs [data-room="${CSS.escape(left.slice(1).split("?")[0])}"]`);
  if (link && link.dataset.room !== address().name) link.hash = left;
  show();
});

try {
  await loadState();
  // The stream's start is set before the room loads its list, so that both overlap and leave no gap.
  context.stream.start(context.state.newest ?? 0);
  await show();
} catch (error) {
  replace(main, h("div", { class: "empty" }, [h("p", {}, error.message), h("p", { class: "muted" }, error.help ?? "")]));
}
document.documentElement.dataset.ready = "true";
