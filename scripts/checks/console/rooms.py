"""Parity and the table: their contents with real events, and their actions."""

import json
import time
import uuid

from selenium.webdriver.common.keys import Keys

from servers import FIXTURES, Console, Process, pair, until


def parity_offers_an_edit_with_its_proof(browser, servers):
    old_log = servers.path / "old.jsonl"
    old_log.touch()
    console = servers.console("--old-log", old_log, "--show-values", rollout="legacy/rollout-3.json")
    events = servers.path / "events.jsonl"
    events.write_bytes(b"".join((FIXTURES / "legacy/events.jsonl").read_bytes().splitlines(keepends=True)[:600]))
    servers.start(
        Process, "replay", "--events", events, "--remap", servers.table, "--rollout", servers.rollout,
        "--endpoint", console.address + "events", "--database", servers.path / "events.sqlite", "--output", old_log,
    ).finish()
    until(lambda: console.json("api/state")["totals"]["matched"] >= 600, "600 pairs")

    # Back to a low share, so that there is something to raise.
    text = servers.rollout.read_text().replace('"shouldSendLogToNewTracker": 100', '"shouldSendLogToNewTracker": 5')
    servers.rollout.write_text(text)
    browser.open(console.address, "parity")
    browser.until_text(".parity-summary", "600 pairs")
    browser.until(lambda: browser.find(".chart .rate"), "the chart")
    browser.until_text(".events", "home.screen.view")
    browser.click(".event-name .link", "home.screen.view")
    browser.until_text(".parity-fields", "home.screen.view")
    browser.until_text(".parity-fields", "Every field is equal")
    row = next(row for row in browser.all(".events tbody tr") if "home.screen.view" in row.text)
    row.find_element("css selector", "button.small").click()
    browser.until(lambda: browser.find(".room-rollout"), "the rollout's room")
    browser.until_text(".offer", "home.screen.view")
    browser.until(lambda: '"home.screen.view"' in browser.run("return document.querySelector('#rollout-text').value"), "the edit in the text")
    browser.until_text(".verdict", "change")
    assert "home.screen.view" not in servers.rollout.read_text(), "nothing is live before it is published"


def the_kept_days_are_plotted(browser, servers):
    console = servers.console("--show-values")
    browser.open(console.address, "parity")
    browser.until_text(".parity-summary", "No pair")
    assert browser.run("return document.querySelector('[aria-labelledby=days-title]').hidden"), "no panel without kept days"
    streams = {}
    for side, line in (("old", lambda id, day, value: {"decision": f"{day // 2}:both", "eventId": id, "name": "a.view", "parameters": {"a": 1}, "time": 1_800_000_000_000 + day * 86_400_000}),
                       ("new", lambda id, day, value: {"eventId": id, "eventName": "a.view", "payload": {"a": value}, "eventTime": 1_800_000_000_000 + day * 86_400_000})):
        streams[side] = servers.path / f"{side}-days.jsonl"
        streams[side].write_text("".join(json.dumps(line(f"{day}-{number}", day, 1 if number else day % 2)) + "\n" for day in range(6) for number in range(50)))
    table = servers.path / "no-rows.json"
    table.write_text('{"formatVersion": 1, "events": {}}')
    servers.start(Process, "parity", "--old", streams["old"], "--new", streams["new"], "--remap", table, "--trend", f"{servers.rollout}.parity.jsonl").finish()
    browser.open(console.address, "parity")
    browser.until_text(".room-parity", "6 days; 2027-01-20")
    browser.until_text(".room-parity", "the beginning of revision 0, revision 1, revision 2")
    assert len(browser.all(".chart .revision")) == 3
    written = browser.run("return [...document.querySelectorAll('#plot-days .axis')].map(({ textContent }) => textContent)")
    assert "revision 0" in written and "15 Jan 2027" in written and "0.00 %" in written, written
    # The numbers of the picture, as a table and read with the keys.
    table = browser.run("return [...document.querySelectorAll('[aria-labelledby=days-title] .numbers tbody tr')].map((row) => [...row.cells].map(({ textContent }) => textContent))")
    assert [row[:4] for row in table[:2]] == [["20 Jan 2027", "50", "0", "0.00 %"], ["19 Jan 2027", "50", "1", "2.00 %"]], table
    browser.run("document.querySelector('#plot-days').focus()")
    browser.press(Keys.ARROW_LEFT)
    browser.until_text("[aria-labelledby=days-title] .readout", "19 Jan 2027 · judged 50 · failing 1")
    browser.press(Keys.HOME)
    value = browser.find("#plot-days").get_attribute("aria-valuetext")
    assert value.startswith("15 Jan 2027 · judged 50"), value
    console.mirror(*(pair(name, old={"a": 1}, new={"a": 2}) for name in ("b.view", "a.view")))
    browser.open(console.address, "parity?event=b.view&field=a")
    browser.until_text(".parity-fields tr.chosen", "a")
    browser.run("const which = document.querySelector('#days-event'); which.value = 'event'; which.dispatchEvent(new Event('change'))")
    browser.until_text(".room-parity", "has such an event")
    browser.click(".event-name .link", "a.view")
    browser.until_text(".room-parity", "6 days; 2027-01-20")
    browser.run("history.back()")
    browser.until_text(".parity-fields .lead", "b.view")
    browser.open(console.address, "parity?event=gone.view")
    browser.until_text(".parity-fields", "The address names the event gone.view")


