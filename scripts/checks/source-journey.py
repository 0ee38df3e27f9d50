"""Takes the app of Examples/Newsstand through inventory, draft, wrap and the list of new names.

usage: scripts/check source-journey

Inventory, coverage, draft, the recipe for wrapping and the list of new names run as a user would run them. The app is built and run
as it is and wrapped, and every event is compared. Ends with 0 only if none differs, if the list has the new names and keys of every
place, and if the inventory is what `Expected/names.tsv`
says: lines of a file, a line, a style, a certainty, the names joined by `|` and the key paths joined by `,`, parted by tabs. What
`draft` claims must be what people wrote; what it leaves open may be anything.

The app's copy, and all that is written, stay in .build-newsstand until the next run. DUALSEND names another command than
`scripts/dualsend`.
"""

import collections
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys

from checkout import ROOT, build_folder, output, swift

CERTAINTIES = ["exact", "partial", "dynamic"]

# A fixed folder: SwiftPM reuses the build only for the same path.
FOLDER = ROOT / ".build-newsstand"
APP = FOLDER / "app"
DUALSEND = os.environ.get("DUALSEND", str(ROOT / "scripts" / "dualsend"))


def expected_calls(path):
    """The expected calls by place."""
    calls = {}
    for line in pathlib.Path(path).read_text().splitlines():
        file, number, style, certainty, names, keys = line.split("\t")
        calls[file, int(number)] = (
            int(style),
            certainty,
            set(filter(None, names.split("|"))),
            set(filter(None, keys.split(","))),
        )
    return calls


def found_calls(path):
    """The inventory's calls by place."""
    calls = collections.defaultdict(list)
    for line in pathlib.Path(path).read_text().splitlines():
        call = json.loads(line)
        names = {event["name"] for event in call["events"]}
        # An array of plain values is a leaf by either name.
        keys = {row["key"].removesuffix("[]") for event in call["events"] for row in event["parameters"]}
        calls[call["file"], call["line"]].append((call["certainty"], names, keys))
    return calls


def faults_of(expected, found):
    """The faults of a call."""
    _, certainty, names, keys = expected
    if len(found) != 1:
        yield f"{len(found)} calls"
        return
    found_certainty, found_names, found_keys = found[0]
    if found_certainty != certainty:
        yield f"{found_certainty}, expected {certainty}"
    # Names that are not in the sources are not listed; open parameters may have further keys.
    if found_certainty == "dynamic" or certainty == "dynamic":
        return
    if found_names != names:
        yield f"names {sorted(found_names)}, expected {sorted(names)}"
    if found_certainty == "exact" and found_keys != keys:
        yield f"keys {sorted(found_keys)}, expected {sorted(keys)}"
    elif not found_keys >= keys:
        yield f"keys {sorted(keys - found_keys)} are missing"


def check(names, calls):
    """Prints the certainties by style, and every unexpected call."""
    expected, found = expected_calls(names), found_calls(calls)
    faults = 0
    table = collections.defaultdict(collections.Counter)
    for place, known in sorted(expected.items()):
        for certainty, _, _ in found.get(place, []):
            table[known[0]][certainty] += 1
        for fault in faults_of(known, found.get(place, [])):
            faults += 1
            print(f"{place[0]}:{place[1]}: style {known[0]}: {fault}", file=sys.stderr)
    for place in sorted(found.keys() - expected.keys()):
        faults += 1
        print(f"{place[0]}:{place[1]}: no call is known here", file=sys.stderr)

    print(f"{'style':>5}" + "".join(f"{name:>9}" for name in CERTAINTIES))
    for style in sorted(table):
        print(f"{style:>5}" + "".join(f"{table[style][name]:>9}" for name in CERTAINTIES))
    print(f"{len(expected)} call sites, {faults} not as expected")
    return faults == 0 and len(expected) > 0


def events_of(path):
    """Each event's entry, merged with the table's `*`."""
    events = json.loads(pathlib.Path(path).read_text())["events"]
    return {name: entry for name, entry in events.items() if name != "*"}, events.get("*", {}).get("parameters", {})


