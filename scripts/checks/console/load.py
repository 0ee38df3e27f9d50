"""1,000,000 events: memory of server and page, frames at 1,000 events a second, search of the newest 100,000."""

import http.client
import json
import os
import pathlib
import subprocess
import threading
import time
import uuid

from servers import until

EVENTS = int(os.environ.get("CONSOLE_EVENTS", "1000000"))
BATCH = 2_000
SERVER_MEGABYTES, PAGE_MEGABYTES, FRAME = 200, 150, 100

WATCH_FRAMES = """
window.frames = { longest: 0, task: 0, count: 0 };
let last = performance.now();
const look = (now) => { frames.longest = Math.max(frames.longest, now - last); frames.count += 1; last = now; requestAnimationFrame(look); };
requestAnimationFrame((now) => { last = now; requestAnimationFrame(look); });
new PerformanceObserver((list) => { for (const each of list.getEntries()) frames.task = Math.max(frames.task, each.duration); }).observe({ entryTypes: ['longtask'] });
"""


AT_THE_END = """
const list = document.querySelector('.live-list'), below = list.scrollHeight - list.scrollTop - list.clientHeight;
return below <= 40 || below > 100;
"""


def batch(first, size):
    """A tracker's batch. The ids are ascending UUIDs of version 7."""
    now = int(time.time() * 1000)
    events = []
    for number in range(first, first + size):
        identity = uuid.UUID(int=(now << 80) | (7 << 76) | (2 << 62) | number)
        events.append(f'{{"eventId":"{identity}","eventName":"load.{number % 50}","eventTime":{now},"payload":{{"n":{number},"user_id":"unit-{number % 1000}"}}}}')
    return ("[" + ",".join(events) + "]").encode()


def post(console, first, size):
    status, body = console.ask("POST", "events", batch(first, size), {"Content-Type": "application/json"})
    assert 200 <= status < 300, (status, body[:300])


def flood(console, first, end):
    """Sends batches as fast as the server accepts them, on two connections."""
    batches = iter(range(first, end, BATCH))
    lock = threading.Lock()
    failures = []

    def work():
        connection = http.client.HTTPConnection(console.place.hostname, console.place.port, timeout=60)
        try:
            while not failures:
                with lock:
                    number = next(batches, None)
                if number is None:
                    break
                body = batch(number, min(BATCH, end - number))
                connection.request("POST", console.place.path + "events", body, {"Content-Type": "application/json"})
                answer = connection.getresponse()
                answer.read()
                assert 200 <= answer.status < 300, answer.status
        except Exception as error:
            failures.append(error)
        connection.close()

    workers = [threading.Thread(target=work, daemon=True) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if failures:
        raise failures[0]


def heap(browser):
    """Megabytes of the page's heap after a garbage collection."""
    browser.driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
    metrics = browser.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    return next(each["value"] for each in metrics if each["name"] == "JSHeapUsedSize") / 1e6


def private_memory(browser):
    """Megabytes of private memory of the page's process. Linux only."""
    parents, renderers = {}, []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if b"--type=renderer" in (folder / "cmdline").read_bytes():
                renderers.append(int(folder.name))
        except OSError:
            continue  # It has ended meanwhile.

    def is_ours(process):
        while process:
            if process == browser.driver.service.process.pid:
                return True
            process = parents.get(process)
        return False

    def private(process):
        lines = pathlib.Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
        return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) / 1000

    return max(private(process) for process in renderers if is_ours(process))


def one_round(browser, console, first, rounds):
    """Sends 1,000 events per second for eight seconds, in batches of 100."""
    browser.run("Object.assign(frames, { longest: 0, task: 0, count: 0 })")
    sent, end, begun = first, first + 8_000, time.monotonic()
    while sent < end:
        post(console, sent, 100)
        sent += 100
        time.sleep(max(0, begun + (sent - first) / 1000 - time.monotonic()))
    took = time.monotonic() - begun
    browser.until(lambda: any(f"load.{(sent - 1) % 50}" in row for row in browser.rows()[:3]), "the last event of the round")
    frames = browser.run("return frames")
    rounds.append((round(frames["longest"]), round(frames["task"])))
    browser.figure(f"at {(sent - first) / took:,.0f} events/s: longest frame {rounds[-1][0]} ms, longest task {rounds[-1][1]} ms, {frames['count']} frames")
    return sent


