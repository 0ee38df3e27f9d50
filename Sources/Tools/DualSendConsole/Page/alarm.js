// The banner of every page: an alarm, with title and icon, while an event fails too often; and what followed each stop.
import { count, dayBeside, dayOf, h, named, plural, rate, remembered, replace, timeOfDay, visible } from "./dom.js";

const icon = (colour) => `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="${colour}"/></svg>`)}`;
// Quiet is grey: without a comparison, nothing is good.
const [QUIET, LOUD] = [icon("#6b7280"), icon("#d3322c")];

const banner = document.getElementById("alarm");
const spoken = h("b", { role: "alert" });
const list = h("ul", {});
const sound = h("button", { type: "button", class: "small", onclick: () => {
  remembered("sound", isLoud() ? "off" : "on");
  showSound();
  if (isLoud()) beep();
} });
const isLoud = () => remembered("sound") === "on";
const showSound = () => replace(sound, isLoud() ? "Sound is on" : "Sound is off");
replace(banner, h("div", { class: "alarm-head" }, [spoken, h("span", { class: "spring" }), sound]), list);

let room = "", known = new Set(), broken = 0;

/** The page's title, with the number of broken events before the room's name. */
export function showTitle(name = room) {
  room = name;
  document.title = `${broken ? `(${broken}!) ` : ""}${room} · DualSend console`;
}

/** `onStop` is called with the name of an event to stop; it is null if this console cannot publish. */
export function showAlarm({ count: number, limit, events, stops }, onStop) {
  broken = number;
  showTitle();
  showSound();
  document.querySelector("link[rel=icon]").href = number ? LOUD : QUIET;
  banner.hidden = number === 0 && stops.length === 0;
  banner.classList.toggle("calm", number === 0);
  const text = number ? `${plural(number, "event")} ${number === 1 ? "fails" : "fail"} more often than ${rate(limit)}` : `${plural(stops.length, "stop")} in force`;
  if (spoken.textContent !== text) spoken.textContent = text;
  const shown = events.slice(0, 3);
  const focus = document.activeElement?.closest("#alarm li")?.dataset.name;
  replace(list, shown.map((event) => item(event, onStop)), number > shown.length && h("li", {}, h("a", { href: "#parity" }, `and ${count(number - shown.length)} more`)), stops.map(stopped));
  if (focus != null) list.querySelector(`li[data-name="${CSS.escape(focus)}"] :is(a, button)`)?.focus();
  if (isLoud() && events.some(({ name }) => !known.has(name))) beep();
  known = new Set(events.map(({ name }) => name));
}

function stopped({ events, time, user, old, new: late, newest }) {
  const when = (time) => `${dayBeside(time, dayOf(Date.now()))} ${timeOfDay(time)}`.trim();
  const words = ` stopped ${when(time)} by ${user}; since then ${plural(old, "event")} of it reached the old logger and ${late ? `${count(late)} the new tracker, the last logged ${when(newest)}` : "none the new tracker"}`;
  return h("li", {}, h("span", {}, [h("bdi", {}, events.includes("*") ? "All events" : named(events.join(", "), 120)), visible(words, 300)]));
}

function item({ name, recent, canStop }, onStop) {
  const words = recent.map(({ minutes, judged, failing, rate: share }) => `${minutes} min: ${judged ? `${rate(share)} (${count(failing)} of ${count(judged)})` : "nothing judged"}`);
  return h("li", { "data-name": name }, [
    h("a", { href: `#parity?${new URLSearchParams({ event: name })}` }, h("bdi", {}, named(name, 120))),
    h("span", {}, words.join(", ")),
    onStop && canStop && h("button", { type: "button", class: "small stops", onclick: () => onStop(name) }, "Stop it"),
  ]);
}

function beep() {
  const audio = new AudioContext(), tone = audio.createOscillator();
  tone.connect(audio.destination);
  tone.onended = () => audio.close();
  tone.start();
  tone.stop(audio.currentTime + 0.25);
}