def a_thin_day_does_not_flatten_the_others(browser, servers):
    days = [{"time": 1_790_000_000_000 + day * 86_400_000, "judged": 3 if day == 2 else 10_000, "failing": 3 if day == 2 else 50, "bound": 1 if day == 2 else 0.007} for day in range(5)]
    console = servers.console("--show-values")
    browser.open(console.address, "parity")
    drawn = browser.run("""const [days] = arguments; return import('./chart.js').then(async ({ chart }) => {
        const { view } = await import('./plot.js');
        const figure = chart(days, 0.001, 600, view('test'), { utc: true });
        document.body.append(figure);
        const label = [...figure.querySelectorAll('.tick')].map(({ textContent }) => parseFloat(textContent));
        const limit = Number(figure.querySelector('.limit').getAttribute('y1')), lines = [...figure.querySelectorAll('.grid')].map((line) => Number(line.getAttribute('y1')));
        const texts = figure.textContent;
        figure.remove();
        return { top: label.at(-1), limit, lines, texts, above: figure.querySelectorAll('.above').length };
    });""", days)
    assert 0.7 <= drawn["top"] <= 1 and drawn["above"] == 1 and "1 point above the scale" in drawn["texts"], drawn
    assert min(drawn["lines"][:2]) < drawn["limit"] < drawn["lines"][0], f"the limit is in the picture: {drawn}"
    assert "100.0 %" in drawn["texts"], "the table has the true rate of the thin day"


def thousands_of_events_are_searched_sorted_and_paged(browser, servers):
    console = servers.console("--show-values")
    names = [f"screen.{number:04}.view" for number in range(4_000)]
    for start in range(0, len(names), 500):
        console.mirror(*(pair(name, old={"a": 1}, new={"a": 1}) for name in names[start : start + 500]))
    console.mirror(*(pair("screen.2718.view", old={"a": 1}, new={"a": 2}) for _ in range(3)))
    browser.open(console.address, "parity")
    browser.until_text(".pages", "1 to 50 of 4,000 events")
    assert browser.all(".events tbody tr")[0].text.startswith("screen.2718.view"), "worst first"
    browser.click("#page-next")
    browser.until_text(".pages", "51 to 100 of 4,000 events")
    browser.click("#sort-event")
    browser.until(lambda: browser.find(".events tbody tr").text.startswith("screen.0000.view"), "sorted by name")
    assert browser.find(".events th[aria-sort]").text.startswith("event")
    browser.click("#sort-event")
    browser.until(lambda: browser.find(".events tbody tr").text.startswith("screen.3999.view"), "the other way")
    taken = browser.run("""const begun = performance.now(); document.querySelector('#sort-event').click();
        document.body.getBoundingClientRect(); return performance.now() - begun;""")
    browser.figure(f"a redraw of a page of 4,000 events: {taken:.0f} ms")
    browser.write("#parity-search", "27.18")
    browser.until_text(".pages", "No event has such a name")
    browser.write("#parity-search", "2718")
    browser.until(lambda: len(browser.all(".events tbody tr")) == 1, "found by name")
    browser.open(console.address, "parity?event=screen.3333.view")
    browser.until_text(".events tr.chosen", "screen.3333.view")