def a_million_events(browser, servers):
    console = servers.console("--show-values", rollout="legacy/rollout-5.json")
    browser.driver.execute_cdp_cmd("Performance.enable", {})
    browser.open(console.address)
    browser.until_text("#connection", "live")

    # The page needs the same in every round; a round on a busy machine is repeated.
    sent, rounds = 0, []
    browser.run(WATCH_FRAMES)
    while len(rounds) < 4 and (not rounds or max(rounds[-1]) > FRAME):
        sent = one_round(browser, console, sent, rounds)

    # As fast as the server accepts them, with the page open.
    begun = time.monotonic()
    most = 0
    stop = threading.Event()

    def watch():
        nonlocal most
        while not stop.wait(0.5):
            most = max(most, console.resident)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    first = sent
    flood(console, sent, EVENTS)
    sent = EVENTS
    took = time.monotonic() - begun
    until(lambda: sum(console.json("api/state")["totals"].values()) >= EVENTS, "every event at the console", patience=60)
    stop.set()
    watcher.join()
    most = max(most, console.resident)
    browser.figure(f"{sent - first:,} events more in {took:.0f} s: {(sent - first) / took:,.0f} events/s with the page open")
    browser.figure(f"server after {sent:,} events: {most:.0f} MB at most")
    browser.until(lambda: any(f"load.{(EVENTS - 1) % 50}" in row for row in browser.rows()[:3]), "the last event", patience=30)

    used = heap(browser)

    # The newest 100,000, by words.
    begun = time.monotonic()
    found = console.json("api/live?q=load.49&limit=200")
    searched = time.monotonic() - begun
    browser.figure(f"search of the newest {found['searched']:,}: {searched * 1000:.0f} ms on the server, {found['found']:,} found")
    assert found["searched"] >= min(EVENTS, 100_000)
    begun = time.monotonic()
    browser.write("#live-q", "load.49")
    browser.until_text(".live-status", "found in the newest")
    browser.until(lambda: browser.rows() and all("load.49" in row for row in browser.rows()), "what was found")
    browser.figure(f"the same on the page, typed to seen: {(time.monotonic() - begun) * 1000:.0f} ms")

    # Far down, page by page.
    for _ in range(20):
        browser.run("const list = document.querySelector('.live-list'); list.scrollTop = list.scrollHeight")
        browser.until(lambda: browser.run(AT_THE_END), "the next page")
    used = max(used, heap(browser))
    nodes = browser.run("return document.querySelectorAll('*').length")
    browser.figure(f"page after {sent:,} events: {used:.1f} MB of JavaScript, {nodes} elements")

    private = private_memory(browser)
    browser.figure(f"the page's process: {private:.0f} MB of its own")

    assert max(rounds[-1]) <= FRAME, rounds
    assert most <= SERVER_MEGABYTES, most
    assert max(used, private) <= PAGE_MEGABYTES, (used, private)


def losses_at_full_speed(browser, servers):
    """One event in a hundred is lost on either side; the page counts what `dualsend parity` counts on the same streams."""
    old, new = servers.path / "old.jsonl", servers.path / "new.jsonl"
    old.touch()
    console = servers.console("--old-log", old, "--lost-after", "5", rollout="legacy/rollout-5.json")
    browser.open(console.address)
    browser.until_text("#connection", "live")
    count = EVENTS // 5

    def events(first, size):
        """Both sides of some events with the decisions of an app, one in ten for the old side only."""
        sides = [], []
        for number in range(first, first + size):
            identity, decision = uuid.UUID(int=(1 << 108) | (7 << 76) | (2 << 62) | number), "1:old" if number % 10 == 3 else "1:both"
            envelope = f'"decision":"{decision}","eventId":"{identity}"'
            if number % 100 != 7:
                sides[0].append(f'{{{envelope},"name":"load.{number % 50}","parameters":{{"n":{number}}},"time":1}}')
            if number % 10 != 3 and number % 100 != 11:
                sides[1].append(f'{{{envelope},"eventName":"load.{number % 50}","eventTime":1,"payload":{{"n":{number}}}}}')
        return sides

    begun = time.monotonic()
    with old.open("a") as old_log, new.open("w") as new_log:
        for first in range(0, count, BATCH):
            old_lines, new_lines = events(first, BATCH)
            # The new side first: it waits for the old one, whose file is read now and then.
            status, _ = console.ask("POST", "events", ("[" + ",".join(new_lines) + "]").encode(), {"Content-Type": "application/json"})
            assert status == 200, status
            new_log.write("\n".join(new_lines) + "\n")
            old_log.write("\n".join(old_lines) + "\n")
            old_log.flush()
    took = time.monotonic() - begun

    def settled():
        totals = console.json("api/state")["totals"]
        return sum(totals.values()) == count and totals["waiting"] == 0 and totals

    totals = until(settled, "every side to come or to be given up", patience=60)
    report = subprocess.run(
        [os.environ["DUALSEND"], "parity", "--remap", servers.table, "--old", old, "--new", new, "--format", "json"],
        capture_output=True, text=True, timeout=120,
    )
    counted = json.loads(report.stdout)["total"]
    lost = counted["lostFromNew"] + counted["lostFromOld"]
    browser.figure(f"{count:,} events, {count / took:,.0f}/s: {lost:,} lost by the page and by dualsend parity")
    assert lost == count // 50, counted
    assert totals["lost"] == lost and totals["matched"] == counted["pairs"] and totals["alone"] == count // 10, (totals, counted)
    browser.until_text(".chip.lost", f"{lost:,}")
    browser.go("parity")
    browser.until_text(".parity-summary", f"{lost:,} failing ({lost:,} lost)")


CASES = [a_million_events, losses_at_full_speed]
