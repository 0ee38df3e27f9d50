#!/usr/bin/env python3
"""Holds an inventory against what is known of each call site, and sums up a journey.

usage: scripts/source-journey.py check NAMES CALLS
       scripts/source-journey.py drafted DRAFT TABLE
       scripts/source-journey.py report FOLDER

NAMES are lines of a file, a line, a style, a certainty, the names joined by `|` and the key paths joined by `,`, parted by
tabs; CALLS is what `dualsend inventory --format json` prints. DRAFT is a table that was drafted, TABLE the one that people
wrote: what the draft claims must be what they wrote; what it leaves open may be anything. FOLDER is where `scripts/source-journey` writes. Exit status 1
if anything is otherwise than expected.
"""

import collections
import json
import pathlib
import re
import sys

CERTAINTIES = ["exact", "partial", "dynamic"]


def expected_calls(path):
    """What is known, by place."""
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
    """What the inventory says: a list of calls for each place."""
    calls = collections.defaultdict(list)
    for line in pathlib.Path(path).read_text().splitlines():
        call = json.loads(line)
        names = {event["name"] for event in call["events"]}
        # An array of plain values is a leaf by either name.
        keys = {row["key"].removesuffix("[]") for event in call["events"] for row in event["parameters"]}
        calls[call["file"], call["line"]].append((call["certainty"], names, keys))
    return calls


def faults_of(expected, found):
    """What is wrong with one call; nothing if all is as expected."""
    _, certainty, names, keys = expected
    if len(found) != 1:
        yield f"{len(found)} calls"
        return
    found_certainty, found_names, found_keys = found[0]
    if found_certainty != certainty:
        yield f"{found_certainty}, expected {certainty}"
    # Of a name that is not in the sources nothing is listed; of open parameters, only what is there is known.
    if found_certainty == "dynamic" or certainty == "dynamic":
        return
    if found_names != names:
        yield f"names {sorted(found_names)}, expected {sorted(names)}"
    if found_certainty == "exact" and found_keys != keys:
        yield f"keys {sorted(found_keys)}, expected {sorted(keys)}"
    elif not found_keys >= keys:
        yield f"keys {sorted(keys - found_keys)} are missing"


def check(names, calls):
    """Prints each style's certainties, and every call that is not as expected."""
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
    """Each event's entry, and what the table's `*` says of every event."""
    events = json.loads(pathlib.Path(path).read_text())["events"]
    return {name: entry for name, entry in events.items() if name != "*"}, events.get("*", {}).get("parameters", {})


def drafted(draft, table):
    """Prints how much of a table a draft has found, and each of its claims that people contradict."""
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
            if target(row) != expected:
                wrong += 1
                print(f"{event}: `{key}` to {target(row)}, people wrote {expected}", file=sys.stderr)
    print(f"{len(claimed)} events: {names} new names and {rows} rows drafted, {wrong} of them not as people wrote them")
    return wrong == 0 and rows > 0


def rewritten_calls(log):
    """How many calls `finish` says it has rewritten."""
    count = re.search(r"([\d,]+) calls? written anew", log.read_text())
    return int(count[1].replace(",", "")) if count else 0


def report(folder):
    """Prints what became of the call sites and of the events."""
    folder = pathlib.Path(folder)
    found = [call for calls in found_calls(folder / "calls.jsonl").values() for call in calls]
    certainties = collections.Counter(certainty for certainty, _, _ in found)
    rewritten = rewritten_calls(folder / "finish.log")
    rows = [("call sites", len(found))]
    rows += [(f"  {name}", certainties[name]) for name in CERTAINTIES]
    rows += [("  rewritten", rewritten), ("  left as they are", len(found) - rewritten)]
    passes = rewritten > 0
    for stage in ["wrapped", "finished"]:
        total = json.loads((folder / f"parity-{stage}.txt").read_text())["total"]
        lone = total["oldOnly"] + total["newOnly"] + total["lostFromNew"] + total["lostFromOld"]
        rows += [(f"events compared, {stage}", total["pairs"])]
        rows += [("  differ", total["differing"]), ("  in one stream only", lone)]
        passes = passes and total["pairs"] > 0 and total["differing"] == 0 and lone == 0
    for label, count in rows:
        print(f"{label:<28}{count:>6}")
    return passes


def main():
    verb, *arguments = sys.argv[1:] or [""]
    if verb == "check" and len(arguments) == 2:
        return check(*arguments)
    if verb == "drafted" and len(arguments) == 2:
        return drafted(*arguments)
    if verb == "report" and len(arguments) == 1:
        return report(*arguments)
    sys.exit(__doc__)


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
