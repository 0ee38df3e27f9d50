"""Tests the source tool with the apps of Fixtures/apps."""

import json
import pathlib
import re
import shutil

from tool import ToolError, certainty, claimed, compile_app, sent_events
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
            ["places", "found", "exact", "partial", "dynamic", "glance", "read", "wrong", "rewritten", "renamed", "sent"], 0)
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


def measure_finish(measured, truth, before, finish, folder):
    """Compares the events after `finish` with the remapped events before it."""
    table = truth.table(before)
    (folder / "table.json").write_text(json.dumps(table, indent=2))
    try:
        measured.figures["rewritten"], said = finish()
        (folder.parent / f"{measured.name}.finish.txt").write_text(said)
    except ToolError as error:
        for what in ["compiles after finish", "sends the same", "finishes"]:
            measured.check(what, [str(error)])
        return
    # What other code may use stays: each exact place is changed, or named with a reason.
    left = re.findall(r"^\S+\.swift:\d+ .*\S {2,}\S", said, re.MULTILINE)
    total = measured.figures["rewritten"] + len(left)
    exact, rewritten = measured.figures["exact"], measured.figures["rewritten"]
    faults = [] if total >= exact else [f"{total} of {exact} exact places are changed or named"]
    if rewritten * 100 < exact * truth.finishes:
        faults.append(f"{rewritten} of {exact} exact places are changed, not {truth.finishes} %")
    measured.check("finishes", faults)
    try:
        compile_app(folder, folder.parent / "after", truth.modules)
        measured.check("compiles after finish", [])
    except ToolError as error:
        measured.check("compiles after finish", [str(error)])
        measured.check("sends the same", ["it does not compile"])
        return
    try:
        after = sent_events(folder.parent / "after")
    except (ToolError, ValueError) as error:
        measured.check("sends the same", [str(error)])
        return
    measured.check("sends the same", difference(before, after, table, truth.added))
    new = {entry["name"] for entry in table["events"].values()}
    measured.figures["renamed"] = sum(name in new for name, _ in after)


def difference(before, after, table, added):
    """The first events that differ after remapping; an event with its new name is right."""
    if len(before) != len(after):
        return [f"{len(after)} events after, {len(before)} before"]
    faults = []
    for (old, old_parameters), (new, new_parameters) in zip(before, after):
        expected = with_values(table, old, old_parameters, added)
        sent = with_values(table, new, new_parameters, added)
        if expected != sent:
            faults.append(f"{old} {old_parameters} became {new} {new_parameters}")
    return faults[:10]


def with_values(table, name, parameters, added):
    """A remapped event with its values."""
    own = {key: value for key, value in parameters.items() if key not in added}
    new_name, _ = renamed(table, name, own.keys())
    return new_name, {min(renamed(table, name, {key})[1]): value for key, value in own.items()}


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
    measure_finish(
        measured, truth, before,
        lambda: tool.finish(folder, truth.sources, truth.calls, "table.json", truth.exclude), folder)
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