def an_event_is_found_by_all_that_holds_of_it(browser, servers):
    console = servers.console("--show-values")
    console.mirror(pair("a.view", old={"a": 1}, new={"a": 2}, outcome="oldOnly"), pair("b.view", old={"a": 1}, new={"a": 1}, outcome="oldOnly"), pair("c.view", old={"a": 1}, new={"a": 2}))
    for state, names in (("differs", {"a.view", "c.view"}), ("unexpected", {"a.view", "b.view"}), ("matched", set())):
        browser.open(console.address, f"live?state={state}")
        browser.until(lambda: {name for name in ("a.view", "b.view", "c.view") if any(name in row for row in browser.rows())} == names, f"{state}: {names}, not {browser.rows()}")
    console.mirror(*(pair("d.view", old={"a": 1}, new={"a": 1}) for _ in range(5)))
    browser.open(console.address, "live")
    browser.until(lambda: len(browser.rows()) == 8, "all events")
    browser.run("document.querySelector('.live-list').focus()")
    browser.press("n")
    browser.until_text(".live-detail", "c.view")
    browser.press("n", "n", "n")
    browser.until_text(".live-detail", "a.view")
    browser.press("N")
    browser.until_text(".live-detail", "b.view")
    browser.open(console.address, "live?state=differs")
    browser.until_text(".live-list", "unexpected, differs")
    assert browser.find(".chip.differs .number").text == "2" and browser.find(".chip.unexpected .number").text == "2"
    [differing] = {sum(event["differing"] for event in console.json("api/parity")["events"])}
    assert differing == 2, "Live and Parity count the same"


def what_is_in_view_is_saved_and_shared(browser, servers):
    console = servers.console("--show-values")
    console.mirror(pair("=a.view", old={"a": 1}, new={"a": 2}), pair("b.view", old={"a": 1}, new={"a": 1}))
    browser.open(console.address, "live?state=differs")
    browser.until(lambda: len(browser.rows()) == 1, "the event that differs")
    saved = "const kept = []; const make = URL.createObjectURL; URL.createObjectURL = (blob) => { kept.push(blob); return make(blob); }; HTMLAnchorElement.prototype.click = () => {}; for (const button of document.querySelectorAll(arguments[0])) button.click(); URL.createObjectURL = make; return Promise.all(kept.map((blob) => blob.text()));"
    table, rows = browser.run(saved, ".toolbar.states [aria-label^=Save]")
    [row] = json.loads(rows)
    assert row["oldName"] == "=a.view" and row["state"] == "differs" and "'=a.view" in table, (table, rows)
    browser.open(console.address, "parity?event=b.view")
    browser.until_text(".events", "b.view")
    table, rows = browser.run(saved, ".room-parity [aria-label^=Save]")
    assert {row["name"]: row["failing"] for row in json.loads(rows)} == {"=a.view": 1, "b.view": 0}
    link = browser.run("""let text; navigator.clipboard.writeText = async (given) => { text = given; }; document.querySelector('#link').click();
        return new Promise((done) => setTimeout(() => done(text), 50));""")
    assert link.endswith("#parity?event=b.view") and not link.startswith(console.address), link
    browser.driver.get(link)
    browser.until_text(".parity-fields .lead", "b.view")
    assert not browser.find("#stop").is_displayed(), "a reader can stop nothing"
    browser.go("rollout")
    browser.until(lambda: browser.find("#publish"), "the rollout")
    assert browser.find("#publish").get_attribute("disabled")


