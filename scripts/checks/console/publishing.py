"""Confirmations before publishing, and notices about it."""

import json

from selenium.webdriver.common.keys import Keys

from servers import Process, pair

TEXT = "#rollout-text"
NEW = '"shouldSendLogToNewTracker": {}'

# The answer to publishing is a second late: the stream reports the new revision before it.
LATE_ANSWERS = """
window.said = [];
new MutationObserver(() => said.push(document.querySelector('#notices').innerText)).observe(document.querySelector('#notices'), { childList: true });
const real = window.fetch;
window.fetch = async (path, ...rest) => {
  const answer = await real(path, ...rest);
  if (String(path).endsWith('rollout/publish')) await new Promise((done) => setTimeout(done, 1000));
  return answer;
};
"""


def revision(servers):
    return json.loads(servers.rollout.read_text())["revision"]


def raise_to(console, servers, share, before=5, allow=()):
    text = servers.rollout.read_text()
    assert NEW.format(before) in text
    return console.act("api/rollout/publish", {"text": text.replace(NEW.format(before), NEW.format(share)), "allow": list(allow), "sign": False})


def one_s_own_publishing_is_nobody_else_s(browser, servers):
    console = servers.console()
    browser.open(console.address, "rollout")
    browser.until_text(".rollout-status", "This is live")
    browser.run(LATE_ANSWERS)
    browser.edit(TEXT, NEW.format(5), NEW.format(8))
    browser.click("#publish")
    browser.until_text("#document", "revision 3")  # The stream's word, before the answer.
    browser.until_text("#notices", "Revision 3 is live")
    browser.until_text(".rollout-status", "This is live")
    said = browser.run("return said.join(' / ')")
    assert "elsewhere" not in said, said


def raise_and_lower(console, servers, allow=()):
    """Revision 3 has 20 %, and revision 4, which is live, 5 % again."""
    raise_to(console, servers, 20, allow=allow)
    raised = servers.rollout.read_text()
    console.act("api/rollout/publish", {"text": raised.replace(NEW.format(20), NEW.format(5)), "allow": ["evictions"], "sign": False})


def a_rollback_is_asked_for_even_if_nobody_loses(browser, servers):
    console = servers.console()
    raise_and_lower(console, servers)
    browser.open(console.address, "rollout")
    browser.click(".rollout-bar button", "History")
    browser.click(".revisions button", "Revision 3")
    browser.until_text(".history-shown .verdict", "no unit is evicted from new")
    browser.click(".history-head .back", "Roll back to it")
    browser.until_text("dialog h2", "Publish revision 3's text as revision 5?")
    browser.until_text("dialog .verdict", "1 change for")
    browser.until_text("dialog .plan", "15 %")
    browser.screenshot("rollback-1280-light")
    browser.press(Keys.ESCAPE)
    browser.until(lambda: not browser.find("dialog"), "no dialog")
    assert revision(servers) == 4, "nothing is published before the answer"

    browser.click(".rollout-bar button", "History")
    browser.click(".revisions button", "Revision 3")
    browser.click(".history-head .back", "Roll back to it")
    browser.click("dialog .primary", "Publish as revision 5")
    browser.until_text(".rollout-status", "revision 5 is live")
    assert json.loads(servers.rollout.read_text())["shouldSendLogToNewTracker"] == 20


def a_rollback_over_a_colleague_s_stop_is_refused(browser, servers):
    console = servers.console()
    raise_and_lower(console, servers)
    browser.open(console.address, "rollout")
    browser.click(".rollout-bar button", "History")
    browser.click(".revisions button", "Revision 3")
    browser.click(".history-head .back", "Roll back to it")
    browser.until_text("dialog h2", "Publish revision 3's text as revision 5?")
    console.act("api/rollout/stop", {"publish": True})
    stopped = servers.rollout.read_text()
    browser.click("dialog .primary", "Publish as revision 5")
    browser.until_text("#notices", "the text has changed")
    assert servers.rollout.read_text() == stopped, "nobody's stop is undone by an older page"
    browser.expect_quiet(allowed=("409",))


