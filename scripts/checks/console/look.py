"""Takes a screenshot of each room in both themes, at 1,280 and at 390 px, for a visual review."""

from servers import FIXTURES, Process, pair, until

# The element that shows that a room is loaded.
READY = {
    "live": ".live-row:not([hidden])",
    "rollout": ".flag",
    "parity": ".events tbody tr",
    "table": ".line-note",
}
ROOMS = tuple(READY)


def busy_console(servers, events=900):
    """A console with the fixtures' events, and pairs in several states."""
    old_log = servers.path / "old.jsonl"
    old_log.touch()
    lines = servers.path / "events.jsonl"
    lines.write_bytes(b"".join((FIXTURES / "legacy/events.jsonl").read_bytes().splitlines(keepends=True)[:events]))
    rollout, table = servers.copy("legacy/rollout-2.json", "rollout.json"), servers.copy("legacy/remapping.json", "remapping.json")
    console = servers.console("--old-log", old_log, "--show-values")
    servers.start(
        Process, "replay", "--events", lines, "--remap", table, "--rollout", rollout, "--endpoint", console.address + "events",
        "--database", servers.path / "app.sqlite", "--output", old_log,
    ).finish()
    until(lambda: sum(console.json("api/state")["totals"].values()) >= events, f"{events} events")
    like = {"item_id": "item-42", "liked": 1, "pos": 3, "uid": "qa-device-7", "session": "s00182", "ctx": {"screen": "home", "locale": "ja_JP"}}
    new = {"new_item_id": "item-42", "is_liked": True, "position": 3, "schema": 2, "user_id": "qa-device-7", "session_id": "s00182", "screen": {"name": "home"}, "device": {"locale": "ja_JP"}}
    console.mirror(
        pair("home.like_button.tap", "home.like.tap", like, new, unit="qa-device-7"),
        pair("home.like_button.tap", "home.like.tap", like, new | {"position": "3", "is_liked": None, "debug": True}, unit="qa-device-7"),
        pair("home.screen.view", "home.view", {"uid": "qa-device-1"}, {"user_id": "qa-device-1"}, unit="qa-device-1"),
    )
    return console


def enter(browser, console, room):
    browser.open(console.address, room)
    browser.until(lambda: browser.find(READY[room]), f"what {room} shows")


def shoot(browser, room, name, width, theme):
    browser.screenshot(f"{name}-{width}-{theme}", whole=width < 800 or room != "live")


def a_picture_of_each_room(browser, servers):
    console = busy_console(servers)
    for width in (1280, 390):
        browser.size(width)
        for theme in ("light", "dark"):
            browser.theme(theme)
            for room in ROOMS:
                enter(browser, console, room)
                prepare(browser, room)
                shoot(browser, room, room, width, theme)
            browser.open(console.address, "live?state=differs")
            browser.until(lambda: browser.rows(), "a pair that differs")
            browser.click(".live-row:not([hidden])")
            browser.until(lambda: browser.find(".pair tr.wrong"), "the difference")
            shoot(browser, "live", "live-pair", width, theme)


def prepare(browser, room):
    if room == "rollout":
        browser.edit("#rollout-text", '"shouldSendLogToNewTracker": 5', '"shouldSendLogToNewTracker": 20')
        browser.write("#explain-unit", "qa-device-7")
        browser.write("#explain-name", "home.like_button.tap")
        browser.until_text(".explain-answer", "bucket")
        browser.until(lambda: browser.find(".plan"), "the plan")
    elif room == "table":
        browser.write("#try-name", "home.like_button.tap")
        browser.write("#try-payload", '{ "item_id": 42, "liked": "1", "debug": "x" }')
        browser.until(lambda: browser.find(".trace"), "the trace")


CASES = [a_picture_of_each_room]