def the_worst_event_stands_first(browser, servers):
    console = servers.console("--show-values")
    names = [f"screen.{number}" for number in range(40)]
    console.mirror(*(pair(name, old={"a": 1}, new={"a": 1}) for name in names for _ in range(2 if name == "screen.3" else 1)))
    console.mirror(*(pair("zoom.pinch_out", old={"a": 1}, new={"a": 2}) for _ in range(2)))
    browser.open(console.address, "parity")
    browser.until(lambda: len(browser.all(".events tbody tr")) == 41, "41 events")
    order = [row.text.split()[0] for row in browser.all(".events tbody tr")]
    assert order[0] == "zoom.pinch_out" and order[-1] == "screen.3", order
    held = browser.find(".events tbody tr:first-child button.held")
    assert held and "parity does not allow" in held.get_attribute("aria-label"), "a raise that parity refuses does not look allowed"
    for width in (1280, 400):
        browser.size(width)
        browser.click(".event-name .link", "screen.27")
        browser.until_text(".parity-fields", "screen.27")
        inside = "const { top, bottom } = document.querySelector('.parity-fields').getBoundingClientRect(); return top >= 0 && bottom <= innerHeight"
        assert browser.run(inside), f"the chosen event is not visible at {width} px"
    browser.until_text(".parity-fields", "Every field is equal in the one pair so far")
    assert "matched" not in browser.find(".parity-fields > p:last-child").get_attribute("class"), "too few pairs must not look good"


def a_picture_has_the_numbers_of_its_report(browser, servers):
    console = servers.console("--show-values")
    alone = [{**pair("a.view", new={"a": 1}, outcome="neither"), "old": None} for _ in range(13)]
    console.mirror(*alone)
    browser.open(console.address, "parity")
    # No pair at all, and everything judged fails.
    browser.until(lambda: browser.find(".chart .rate-end"), "the chart without a pair")
    assert "now 100.0 %" in browser.find(".chart").get_attribute("aria-label"), browser.find(".chart").get_attribute("aria-label")
    console.mirror(*(pair("a.view", old={"a": 1}, new={"a": 1}) for _ in range(12)))
    browser.until(lambda: "now 52.0 %" in browser.find(".chart").get_attribute("aria-label"), "13 of 25")
    [event] = console.json("api/parity")["events"]
    assert (event["judged"], event["failing"], event["pairs"]) == (25, 13, 12), event
    assert browser.find(".events td.rate").text == "52.0 %"
    # The height of the last point, read by the labels of the axis, is the rate.
    drawn = browser.run("""const chart = document.querySelector('.chart'), lines = [...chart.querySelectorAll('.grid')].map((line) => Number(line.getAttribute('y1')));
        const labels = [...chart.querySelectorAll('.axis[text-anchor=end]')].slice(0, 3).map((text) => parseFloat(text.textContent));
        const y = Number(chart.querySelector('.rate-end').getAttribute('cy'));
        return labels[2] * (lines[0] - y) / (lines[0] - lines[2]);""")
    assert abs(drawn - 52) < 0.5, drawn


def an_example_opens_its_own_pair(browser, servers):
    console = servers.console("--show-values")
    other, example = pair("a.view", old={"a": 1}, new={"a": 1}), pair("b.view", old={"a": 1}, new={"a": 2})
    console.mirror(other, example)
    browser.open(console.address, f"live?event={other['id']}&q=a.view&state=matched")
    browser.until_text(".live-detail", "a.view")
    browser.go("parity")
    browser.click(".event-name .link", "b.view")
    browser.click(".parity-fields .example")
    browser.until_text(".live-detail", "b.view")
    assert example["id"] in browser.run("return location.hash"), "the address names the pair"
    filled = browser.run("return [...document.querySelectorAll('.room-live input')].map(({ value }) => value).join('')")
    pressed = browser.all(".chip[aria-pressed=true]")
    assert filled == "" and not pressed, f"a filter of the page before stays: {filled}"
    assert len(browser.rows()) == 2