def a_rollback_that_parity_does_not_allow(browser, servers):
    console = servers.console("--show-values")
    raise_and_lower(console, servers)
    console.mirror(pair("cart.item.add", old={"sku": "a"}, new={"item_id": "a"}))
    browser.open(console.address, "rollout")
    browser.click(".rollout-bar button", "History")
    browser.click(".revisions button", "Revision 3")
    browser.until_text(".history-shown .verdict", "parity does not allow the raise")
    browser.until_text(".history-shown .gate", "not allowed")
    browser.click(".history-head .danger", "Roll back to it")
    browser.click("dialog .danger", "Publish as revision 5")
    browser.until_text("dialog h2", "Parity does not allow this raise")
    browser.press("parity")
    browser.click("dialog .danger", "Publish revision 5")
    browser.until_text(".rollout-status", "revision 5 is live")
    browser.expect_quiet(allowed=("409",))


def the_text_of_an_earlier_revision_is_not_refused(browser, servers):
    console = servers.console()
    raise_to(console, servers, 20)
    browser.open(console.address, "rollout")
    browser.click(".rollout-bar button", "History")
    browser.click(".revisions button", "Revision 2")
    browser.click(".history-head button", "Edit its text")
    browser.until_text(".plan", "15 %")
    browser.until_text(".rollout-status", "Edited, not published")
    text = browser.run("return document.querySelector(arguments[0]).value", TEXT)
    assert '"revision": 3' in text and NEW.format(5) in text, "the old text with the live number"

    # A refused text must not have a good verdict.
    browser.edit(TEXT, NEW.format(5), NEW.format(20))
    browser.edit(TEXT, '"revision": 3', '"revision": 1')
    browser.until_text(".rollout-status", "Apps would refuse this text")
    browser.until_text(".verdict", "Apps would refuse this text")
    assert browser.find(".verdict.bad") and "Nothing changes" not in browser.text(".verdict"), browser.text(".verdict")


def the_dialog_of_a_refused_raise_is_readable(browser, servers):
    console = servers.console("--show-values")
    names = [f"screen.{number}" for number in range(45)]
    console.mirror(*(pair(name, old={"a": 1}, new={"a": 1 if index else 2}) for index, name in enumerate(names)))
    browser.open(console.address, "rollout")
    browser.until_text(".rollout-status", "This is live")
    browser.edit(TEXT, NEW.format(5), NEW.format(40))
    browser.until_text(".verdict", "parity does not allow the raise")
    browser.until_text(".verdict", "Publishing needs confirmation: parity")
    assert "danger" in browser.find("#publish").get_attribute("class"), "the button must show the danger"
    assert "home.*" not in browser.text(".verdict b") and "checkout.*" in browser.text(".verdict b"), browser.text(".verdict b")
    for width, theme in ((1280, "light"), (1280, "dark"), (400, "light"), (400, "dark")):
        browser.size(width)
        browser.theme(theme)
        browser.click("#publish")
        browser.until_text("dialog h2", "Parity does not allow this raise")
        place = browser.run(
            """const inside = (selector) => { const at = document.querySelector(selector).getBoundingClientRect(); return at.top >= 0 && at.bottom <= innerHeight && at.right <= innerWidth; };
               return { title: inside('dialog h2'), field: inside('#word'), button: inside('dialog .danger'), wide: document.querySelector('dialog').scrollWidth <= innerWidth,
                        focus: document.activeElement.id, rows: [...document.querySelectorAll('dialog tbody tr')].filter((row) => row.checkVisibility()).length }"""
        )
        assert place == {"title": True, "field": True, "button": True, "wide": True, "focus": "word", "rows": 6}, place
        said = browser.text("dialog")
        assert "45 events, 5 % → 40 %" in said and "and 39 more" in said and "`" not in said, said
        browser.screenshot(f"parity-word-{width}-{theme}")
        browser.press(Keys.ESCAPE)
        browser.until(lambda: not browser.find("dialog"), "no dialog")
    browser.expect_quiet(allowed=("409",))


def the_dialog_of_an_eviction_names_who(browser, servers):
    console = servers.console()
    browser.open(console.address, "rollout")
    browser.until_text(".rollout-status", "This is live")
    browser.edit(TEXT, NEW.format(5), NEW.format(2))
    browser.until_text(".verdict", "Publishing needs confirmation: evictions")
    browser.click("#publish")
    browser.until_text("dialog .plan", "3 %")
    assert browser.find("dialog .plan code"), "an example"
    assert "Publish revision 3" in browser.text("dialog .danger")
    browser.screenshot("eviction-word-1280-light")
    browser.press(Keys.ESCAPE)
    browser.expect_quiet(allowed=("409",))


