"""Edit, see an error at its place, fix, see the plan, publish, watch it fetched, roll back."""

import json

from selenium.webdriver.common.keys import Keys

from servers import FIXTURES, Process, until

TEXT = "#rollout-text"


def revision_of(line):
    return json.loads(line).get("revision") if line.startswith("{") else None


def the_whole_ops_loop(browser, servers):
    old_log = servers.path / "old.jsonl"
    old_log.touch()
    console = servers.console("--old-log", old_log, "--show-values")
    watch = servers.start(Process, "watch", console.address + "rollout.json", "--interval", "1", "--format", "json")
    watch.line("revision 2", lambda line: '"revision":2' in line.replace(" ", ""))

    browser.open(console.address, "rollout")
    browser.until(lambda: "This is live" in browser.text(".rollout-status"), "the live document")
    browser.until_text(".verdict", "Nothing changes")

    # An error, at its place, while typing.
    browser.edit(TEXT, '"shouldSendLogToNewTracker": 5', '"shouldSendLogToNewTraker": 5')
    browser.until_text(".diagnostics", "DS0003")
    browser.until_text(".diagnostics", "shouldSendLogToNewTracker")
    browser.screenshot("rollout-error-1280-light")
    browser.until_text(".verdict", "The text has errors")
    assert "no unit is" not in browser.text(".verdict"), "an old check must not be shown for a new text"
    assert browser.find("#publish").get_attribute("disabled"), "a text with errors must not be published"
    browser.click(".diagnostics .place")
    line = browser.run("const area = document.querySelector(arguments[0]); return area.value.slice(0, area.selectionStart).split('\\n').length", TEXT)
    assert f"{line}:" in browser.text(".diagnostics .place"), "the button goes to the line"

    # Fixed, and its plan.
    browser.edit(TEXT, '"shouldSendLogToNewTraker": 5', '"shouldSendLogToNewTracker": 30')
    browser.until_text(".diagnostics", "No findings")
    browser.until_text(".verdict", "no unit is evicted from new")
    browser.until_text(".plan", "old only")
    assert browser.find(".plan code"), "an example unit stands beside the change"
    browser.until_text(".groups", "30 % both")
    browser.screenshot("rollout-edited-1280-light", whole=True)

    # Published with the next revision, and fetched by a running client.
    browser.click("#publish")
    browser.until_text(".rollout-status", "revision 3 is live")
    watch.line("revision 3", lambda line: '"revision":3' in line.replace(" ", ""))
    assert json.loads(servers.rollout.read_text())["revision"] == 3
    browser.until_text("#document", "revision 3")

    # A tracker follows the rollout: its events arrive, decided by revision 3.
    events = servers.path / "events.jsonl"
    events.write_bytes(b"".join((FIXTURES / "legacy/events.jsonl").read_bytes().splitlines(keepends=True)[:60]))
    replay = servers.start(
        Process, "replay", "--events", events, "--remap", servers.table, "--rollout", servers.rollout,
        "--endpoint", console.address + "events", "--database", servers.path / "events.sqlite", "--output", old_log,
    )
    assert replay.finish() == 0
    until(lambda: sum(console.json("api/state")["totals"].values()) >= 60, "60 events at the console")

    # An edit that evicts units needs a typed confirmation.
    browser.edit(TEXT, '"shouldSendLogToNewTracker": 30', '"shouldSendLogToNewTracker": 20')
    browser.until_text(".verdict", "units are evicted from new")
    browser.click("#publish")
    browser.until_text("dialog", "evictions")
    browser.screenshot("word-1280-light")
    assert not browser.find("dialog .danger").is_enabled()
    browser.press(Keys.ESCAPE)
    browser.until(lambda: not browser.find("dialog"), "no dialog")
    assert json.loads(servers.rollout.read_text())["revision"] == 3
    browser.click("#publish")
    browser.until_text("dialog", "evictions")
    browser.press("evictions")
    browser.click("dialog .danger")
    browser.until_text(".rollout-status", "revision 4 is live")
    watch.line("revision 4", lambda line: '"revision":4' in line.replace(" ", ""))

    # A rollback shows its plan, and needs the same confirmation.
    browser.click(".rollout-bar button", "History")
    browser.click(".revisions button", "Revision 2")
    browser.until_text(".difference", '"shouldSendLogToNewTracker": 20')
    browser.until(lambda: [each.text for each in browser.all(".revisions .change")][:2] == ["top level, new tracker: 30 % → 20 %", "top level, new tracker: 5 % → 30 %"], "what changed in each revision")
    browser.until_text(".history-shown .verdict", "units are evicted from new")
    browser.screenshot("history-1280-light")
    browser.click(".history-head .danger", "Roll back to it")
    browser.click("dialog .danger", "Publish as revision 5")
    browser.until_text("dialog", "Type evictions")
    browser.press("evictions")
    browser.click("dialog .danger")
    browser.until_text(".rollout-status", "revision 5 is live")
    watch.line("revision 5", lambda line: '"revision":5' in line.replace(" ", ""))
    rolled = json.loads(servers.rollout.read_text())
    assert rolled["revision"] == 5 and rolled["shouldSendLogToNewTracker"] == 5
    browser.until_text(".rollout-status", "This is live")
    # 409 is the answer that requests the confirmation; the browser logs every status of 400 and above.
    browser.expect_quiet(allowed=("409",))