def what_was_not_compared_is_grey_and_allows_nothing(browser, servers):
    console = servers.console("--show-values", table=None)
    console.mirror(*(pair("a.view", old={"a": 1}, new={"a": 2}) for _ in range(60)))
    browser.open(console.address, "live")
    browser.until(lambda: len(browser.rows()) > 5, "the rows")
    assert all("not compared" in row and "matched" not in row for row in browser.rows()), browser.rows()[0]
    totals = console.json("api/state")["totals"]
    assert (totals["matched"], totals["uncompared"]) == (0, 60), totals
    raise_text = servers.rollout.read_text().replace('"shouldSendLogToNewTracker": 25', '"shouldSendLogToNewTracker": 100')
    assert raise_text != servers.rollout.read_text()
    headers = {"Content-Type": "application/json", "Origin": f"{console.place.scheme}://{console.place.netloc}"}
    status, answer = console.ask("POST", "api/rollout/publish", json.dumps({"text": raise_text}), headers)
    assert status == 409 and json.loads(answer)["needs"] == ["parity"], (status, answer[:300])


def the_totals_are_those_of_parity(browser, servers):
    totals_of(browser, servers, 8 * ([10] * 40 + [30_000] * 4 + [100_000] * 2 + [1_000_000]))


def the_totals_of_100_000_pairs_are_those_of_parity(browser, servers):
    # A log waits for room while 50,000 events of it wait for their other side. Those are given up, and taken back later.
    totals_of(browser, servers, 100 * ([10] * 996 + [30_000] * 2 + [100_000] + [1_000_000]), "--lost-after", "5")


def totals_of(browser, servers, sizes, *options):
    """Payloads of these sizes, one stream first, and the table edited in between."""
    streams = {side: servers.path / f"{side}-sizes.jsonl" for side in ("old", "new")}
    lines = {"old": [], "new": []}
    for number, size in enumerate(sizes):
        id, text = str(uuid.UUID(int=number + 1)), "x" * size
        lines["old"].append(json.dumps({"eventId": id, "name": "a.view", "parameters": {"a": text}, "time": number, "decision": "1:both"}) + "\n")
        lines["new"].append(json.dumps({"eventId": id, "eventName": "a.view", "payload": {"b": text + "!" * (number % 9 == 0)}, "eventTime": number}) + "\n")
    table = servers.path / "sizes.json"
    rows = '{"formatVersion": 1, "events": {"a.view": {"parameters": {"a": "%s"}}}}'
    table.write_text(rows % "c")
    for path in streams.values():
        path.write_text("")
    console = servers.console("--old-log", streams["old"], "--new-log", streams["new"], "--from-start", *options, table=table)
    half = len(lines["old"]) // 2
    append = lambda side, some: streams[side].open("a").write("".join(some))
    seen = lambda: {source["kind"]: source["events"] for source in console.json("api/state")["sources"]}
    append("old", lines["old"])
    begun = time.monotonic()
    until(lambda: seen().get("oldLog") == 2 * half, "the old stream", patience=60)
    append("new", lines["new"][:half])
    until(lambda: seen().get("collector") == half, "half of the new stream", patience=60)
    servers.table.write_text(rows % "b")
    until(lambda: console.json("api/parity")["restarted"], "the other table", patience=60)
    append("new", lines["new"][half:])
    until(lambda: seen().get("collector") == 2 * half, "the new stream", patience=60)
    [event] = console.json("api/parity")["events"]
    parity = servers.start(Process, "parity", "--old", streams["old"], "--new", streams["new"], "--remap", servers.table, "--format", "json")
    parity.finish()
    until(lambda: parity.lines and parity.lines[-1].endswith("}"), "the report")
    browser.figure(f"{2 * half:,} pairs of {sum(sizes) * 2 / 1e6:,.0f} MB, and the table edited in between: {time.monotonic() - begun:.0f} s, {console.resident:.0f} MB")
    [expected] = json.loads("".join(parity.lines))["events"]
    for key in ("pairs", "differing"):
        assert event[key] == expected[key], (key, event[key], expected[key])
    assert (event["pairs"], event["uncompared"]) == (2 * half, 0), event
    browser.open(console.address, "parity")
    browser.until_text(".parity-summary", "The table changed at")


