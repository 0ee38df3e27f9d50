"""Tests the source tool with the apps of Fixtures/apps."""

import json
import pathlib
import shutil

from tool import ToolError, bare, certainty, claimed, compile_app, sent_events
from truth import Truth, renamed

APPS = pathlib.Path("Fixtures/apps")
#: The required percentage.
EXACT_OF_GLANCE = 85
#: The limit of lines per check.
SHOWN = 12


class Measured:
    """The figures and faults of an app."""

    def __init__(self, name):
        self.name = name
        self.checks = {}
        self.figures = dict.fromkeys(
            ["places", "found", "exact", "partial", "dynamic", "glance", "read", "wrong", "renamed", "sent"], 0)
        self.seconds = 0

    def check(self, what, faults):
        self.checks[what] = list(faults)


def places_at(found, place):
    """The tool's entries for a place, by the line of its name or of its first word."""
    return [call for line in sorted(place.lines) for call in found.get((place.file, line), [])]


def callers_of(truth, place):
    return [other for other in truth.others if str(other) in place.callers]


def measure_inventory(measured, truth, found):
    """Recall and certainty, by the truth file."""
    figures = measured.figures
    lost, wrong, unread = [], [], []
    listed = set()
    for place in truth.places:
        figures["places"] += 1
        calls = places_at(found, place)
        listed |= {(call["file"], call["line"]) for call in calls}
        callers = callers_of(truth, place)
        followed = bool(callers) and all(places_at(found, caller) for caller in callers)
        if calls or followed:
            figures["found"] += 1
        else:
            lost.append(f"{place}: not found: {place.text}")
        if calls:
            figures[certainty(calls)] += 1
        if place.glance:
            figures["glance"] += 1
            if calls and reads(place, calls):
                figures["read"] += 1
            elif calls:
                why = "; ".join(dict.fromkeys(text for call in calls for text in call["open"]))
                unread.append(f"{place}: {certainty(calls)}, not {place.certainty}: {place.text}\n        {why}")
    for place in truth.places + truth.others:
        calls = places_at(found, place)
        listed |= {(call["file"], call["line"]) for call in calls}
        exact = [call for call in calls if call["certainty"] == "exact"]
        if exact and (faults := list(place.claim_faults(claimed(exact)))):
            wrong.append(f"{place}: exact, but it {'; '.join(faults)}: {place.text}")
    figures["wrong"] = len(wrong)
    invented = [f"{file}:{line}: no call is known here" for file, line in sorted(found.keys() - listed)
                if not file.startswith(tuple(truth.exclude) or ("\0",))]
    measured.check("recall", lost + invented)
    measured.check("no wrong exact", wrong)
    enough = figures["read"] * 100 >= figures["glance"] * EXACT_OF_GLANCE
    measured.check("reads at a glance", [] if enough else [f"{figures['read']} of {figures['glance']}"] + unread)


def reads(place, calls):
    """Whether a place has the highest possible certainty, and the claim is right."""
    if certainty(calls) != place.certainty:
        return False
    return place.certainty != "exact" or not list(place.claim_faults(claimed(calls)))


def measure_renaming(measured, table, found, places):
    """Compares the new names and keys of the list with the inventory's through the table."""
    faults = []
    listed = {(place["file"].removeprefix("./"), place["line"], place["column"]): place for place in places}
    for call in (call for calls in found.values() for call in calls):
        place = listed.pop((call["file"].removeprefix("./"), call["line"], call["column"]), None)
        if place is None:
            faults.append(f"{call['file']}:{call['line']}: is not in the list")
            continue
        for event, other in zip(call["events"], place["events"]):
            if "*" in event["name"]:
                continue
            name, keys = renamed(table, event["name"], {bare(row["key"]) for row in event["parameters"]})
            entries = other["entries"]
            new = {bare(entry["new"]) for entry in entries if entry["kind"] != "name" and entry["new"] is not None}
            if [name] != [entry["new"] for entry in entries if entry["kind"] == "name"] or keys != new:
                faults.append(f"{call['file']}:{call['line']}: {event['name']} becomes {entries}")
            measured.figures["renamed"] += 1
    measured.check("renames", faults + [f"{place}: is only in the list" for place in listed])


def measure(name, tool, scratch):
    """All checks of an app, each with its faults."""
    measured = Measured(name)
    folder = scratch / name / "app"
    shutil.rmtree(folder.parent, ignore_errors=True)
    shutil.copytree(APPS / name, folder)
    truth = Truth(folder)
    try:
        compile_app(folder, folder.parent / "before", truth.modules)
        before = sent_events(folder.parent / "before")
    except (ToolError, ValueError) as error:
        measured.check("truth", [str(error)])
        return measured
    measured.figures["sent"] = len(before)
    measured.check("truth", [*truth.source_faults(), *truth.sent_faults(before)])
    try:
        found, measured.seconds = tool.inventory(folder, truth.sources, truth.calls, truth.exclude)
    except ToolError as error:
        for what in ["recall", "no wrong exact", "reads at a glance"]:
            measured.check(what, [str(error)])
        return measured
    measure_inventory(measured, truth, found)
    table = truth.table(before)
    (folder / "table.json").write_text(json.dumps(table, indent=2))
    try:
        measure_renaming(
            measured, table, found, tool.renamed(folder, truth.sources, truth.calls, "table.json", truth.exclude))
    except ToolError as error:
        measured.check("renames", [str(error)])
    return measured


def show(all_measured):
    """Prints a table of the figures, then the faults."""
    columns = list(all_measured[0].figures)
    print(f"{'app':<12}" + "".join(f"{column:>10}" for column in columns) + f"{'ms':>7}  checks")
    for measured in all_measured:
        failed = [what for what, faults in measured.checks.items() if faults]
        print(f"{measured.name:<12}" + "".join(f"{measured.figures[column]:>10}" for column in columns)
              + f"{measured.seconds * 1000:>7.0f}  {'all' if not failed else 'not: ' + ', '.join(failed)}")
    totals = {column: sum(measured.figures[column] for measured in all_measured) for column in columns}
    print(f"{'all':<12}" + "".join(f"{totals[column]:>10}" for column in columns) + "\n")
    for measured in all_measured:
        for what, faults in measured.checks.items():
            for fault in faults[:SHOWN]:
                print(f"  {measured.name}, {what}: {fault}")
            if len(faults) > SHOWN:
                print(f"  {measured.name}, {what}: … and {len(faults) - SHOWN} more")


def main(names, tool, scratch):
    """Measures apps; returns how many checks have passed, and how many failed."""
    known = sorted(folder.name for folder in APPS.iterdir() if (folder / "truth.json").exists())
    if unknown := set(names) - set(known):
        raise SystemExit(f"error: no app {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    all_measured = [measure(name, tool, scratch) for name in names or known]
    show(all_measured)
    faults = [bool(faults) for measured in all_measured for faults in measured.checks.values()]
    return faults.count(False), faults.count(True)