def a_publication_is_remembered(browser, servers):
    why = 'because <img src=x onerror="document.title=1"> & parity is 0'
    console = servers.console("--user", "<b>ops</b>")
    browser.open(console.address, "rollout")
    browser.until_text(".rollout-status", "This is live")
    browser.edit(TEXT, NEW.format(5), NEW.format(8))
    browser.write("#publish-message", why)
    browser.until(lambda: not browser.find("#publish").get_attribute("disabled"), "a checked text")
    browser.click("#publish")
    browser.until_text("#notices", "Revision 3 is live")
    record = servers.rollout.with_name("rollout.json.history.jsonl")
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    entry = next(line for line in lines if line.get("by") == "console")
    outcome = next(line["outcome"] for line in lines if "attempt" in line)
    assert outcome == "published", outcome
    assert (entry["user"], entry["message"], entry["by"]) == ("<b>ops</b>", why, "console"), entry
    raise_to(console, servers, 20, before=8)

    browser.open(console.address, "rollout")
    browser.click(".rollout-bar button", "History")
    browser.until_text('.revisions[aria-label="Revisions"]', "top level, new tracker: 5 % → 8 %")
    browser.click(".revisions button[data-entry]", "because")
    browser.until_text(".history-shown", why)
    browser.until_text(".history-shown", "<b>ops</b>")
    browser.until_text(".history-shown .verdict", "evicted")
    shown, width = browser.run("const at = document.querySelector('.history-shown'); return [at.scrollWidth, at.clientWidth]")
    assert shown <= width, f"{shown} of {width} pixels: a long plan scrolls in its own box"
    assert "\\n" not in browser.text(".entry-plan"), "a plan has lines"
    browser.screenshot("record-1280-light")
    address = browser.run("return location.hash")
    assert address.startswith("#rollout?entry="), address
    # A colleague opens the address.
    browser.open(console.address)
    browser.open(console.address, address[1:])
    browser.until_text(".history-shown", why)
    browser.click(".history-head .danger", "Roll back to it")
    browser.write("#rollback-message", "too many")
    browser.click("dialog .danger", "Publish as revision 5")
    browser.write("#word", "evictions")
    browser.click("dialog .danger", "Publish revision 5")
    browser.until_text(".rollout-status", "revision 5 is live")
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    back = next(line for line in lines if line.get("message") == "too many")
    assert back["backTo"] and lines[-1]["outcome"] == "published", lines[-2:]
    assert NEW.format(8) in servers.rollout.read_text()
    assert browser.run("return document.title") != "1"
    browser.open(console.address, "rollout?entry=0000000000")
    browser.until(lambda: browser.find(".history-shown .empty"), "a message for an unknown entry")
    browser.expect_quiet(allowed=("404", "409"))


def the_guard_is_shown(browser, servers):
    console = servers.console()
    policy = servers.copy("guard/valid/whole-rollout.json", "guard.json")
    for side in ("old", "new"):
        (servers.path / f"{side}.jsonl").touch()
    guard = servers.start(
        Process, "guard", servers.rollout, "--policy", policy, "--once", "--old", servers.path / "old.jsonl",
        "--new", servers.path / "new.jsonl", "--remap", servers.table, "--rollout", servers.rollout)
    assert guard.finish() == 0
    browser.open(console.address, "rollout")
    browser.until_text("#guard", "at 5 %")
    assert browser.find("svg.chart path.rate") and browser.find("svg.chart path.limit"), "the course and the plan"
    browser.screenshot("guard-1280-light", whole=True)
    browser.expect_quiet()


CASES = [
    one_s_own_publishing_is_nobody_else_s, a_rollback_is_asked_for_even_if_nobody_loses, a_rollback_over_a_colleague_s_stop_is_refused, a_rollback_that_parity_does_not_allow,
    the_text_of_an_earlier_revision_is_not_refused, the_dialog_of_a_refused_raise_is_readable, the_dialog_of_an_eviction_names_who,
    a_publication_is_remembered, the_guard_is_shown,
]
