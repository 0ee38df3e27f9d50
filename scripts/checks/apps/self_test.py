"""Breaks truth files and answers. The checks must detect each break, and must pass without one."""

import collections
import copy
import json

import random_run
from apps import APPS, Measured, measure_inventory
from tool import compile_app, sent_events
from truth import Truth, fits


def answer_of(truth):
    """The answer of a perfect tool for a truth file."""
    found = collections.defaultdict(list)
    for place in truth.places:
        found[place.file, place.line].append({
            "file": place.file, "line": place.line, "certainty": place.certainty, "open": [],
            "events": [
                {"name": name, "parameters": [
                    {"key": key, "optional": when != "always"} for key, when in keys.items() if when != "never"]}
                for name, keys in place.events.items()],
        })
    return found


def broken_truths(document):
    """Truth files with one fault each, and its description."""
    names = collections.Counter(
        name for group in ("places", "others") for place in document[group] for name in place.get("events", {}))
    for index, place in enumerate(document["places"]):
        def breaking(what, change, index=index, place=place):
            broken = copy.deepcopy(document)
            change(broken["places"], index)
            return f"{place['file']}:{place['line']}: {what}", broken

        yield breaking("left out", lambda places, index: places.pop(index))
        yield breaking("a line too low", lambda places, index: places[index].update(line=place["line"] + 1))
        yield breaking("another text", lambda places, index: places[index].update(text=place["text"] + "!"))
        if place.get("unsent") or place["file"].endswith(".m"):
            continue
        yield breaking("a name too many", lambda places, index: places[index]["events"].update(ghost={}))
        for name, keys in place["events"].items():
            if names[name] > 1 or "*" in name or any(fits(other, name) for other in names if other != name):
                continue
            yield breaking(
                f"`{name}` misspelt",
                lambda places, index, name=name: places[index]["events"].update({name + "x": places[index]["events"].pop(name)}))
            yield breaking(
                f"`{name}` has a key too many",
                lambda places, index, name=name: places[index]["events"][name].update(ghost="always"))
            for key, when in keys.items():
                if "*" in keys or when == "never":
                    continue
                yield breaking(
                    f"`{name}` without `{key}`",
                    lambda places, index, name=name, key=key: places[index]["events"][name].pop(key))
                other = "always" if when == "sometimes" else "sometimes"
                yield breaking(
                    f"`{name}` with `{key}` {other}",
                    lambda places, index, name=name, key=key, other=other: places[index]["events"][name].update({key: other}))


def broken_answers(found):
    """Answers with one fault each, and its description."""
    for at in found:
        for what, change in [
            ("no place", lambda calls: calls.clear()),
            ("another name", lambda calls: calls[0]["events"][0].update(name="ghost")),
            ("a name too many", lambda calls: calls[0]["events"].append({"name": "ghost", "parameters": []})),
            ("a key too many", lambda calls: calls[0]["events"][0]["parameters"].append({"key": "ghost", "optional": True})),
            ("a key too few", lambda calls: calls[0]["events"][0]["parameters"].pop()),
            ("an optional key always",
             lambda calls: next(row for row in calls[0]["events"][0]["parameters"] if row["optional"]).update(optional=False)),
            ("certain of more than can be", lambda calls: calls[0].update(certainty="exact")),
        ]:
            broken = copy.deepcopy(found)
            was = found[at][0]["certainty"]
            if what not in ("no place", "certain of more than can be") and was != "exact":
                continue
            if what == "certain of more than can be" and was == "exact":
                continue
            try:
                change(broken[at])
            except (IndexError, StopIteration):
                continue
            yield f"{at[0]}:{at[1]}: {what}", broken


def inventory_faults(truth, found):
    measured = Measured("")
    measure_inventory(measured, truth, found)
    return measured.checks["recall"] + measured.checks["no wrong exact"]


def check_app(folder, scratch):
    """The breaks of one app, and whether each is detected."""
    document = json.loads((folder / "truth.json").read_text())
    work = scratch / "self-test"
    work.mkdir(exist_ok=True)
    truth = Truth(folder)
    compile_app(folder.resolve(), work / "app", truth.modules)
    events = sent_events(work / "app")
    yield "as it is", not [*truth.source_faults(), *truth.sent_faults(events)]
    for what, broken in broken_truths(document):
        other = Truth(folder, broken)
        yield what, bool([*other.source_faults(), *other.sent_faults(events)])
    found = answer_of(truth)
    yield "an answer as it should be", not inventory_faults(truth, found)
    for what, broken in broken_answers(found):
        yield what, bool(inventory_faults(truth, broken))


def check_random():
    """Whether a wrong claim about a random program is detected."""
    shapes = {("a", frozenset("xy")), ("a", frozenset("x")), ("b", frozenset())}
    right = {"a": ({"x"}, {"y"}), "b": (set(), set())}
    yield "a claim as it should be", not list(random_run.claim_faults(right, shapes)) and not random_run.is_loose(right, shapes)
    for what, claim in [
        ("a name is missing", {"a": ({"x"}, {"y"})}), ("a key is missing", {**right, "a": ({"x"}, set())}),
        ("a key is not always there", {**right, "a": ({"x", "y"}, set())}),
    ]:
        yield what, bool(list(random_run.claim_faults(claim, shapes)))
    yield "a key that is never sent", random_run.is_loose({**right, "b": (set(), {"z"})}, shapes)


def main(scratch):
    """Returns the numbers of detected and undetected breaks."""
    results = [("random", *result) for result in check_random()]
    for folder in sorted(APPS.iterdir()):
        if (folder / "truth.json").exists():
            results += [(folder.name, *result) for result in check_app(folder, scratch)]
    for app, what, holds in results:
        if not holds:
            print(f"  {app}: {what}")
    return sum(holds for *_, holds in results), sum(not holds for *_, holds in results)