def noise_of_two_old_recordings_is_taken_off(browser, servers):
    def recording(name, change):
        lines = [
            {"eventId": str(uuid.UUID(int=number)), "name": "cart.item.add", "parameters": {"sku": "a", "at": number + change * (number < 50)}, "time": number, "unitID": "u"}
            for number in range(100)
        ]
        path = servers.path / name
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return path

    console = servers.console("--calibrate", recording("first.jsonl", 0), "--calibrate", recording("second.jsonl", 1))
    pairs = [pair("cart.item.add", old={"sku": "a", "at": 1}, new={"item_id": "a", "at": 2 if number < 11 else 1}) for number in range(20)]
    console.mirror(*pairs)
    browser.open(console.address, "parity")
    browser.until_text(".parity-summary", "50 of 100 pairs differ between two old recordings")
    browser.until_text(".parity-summary", "1 failing (1 differing)")
    browser.until_text(".parity-fields", "noise: 10")


def rows_are_counted_and_keys_without_one_copied(browser, servers):
    console = servers.console("--show-values")
    names = ["cart.item.add", "cart.item.remove", "no.entry.yet"]
    console.mirror(*(pair(name, old={"sku": "a", "gift": True}, new={"gift": True}) for name in names))
    browser.open(console.address, "table")
    browser.until_text(".keys", "gift 3 events, seen 3 ×")
    browser.until_text(".room-table .lead", "fired")
    browser.until(lambda: browser.find(".line-note.never"), "a row that never fired")
    assert not browser.find(".table-text textarea"), "the table is only shown"
    lines = servers.table.read_text().split("\n")
    shown = browser.run("return [...document.querySelectorAll('.code-line')].map((each) => [...each.children].map((cell) => cell.textContent))")
    assert [text for _, _, text in shown] == lines and [int(number) for number, _, _ in shown] == list(range(1, len(lines) + 1))
    counted = [(text, times) for _, times, text in shown if times]
    assert all(":" in text for text, _ in counted), counted
    times = {times for _, times in counted}
    assert "never" in times and times & {"1", "2"}, times

    browser.click(".never-list .place")
    browser.until(lambda: browser.find(".code-line.marked .never"), "the row in sight")
    browser.run("navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }")
    browser.click("#copy-keys")
    browser.until_text("#notices", "Copied")
    copied = json.loads(browser.run("return copied"))
    assert set(copied) == set(names) and all(each["parameters"]["gift"] == "gift" for each in copied.values()), copied


def what_a_payload_was_not_found_by_is_said(browser, servers):
    console = servers.console("--show-values")
    browser.open(console.address, "table")
    browser.until(lambda: browser.find(".line-note"), "the table")
    browser.write("#try-name", "no.such.event")
    browser.until_text(".try-answer", "The table has no entry for this event")
    browser.write("#try-name", "home.like_button.tap")
    browser.until(lambda: "has no entry" not in browser.text(".try-answer"), "an event that it names")
    browser.write("#try-payload", '{"ctx.locale": "de"}')
    browser.until_text(".try-answer", 'A row for ctx.locale matches { "ctx": { "locale": … } }')
    browser.write("#try-payload", '{"ctx": {"locale": "de"}}')
    browser.until_text(".trace", "device.locale")
    assert "matches {" not in browser.text(".try-answer")


def without_documents_it_says_what_to_do(browser, servers):
    console = servers.start(Console)
    browser.open(console.address)
    browser.until_text("#document", "no document")
    for room, word in (("rollout", "no rollout document"), ("table", "table"), ("parity", "table")):
        browser.go(room)
        browser.until_text(f".room-{room}", word)
    browser.expect_quiet(allowed=("404",))


CASES = [without_documents_it_says_what_to_do, parity_offers_an_edit_with_its_proof, the_kept_days_are_plotted, a_thin_day_does_not_flatten_the_others, an_event_is_found_by_all_that_holds_of_it, what_is_in_view_is_saved_and_shared, the_worst_event_stands_first, a_picture_has_the_numbers_of_its_report, the_totals_are_those_of_parity, an_example_opens_its_own_pair, what_was_not_compared_is_grey_and_allows_nothing, noise_of_two_old_recordings_is_taken_off, rows_are_counted_and_keys_without_one_copied, what_a_payload_was_not_found_by_is_said]
LONG_CASES = [the_totals_of_100_000_pairs_are_those_of_parity, thousands_of_events_are_searched_sorted_and_paged]
