"""The handwritten truth about an app, and its comparison with the tool's answers.

A truth file says of each place that logs: its file and line, `text` that stands there (so that an edit of the app is
noticed), the names and keys that can be sent, how certain they can be at most, and whether a person reads them at a glance.
A `*` in a name stands for any text, a key `*` for further keys. A key is sent `always`, `sometimes`, or `never` although a
reader may think so. `others` are lines that may be listed or not: forwarders, callers of functions that log for them, and
functions of the same name that log nothing.
"""

import json
import pathlib
import re

from tool import bare

CERTAINTIES = ["dynamic", "partial", "exact"]


def fits(pattern, name):
    """Whether a pattern of a truth file matches a name."""
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), name, re.DOTALL) is not None


class Place:
    """One entry of a truth file."""

    def __init__(self, entry, counts):
        self.file, self.line, self.text = entry["file"], entry["line"], entry["text"]
        self.lines = set(range(entry.get("from", self.line), self.line + 1))
        self.certainty = entry.get("certainty")
        self.glance = entry.get("glance", False)
        self.events = entry.get("events", {})
        self.unsent = entry.get("unsent", False) or self.file.endswith(".m")
        self.callers = entry.get("callers", [])
        self.counts = counts

    def __str__(self):
        return f"{self.file}:{self.line}"

    def allows(self, name, keys):
        """Whether an event that was sent can come from here."""
        return any(fits(pattern, name) and not key_faults(expected, keys) for pattern, expected in self.events.items())

    def claim_faults(self, claim):
        """The faults of a claim of certainty."""
        if self.certainty is None:
            return
        if self.certainty != "exact":
            yield f"is {self.certainty} at most"
            return
        for name, (always, sometimes) in claim.items():
            expected = next((keys for pattern, keys in self.events.items() if fits(pattern, name)), None)
            if expected is None:
                yield f"never sends `{name}`"
                continue
            for key in sorted(always | sometimes):
                if key not in expected:
                    yield f"`{name}` never has `{key}`"
                elif key in always and expected[key] != "always":
                    yield f"`{name}` has `{key}` {expected[key]}, not always"
            for key in sorted(expected.keys() - always - sometimes):
                if expected[key] != "never":
                    yield f"`{name}` has `{key}`, which is not listed"
        for pattern in self.events:
            if "*" not in pattern and pattern not in claim:
                yield f"sends `{pattern}`, which is not listed"


def key_faults(expected, keys):
    """The missing and the forbidden keys of an event."""
    missing = {key for key, when in expected.items() if when == "always" and key != "*" and key not in keys}
    if "*" in expected:
        return missing
    return missing | {key for key in keys if expected.get(key, "never") == "never"}


class Truth:
    """A truth file."""

    def __init__(self, folder, document=None):
        self.folder = pathlib.Path(folder)
        document = document or json.loads((self.folder / "truth.json").read_text())
        self.places = [Place(entry, True) for entry in document["places"]]
        self.others = [Place(entry, False) for entry in document["others"]]
        self.sources = document["sources"]
        self.modules = document.get("modules", [])
        self.exclude = document.get("exclude", [])
        self.added = set(document.get("added", []))
        self.search = [re.compile(pattern) for pattern in document["search"]]
        self.calls = document["calls"]

    def source_faults(self):
        """The contradictions between the file and a text search of the sources."""
        known = {}
        for place in self.places + self.others:
            if (place.file, place.line) in known:
                yield f"{place}: listed twice"
            known[place.file, place.line] = place
            lines = (self.folder / place.file).read_text().splitlines()
            if place.line > len(lines) or lines[place.line - 1].strip() != place.text:
                yield f"{place}: this line is not `{place.text}`"
        hits = set(self.search_hits())
        for file, line in sorted(hits - known.keys()):
            yield f"{file}:{line}: found by the search, and not listed"
        for place in self.places:
            if (place.file, place.line) not in hits:
                yield f"{place}: not found by the search"

    def search_hits(self):
        """The places of calls by a text search without comments."""
        excluded = tuple(folder + "/" for folder in self.exclude)
        for source in self.sources:
            for file in sorted((self.folder / source).rglob("*")):
                name = str(file.relative_to(self.folder))
                if file.suffix not in (".swift", ".m") or name.startswith(excluded):
                    continue
                for number, line in enumerate(file.read_text().splitlines(), 1):
                    if not line.lstrip().startswith("//") and any(search.search(line) for search in self.search):
                        yield name, number

    def sent_faults(self, events):
        """The contradictions between the file and the app's events."""
        # An event must be allowed by a place of the app.
        explaining = [place for place in self.places + self.others if place.events]
        seen = {}
        for name, parameters in events:
            seen.setdefault(name, []).append(parameters.keys())
            if not any(place.allows(name, parameters.keys() - self.added) for place in explaining):
                yield f"`{name}` is sent with {sorted(parameters)}, which no place can"
        for place in explaining:
            for pattern in place.events:
                if not place.unsent and not any(fits(pattern, name) for name in seen):
                    yield f"{place}: `{pattern}` is never sent"
                # A name with only one place shows which keys may be missing.
                places = [other for other in explaining if any(fits(name, pattern) for name in other.events)]
                for key, when in place.events[pattern].items() if len(places) == 1 and pattern in seen else []:
                    if when == "sometimes" and key != "*" and len({key in keys for keys in seen[pattern]}) == 1:
                        yield f"{place}: `{pattern}` has `{key}` always or never, not sometimes"

    def table(self, events):
        """A table that renames every known event and key."""
        keys = {}
        for place in self.places + self.others:
            for name, expected in place.events.items():
                if "*" not in name:
                    keys.setdefault(name, set()).update(key for key in expected if key != "*")
        for name, parameters in events:
            keys.setdefault(name, set()).update(parameters.keys() - self.added)
        return renaming_table(keys)


def renaming_table(keys):
    """A table of new names for everything: `a` is `new_a`."""
    return {
        "formatVersion": 1,
        "events": {
            name: {"name": "new_" + name, "parameters": {escaped(key): "new_" + escaped(key) for key in sorted(found)}}
            for name, found in sorted(keys.items())
        },
    }


def escaped(key):
    """A key as a table's path of one step."""
    return re.sub(r"([.\\\[\]])", r"\\\1", key)


def renamed(table, name, keys):
    """An event remapped by a table of `renaming_table`; an event with its new name stays unchanged."""
    entry = table["events"].get(name)
    if entry is None:
        return name, keys
    rows = {key: entry["parameters"].get(escaped(key), escaped(key)) for key in keys}
    # `box.x` is inside `box`, and a dropped key is in neither.
    return entry["name"], {bare(row) for row in rows.values() if row is not None} | entry.get("add", {}).keys()