def a_slider_writes_the_same_text(browser, servers):
    console = servers.console()
    browser.open(console.address, "rollout")
    browser.until(lambda: browser.all(".flag"), "the flags")
    before = browser.run("return document.querySelector(arguments[0]).value", TEXT)
    slider = browser.find('.flag:nth-child(2) input[type="range"]')
    browser.run("arguments[0].focus()", slider)
    browser.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    browser.until(lambda: "27" in browser.run("return document.querySelector(arguments[0]).value", TEXT), "27 % in the text")
    after = browser.run("return document.querySelector(arguments[0]).value", TEXT)
    changed = [(old, new) for old, new in zip(before.split("\n"), after.split("\n")) if old != new]
    assert changed == [('      "shouldSendLogToNewTracker": 25', '      "shouldSendLogToNewTracker": 27')], changed
    browser.until_text(".plan", "home.*")


def what_is_published_is_signed(browser, servers):
    key = servers.path / "ops.key"
    made = servers.start(Process, "sign", "new", "--output", key)
    made.finish()
    public = max((word for line in made.lines for word in line.split()), key=len)
    console = servers.console("--signing-key", key)
    browser.open(console.address, "rollout")
    browser.click(".rollout-bar button", "Sign")
    signature = browser.until(lambda: browser.run("return document.querySelector('dialog textarea')?.value"), "the signature")
    assert len(signature) > 60, signature
    browser.click("dialog .primary", "Done")
    browser.edit(TEXT, '"shouldSendLogToNewTracker": 5', '"shouldSendLogToNewTracker": 6')
    browser.click("#publish")
    browser.until_text(".rollout-status", "revision 3 is live, signed")
    watch = servers.start(Process, "watch", console.address + "rollout.json", "--once", "--public-key", public, "--format", "json")
    assert revision_of(watch.line("revision 3", lambda line: revision_of(line) == 3)) == 3
    assert watch.finish() == 0, "an app with this key accepts it"

    # The same for the rollback: an app with keys refuses an unsigned document.
    browser.click(".rollout-bar button", "History")
    browser.click(".history-head .back", "Roll back to it")
    browser.click("dialog .buttons button", "Publish as revision 4")
    browser.until_text("dialog", "Type evictions")
    browser.press("evictions")
    browser.click("dialog .danger")
    browser.until_text(".rollout-status", "revision 4 is live, signed")
    browser.expect_quiet(allowed=("409",))


def an_edit_is_kept_while_another_hand_publishes(browser, servers):
    console = servers.console()
    browser.open(console.address, "rollout")
    browser.until_text(".rollout-status", "This is live")
    browser.edit(TEXT, '"shouldSendLogToNewTracker": 5', '"shouldSendLogToNewTracker": 7')
    browser.until_text(".groups", "7 % both")
    text = servers.rollout.read_text().replace('"shouldSendLogToNewTracker": 5', '"shouldSendLogToNewTracker": 6')
    console.act("api/rollout/publish", {"text": text, "allow": [], "sign": False})
    browser.until_text("#notices", "Revision 3 was published elsewhere")
    # Its revision is now older than the live one: the plan compares with the live document, and both texts are compared first.
    browser.until_text(".plan", "1 %")
    browser.until_text(".diagnostics", "DS0406")
    assert browser.find("#publish").get_attribute("disabled")
    browser.click(".clash button")
    browser.until_text("dialog .difference", '"shouldSendLogToNewTracker": 6')
    browser.click("dialog .buttons button", "Keep my text")
    browser.until_text(".diagnostics", "No findings")
    assert '"revision": 3' in browser.run("return document.querySelector(arguments[0]).value", TEXT)
    browser.click("#publish")
    browser.until_text(".rollout-status", "revision 4 is live")
    browser.expect_quiet(allowed=("409",))
    assert '"shouldSendLogToNewTracker": 7' in browser.run("return document.querySelector(arguments[0]).value", TEXT)


def one_unit_and_why(browser, servers):
    console = servers.console()
    browser.open(console.address, "rollout")
    browser.write("#explain-unit", "qa-device-7")
    browser.write("#explain-name", "home.like_button.tap")
    browser.until_text(".explain-answer", "both")
    browser.until_text(".explain-answer", "test devices go first")
    browser.until_text(".explain-answer", "of 0 to 99,999")
    # A rule with a version does not match without one.
    assert browser.find("#explain-appVersion").get_attribute("placeholder") == "not given"
    browser.until_text(".rules", "does not match: event, app version")


CASES = [the_whole_ops_loop, a_slider_writes_the_same_text, what_is_published_is_signed, an_edit_is_kept_while_another_hand_publishes, one_unit_and_why]