def drafted(draft, table):
    """Prints the share of a table that a draft has found, and its wrong rows."""
    (claimed, _), (written, everywhere) = events_of(draft), events_of(table)

    def target(row):
        return row.get("to") if isinstance(row, dict) else row

    names = rows = wrong = 0
    for event, entry in claimed.items():
        known = written.get(event, {})
        if "name" in entry:
            names += 1
            if entry["name"] != known.get("name", event):
                wrong += 1
                print(f"{event}: {entry['name']}, people wrote {known.get('name', event)}", file=sys.stderr)
        for key, row in entry.get("parameters", {}).items():
            rows += 1
            expected = target(known.get("parameters", {}).get(key, everywhere.get(key, key)))
            # Of a constant in place of the old value, the draft has the key.
            if target(row) != expected and target(row) not in known.get("add", {}):
                wrong += 1
                print(f"{event}: `{key}` to {target(row)}, people wrote {expected}", file=sys.stderr)
    print(f"{len(claimed)} events: {names} new names and {rows} rows drafted, {wrong} of them not as people wrote them")
    return wrong == 0 and rows > 0


def renamings(places, table):
    """Prints the changes of the list, and each place whose new names are not those of the table."""
    known, _ = events_of(table)
    faults, kinds = 0, collections.Counter()
    for place in places:
        hard = [entry for event in place["events"] for entry in event["entries"] if entry["byHand"]]
        kinds["open" if place["certainty"] != "exact" else "hard" if hard else "plain"] += 1
        for entry in (entry for event in place["events"] for entry in event["entries"] if entry["kind"] == "name"):
            name = known.get(entry["old"], {}).get("name", entry["old"])
            if entry["new"] != name or (entry["old"] in known) != (entry["row"] is not None):
                faults += 1
                print(f"{place['file']}:{place['line']}: {entry}, expected {name}", file=sys.stderr)
    print(f"{len(places)} places: {kinds['plain']} by new names and keys alone, {kinds['hard']} with more by hand, "
          f"{kinds['open']} not exact; {faults} faults")
    return faults == 0 and kinds["plain"] > 0


def report():
    """Prints the results for the call sites and the events."""
    found = [call for calls in found_calls(FOLDER / "calls.jsonl").values() for call in calls]
    certainties = collections.Counter(certainty for certainty, _, _ in found)
    rows = [("call sites", len(found))]
    rows += [(f"  {name}", certainties[name]) for name in CERTAINTIES]
    passes = len(found) > 0
    total = json.loads((FOLDER / "parity-wrapped.txt").read_text())["total"]
    lone = total["oldOnly"] + total["newOnly"] + total["lostFromNew"] + total["lostFromOld"]
    rows += [("events compared", total["pairs"]), ("  differ", total["differing"]), ("  in one stream only", lone)]
    passes = passes and total["pairs"] > 0 and total["differing"] == 0 and lone == 0
    for label, count in rows:
        print(f"{label:<28}{count:>6}")
    return passes


def say(title):
    print(f"\n== {title}", flush=True)


def step(name, *command, folder=ROOT):
    """Runs a command and stores its output. Returns its output, its diagnostics and whether it has no findings."""
    with open(FOLDER / f"{name}.txt", "w") as results, open(FOLDER / f"{name}.log", "w") as log:
        status = subprocess.run([str(word) for word in command], cwd=folder, stdout=results, stderr=log).returncode
    results, log = ((FOLDER / f"{name}.{kind}").read_text().splitlines() for kind in ("txt", "log"))
    if status > 1:
        sys.exit("\n".join([*log[-20:], f"error: {name} ended with {status}"]))
    return results, log, status == 0


def dualsend(name, *arguments, folder=APP):
    return step(name, DUALSEND, *arguments, folder=folder)


def build():
    # Progress belongs on stderr: stdout is the result.
    subprocess.run(swift("build", APP, "--product", "newsstand"), stdout=sys.stderr, check=True)


