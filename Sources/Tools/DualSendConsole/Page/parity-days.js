// The panel of the counts that `dualsend parity --trend` kept: one point for each UTC day, and a mark where a revision begins.
import { get } from "./api.js";
import { chart } from "./chart.js";
import { view } from "./plot.js";
import { count, h, keepingFocus, panel, plural, rate, replace, visible } from "./dom.js";

const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
const MAXIMUM_MARKS = 12;

/** A panel that is hidden while there is no file of kept counts. */
export function keptDays() {
  let answer = null, event = null, limit = null, drawn = 0;
  const chosen = view("days");
  const place = h("div", { class: "chart-place" });
  const words = h("p", { class: "muted" });
  const every = h("option", { value: "" }, "all events"), one = h("option", { value: "event" });
  const which = h("select", { id: "days-event", "aria-label": "The events of the plot", onchange: () => load() }, [every, one]);
  const element = panel("By day", [place, words], { id: "days-title", note: "noise is not subtracted", actions: [which] });
  element.hidden = true;

  async function load() {
    const request = (drawn += 1);
    try {
      const found = await get("api/parity/days", which.value === "event" ? { event } : {});
      if (request !== drawn) return;
      answer = found;
    } catch (error) {
      if (request !== drawn) return;
      answer = { days: [], problem: error.message };
    }
    draw();
  }

  function draw() {
    element.hidden = answer == null;
    if (answer == null) return;
    const { days, problem, file } = answer;
    const series = days.map(({ time, judged, failing, bound }) => ({ time, judged, failing, bound }));
    keepingFocus(() => replace(place, series.some(({ judged }) => judged > 0) && chart(series, limit, Math.max(260, place.clientWidth), chosen, { label: (time) => day.format(time), marks: revisionMarks(days), utc: true })));
    const last = days.at(-1);
    replace(words, problem ? visible(problem, 400)
      : !last ? visible(`No day in ${file} has such an event.`, 400)
      : visible(`${plural(days.length, "day")}; ${last.date}: ${count(last.failing)} of ${plural(last.judged, "event")} failing (${rate(last.judged ? last.failing / last.judged : null)}), bound ${rate(last.bound)}. The numbers: dualsend trend ${file}`, 400));
    words.className = problem ? "lost" : "muted";
  }

  new ResizeObserver(() => answer && draw()).observe(place);
  // The file changes once a night.
  setInterval(() => element.isConnected && !document.hidden && load(), 60_000);

  return {
    element, load,
    /** The event that can be shown alone, and the gate's limit. */
    offer(name, gateLimit) {
      const isOther = name !== event || gateLimit !== limit;
      [event, limit] = [name, gateLimit];
      one.hidden = name == null;
      replace(one, name === "" ? "(empty name)" : visible(name ?? "", 80));
      if (isOther && which.value === "event") load();
      else if (isOther) draw();
    },
  };
}

/** The first days of the last revisions. */
function revisionMarks(days) {
  const known = new Set(), marks = [];
  for (const { time, revisions } of days) {
    const fresh = revisions.filter((revision) => revision != null && !known.has(revision));
    fresh.forEach((revision) => known.add(revision));
    if (fresh.length) marks.push({ time, text: `revision ${fresh.at(-1)}` });
  }
  return marks.slice(-MAXIMUM_MARKS);
}