def run_app(name, **environment):
    """Runs the last built app for at most 120 s; its old events go to NAME/old.jsonl."""
    command = [build_folder() / "debug" / "newsstand", FOLDER / name]
    subprocess.run(command, cwd=APP, env=os.environ | environment, timeout=120, check=True)


@contextlib.contextmanager
def collector(name):
    """Runs a collector that writes NAME/new.jsonl; yields its address."""
    (FOLDER / name).mkdir(exist_ok=True)
    command = [DUALSEND, "collector", "--port", "0", "--output", FOLDER / name / "new.jsonl"]
    with open(FOLDER / name / "collector.log", "w") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
    try:
        address = process.stdout.readline().strip()
        if not address.startswith("http:"):
            sys.exit((FOLDER / name / "collector.log").read_text() + "error: the collector does not start")
        yield address
    finally:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def run_and_compare(name):
    """Runs the app with a collector, and compares the collected events with those of the original app."""
    build()
    with collector(name) as address:
        run_app(name, NEWSSTAND_COLLECTOR=address)
    streams = ["--old", FOLDER / "before" / "old.jsonl", "--new", FOLDER / name / "new.jsonl"]
    table = APP / "Documents" / "remapping.json"
    _, log, is_clean = dualsend(
        f"parity-{name}", "parity", *streams, "--remap", table, "--by-order", "--format", "json", folder=ROOT)
    print("\n".join(log[-3:]), file=sys.stderr)
    return is_clean


def recipe():
    """The line with which the article on inventories wraps a logger."""
    article = ROOT / "Sources" / "DualSend" / "DualSend.docc" / "FromTheCode.md"
    return next(line for line in article.read_text().splitlines() if line.startswith("perl "))


def prepare():
    output("scripts/setup")
    FOLDER.mkdir(exist_ok=True)
    for entry in FOLDER.iterdir():
        shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    # With current dates, so that files rewritten in the last run do not look newer than their sources.
    shutil.copytree(
        ROOT / "Examples" / "Newsstand", APP, ignore=shutil.ignore_patterns(".build"), copy_function=shutil.copyfile)


def main():
    os.environ["DUALSEND_PATH"] = str(ROOT)
    prepare()
    passes = []
    say("as it is: the old logger alone")
    build()
    run_app("before")
    print(f"{len((FOLDER / 'before' / 'old.jsonl').read_text().splitlines())} events")

    say("inventory, compared with the expected call sites")
    _, _, is_clean = dualsend("inventory", "inventory", "Sources", "--calls", "calls.json", "--format", "json")
    calls = FOLDER / "calls.jsonl"
    shutil.copyfile(FOLDER / "inventory.txt", calls)
    passes += [is_clean, check(APP / "Expected" / "names.tsv", calls)]

    say("coverage of the table")
    results, _, _ = dualsend("coverage", "table", "coverage", "Documents/remapping.json", "--inventory", calls)
    print("\n".join(results[-3:]))

    say("draft a table from the call sites and the plan of the new names")
    drafted_table = FOLDER / "drafted.json"
    _, log, is_clean = dualsend(
        "draft", "table", "draft", "--inventory", calls, "--names", "Documents/plan.csv", "--output", drafted_table)
    print(log[-1])
    passes += [is_clean, drafted(drafted_table, APP / "Documents" / "remapping.json")]

    say("wrap, and run beside a collector")
    _, _, is_clean = step("wrap", "sh", "-c", recipe(), folder=APP)
    print(recipe())
    passes += [is_clean, run_and_compare("wrapped")]

    say("the new names and keys of each place")
    table = "Documents/remapping.json"
    results, _, is_clean = dualsend(
        "renaming", "inventory", "--calls", "calls.json", "--remap", table, "--format", "json", "Sources")
    passes += [is_clean, len(results) == len(expected_calls(APP / "Expected" / "names.tsv"))]
    passes += [renamings(list(map(json.loads, results)), APP / table)]

    say("the journey")
    passes += [report()]
    return 0 if all(passes) else 1


if __name__ == "__main__":
    sys.exit(main())
