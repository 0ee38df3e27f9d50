#!/usr/bin/env python3
"""A sample evaluator for `dualsend conformance`: reads a question a line, answers a line. README.md describes both.

Written from the description of the formats and independent of the Swift code, so that it also checks the suite itself.
It does not validate rollout documents: it skips these questions of kind `reading`.
"""

import collections
import json
import re
import sys
import unicodedata
from datetime import date
from decimal import Decimal

BUCKETS = 100_000
COMMENTS = ("//", "_comment")
NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
TIME = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))",
    re.ASCII,
)
EPOCH = date(1970, 1, 1).toordinal()


def members(value):
    return {key: member for key, member in value.items() if key not in COMMENTS}


# Decisions


def murmur3(data, seed=0):
    """MurmurHash3, x86, 32 bits."""
    mask, state = 0xFFFFFFFF, seed

    def scrambled(block):
        block = block * 0xCC9E2D51 & mask
        block = (block << 15 | block >> 17) & mask
        return block * 0x1B873593 & mask

    whole = len(data) // 4 * 4
    for start in range(0, whole, 4):
        state ^= scrambled(int.from_bytes(data[start : start + 4], "little"))
        state = (state << 13 | state >> 19) & mask
        state = (state * 5 + 0xE6546B64) & mask
    if whole < len(data):
        state ^= scrambled(int.from_bytes(data[whole:], "little"))
    state ^= len(data)
    state = (state ^ state >> 16) * 0x85EBCA6B & mask
    state = (state ^ state >> 13) * 0xC2B2AE35 & mask
    return state ^ state >> 16


def bucket(salt, unit):
    return murmur3(f"{salt}:{unit}".encode()) * BUCKETS >> 32


def milliseconds(text):
    """Milliseconds since 1970 of an RFC 3339 text; `None` if it is none. Second 60 is the first one of the next minute."""
    match = TIME.fullmatch(text)
    if not match:
        return None
    year, month, day, hour, minute, second = (int(part) for part in match.groups()[:6])
    fraction, sign, offset_hours, offset_minutes = match.groups()[6:]
    if hour > 23 or minute > 59 or second > 60 or int(offset_hours or 0) > 23 or int(offset_minutes or 0) > 59:
        return None
    try:
        # The calendar repeats every 400 years, and Python's begins with year 1.
        days = date(year % 400 + 400, month, day).toordinal() - EPOCH + (year // 400 - 1) * 146_097
    except ValueError:
        return None
    whole = ((days * 24 + hour) * 60 + minute) * 60_000 + second * 1000 + int((fraction or ".0")[1:4].ljust(3, "0"))
    if sign:
        offset = (int(offset_hours) * 60 + int(offset_minutes)) * 60_000
        whole += -offset if sign == "+" else offset
    return whole


def version(text):
    parts = [int(part) for part in text.split(".")]
    while parts and parts[-1] == 0:
        parts.pop()
    return parts


def version_holds(condition, text):
    known = version(text)
    comparisons = re.findall(r"(>=|<=|==|>|<)\s*([0-9.]+)", condition)
    tests = {
        ">=": lambda other: known >= other,
        "<=": lambda other: known <= other,
        "==": lambda other: known == other,
        ">": lambda other: known > other,
        "<": lambda other: known < other,
    }
    return all(tests[sign](version(other)) for sign, other in comparisons)


def pattern_holds(pattern, name):
    return name.startswith(pattern[:-1]) if pattern.endswith("*") else name == pattern


def rule_matches(rule, event, context):
    for key, wanted in members(rule.get("match", {})).items():
        if key == "events":
            holds = any(pattern_holds(pattern, event) for pattern in wanted)
        elif key == "appVersion":
            holds = "appVersion" in context and version_holds(wanted, context["appVersion"])
        elif key == "attributes":
            known = context.get("attributes", {})
            holds = all(known.get(name) in values for name, values in members(wanted).items())
        else:
            holds = context.get("unitID" if key == "unitIDs" else key) in wanted
        if not holds:
            return False
    return True


def share(flag, time):
    """A flag's share in buckets; `None` if it is not set, or a schedule that has not begun."""
    if flag is None or isinstance(flag, bool):
        return None if flag is None else BUCKETS * flag
    if isinstance(flag, dict):
        begun = [step for step in flag["schedule"] if time is not None and milliseconds(step["from"]) <= time]
        return share(begun[-1]["percentage"], time) if begun else None
    return int(Decimal(str(flag)) * 1000)


def decided(question, flag, default):
    """The share that decides a flag, and where it stands. The flag is given by a function of a rule or the document."""
    time = milliseconds(question["time"]) if "time" in question else None
    for number, rule in enumerate(question["document"].get("rules", []), 1):
        found = share(flag(rule), time)
        if found is not None and rule_matches(rule, question["event"], question.get("context", {})):
            return found, f"rule {number}"
    found = share(flag(question["document"]), time)
    return default if found is None else found, "top level"


def allows_neither(document, reasons):
    """Whether one of the places that decide says that an event may have neither sink."""
    places = [document] + document.get("rules", [])
    numbers = [0 if reason == "top level" else int(reason.removeprefix("rule ")) for reason in reasons]
    return any(places[number].get("allowNeither", False) for number in numbers)


def shares(question):
    return (
        decided(question, lambda place: place.get("shouldSendLogToOldLogger"), BUCKETS),
        decided(question, lambda place: place.get("shouldSendLogToNewTracker"), 0),
    )


def decision(question):
    document = question["document"]
    unit = question.get("context", {}).get("unitID")
    (old, old_reason), (new, new_reason) = shares(question)
    number = None if unit is None else bucket(document["salt"], unit)
    if unit is None and not {old, new} <= {0, BUCKETS}:
        outcome = document.get("missingUnit", "old")
        is_old, is_new = outcome in ("old", "both"), outcome in ("new", "both")
        old_reason = new_reason = "missing unit"
    else:
        position = 0 if number is None else number
        is_old, is_new = position >= BUCKETS - old, position < new
        if not is_old and not is_new and not allows_neither(document, (old_reason, new_reason)):
            is_old, old_reason = True, "no sink"
    sinks = {}
    for side, is_on in (("old", is_old), ("new", is_new)):
        for sink in members(members(document.get("sinks", {})).get(side, {})):
            part, _ = decided(
                question, lambda place: members(members(place.get("sinks", {})).get(side, {})).get(sink), BUCKETS
            )
            if number is None:
                is_among = part == BUCKETS
            else:
                is_among = number >= BUCKETS - part if side == "old" else number < part
            sinks[sink] = is_on and is_among
    return {
        "oldLogger": is_old,
        "newTracker": is_new,
        "oldLoggerReason": old_reason,
        "newTrackerReason": new_reason,
        "bucket": number,
        "sinks": sinks,
    }


def population(question):
    (old, _), (new, _) = shares(question)
    first_old = BUCKETS - old
    return {
        "both": max(0, new - first_old),
        "new": min(new, first_old),
        "old": BUCKETS - max(new, first_old),
        "neither": max(0, first_old - new),
    }


# Remapping


def number_text(number):
    """A number in canonical JSON: RFC 8785, but integers with all their digits."""
    if isinstance(number, int):
        return str(number)
    if number == int(number) and abs(number) <= 2**53:
        return str(int(number))
    sign, digits, exponent = Decimal(repr(number)).as_tuple()
    text = "".join(map(str, digits)).rstrip("0")
    exponent += len(digits) - len(text)
    point = len(text) + exponent
    if len(text) <= point <= 21:
        body = text + "0" * (point - len(text))
    elif 0 < point <= 21:
        body = text[:point] + "." + text[point:]
    elif -6 < point <= 0:
        body = "0." + "0" * -point + text
    else:
        body = text[0] + ("." + text[1:] if len(text) > 1 else "") + f"e{point - 1:+d}"
    return ("-" if sign else "") + body


def whole(text):
    """An integer of JSON: beyond 64 bits it is a double."""
    number = int(text)
    return number if -(2**63) <= number < 2**64 else float(text)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def scalar_text(value):
    """The text that a value table knows a scalar by; `None` for a container."""
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    return number_text(value) if is_number(value) else None


def date_text(time):
    day, rest = divmod(time, 86_400_000)
    # In the four centuries that begin with year 400, because Python's calendar begins with year 1.
    cycles, day = divmod(day + EPOCH - date(400, 1, 1).toordinal(), 146_097)
    moment = date.fromordinal(day + date(400, 1, 1).toordinal())
    seconds, thousandths = divmod(rest, 1000)
    clock = f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.{thousandths:03d}"
    return f"{moment.year + 400 * cycles:04d}-{moment.month:02d}-{moment.day:02d}T{clock}Z"


def writable(time):
    """Whether the year has four digits."""
    return -62_167_219_200_000 <= time <= 253_402_300_799_999


def numeric(value):
    """The number that a value stands for, and whether a digit is lost; `None` if it stands for none."""
    if isinstance(value, bool):
        return int(value), False
    if is_number(value):
        return value, False
    if not isinstance(value, str) or not NUMBER.fullmatch(value):
        return None
    exact = Decimal(value)
    if re.fullmatch(r"-?[0-9]+", value) and -(2**63) <= int(value) < 2**64:
        return int(value), False
    found = float(value)
    if found in (float("inf"), float("-inf")):
        return None
    return found, Decimal(number_text(found)) != exact


def converted(value, kind):
    """The value as a type and whether something is lost; `None` if there is no such conversion."""
    if value is None:
        return value, False
    if kind == "string":
        text = scalar_text(value)
        return None if text is None else (text, False)
    if kind == "bool":
        if isinstance(value, bool):
            return value, False
        text = value.lower() if isinstance(value, str) else scalar_text(value)
        return (text in ("1", "true"), False) if text in ("0", "1", "false", "true") else None
    if kind == "date":
        if isinstance(value, str):
            time, is_lossy = milliseconds(value), False
        elif is_number(value):
            time, is_lossy = int(value), int(value) != value
        else:
            return None
        return (date_text(time), is_lossy) if time is not None and writable(time) else None
    found = numeric(value)
    if found is None:
        return None
    number, is_lossy = found
    if kind == "double":
        return (float(number), is_lossy or number_text(float(number)) != number_text(number))
    cut = int(number) if abs(number) <= 2**53 or isinstance(number, int) else int(Decimal(number_text(number)))
    return (cut, is_lossy or cut != number and abs(number) <= 2**53) if -(2**63) <= cut < 2**64 else None


def ruled(value, row, counts):
    """A value after a row's table, type and default."""
    kind = row.get("type")
    text = scalar_text(value)
    table = members(row.get("values", {}))
    if text is not None and text in table:
        found = table[text]
        return converted(found, kind)[0] if kind == "date" else found
    if value is None and "default" in row:
        return default(row)
    if kind is None and "values" not in row or value is None:
        return value
    found = None if kind is None else converted(value, kind)
    if found is None:
        counts["conversionFailures"] += 1
        return default(row) if "default" in row else value
    counts["lossyConversions"] += found[1]
    return found[0]


def default(row):
    return converted(row["default"], "date")[0] if row.get("type") == "date" else row["default"]


def path(text):
    """The steps of a path: keys, and `...` for each element of an array."""
    steps = []
    for key, brackets in re.findall(r"((?:\\.|[^.\[\\])+)((?:\[\])*)", text):
        steps.append(re.sub(r"\\(.)", r"\1", key))
        steps += [...] * (len(brackets) // 2)
    return tuple(steps)


def entry(table, event):
    """What a table says about an event, with the rows of `*` that it has no row of its own for."""
    events = members(table["events"])
    everywhere = members(events.get("*", {}))
    own = members(events.get(event, {})) if event != "*" else {}

    def sources(rows):
        """A row for each source. Those of one row of the table share its list `or`."""
        for text, row in members(rows).items():
            row = {"to": row} if isinstance(row, str) else row
            for rank, source in enumerate([text] + (row or {}).get("or", [])):
                yield path(source), row and row | {"rank": rank}

    rows = dict(sources(everywhere.get("parameters", {}))) | dict(sources(own.get("parameters", {})))
    constants = members(everywhere.get("add", {})) | members(own.get("add", {}))
    constants = {path(text): value for text, value in constants.items()}
    word = lambda key, otherwise: own.get(key, everywhere.get(key, otherwise))
    return own.get("name"), rows, constants, word("unmapped", "keep"), word("onClash", "mapped")


def normal(text):
    """A text in the form that canonically equivalent texts share."""
    return unicodedata.normalize("NFC", text)


class Taking:
    """Takes the values of rows out of a payload."""

    def __init__(self, rows):
        self.rows = rows
        self.moved, self.absent, self.unmapped = [], [], []

    def leads(self, place):
        return any(source[: len(place)] == place for source in self.rows)

    def rest(self, value, place, spot, indices):
        """What is left of a value; `...` if nothing is. `place` has no positions of elements, `spot` has."""
        if place in self.rows:
            if self.rows[place] is not None:
                self.moved.append((place, value, indices))
            return ...
        if isinstance(value, dict) and self.leads(place):
            if not value and place:
                self.unmapped.append(spot)
            left = {
                key: self.rest(member, place + (key,), spot + (key,), indices) for key, member in value.items()
            }
            for source in self.missing(place):
                if source[len(place)] not in value:
                    self.absent.append((source, indices))
            left = {key: member for key, member in left.items() if member is not ...}
            return ... if value and not left else left
        self.absent += [(source, indices) for source in self.missing(place)]
        if isinstance(value, list) and value and self.leads(place + (...,)):
            left = [
                self.rest(element, place + (...,), spot + (index,), indices + (index,))
                for index, element in enumerate(value)
            ]
            if all(element is ... for element in left):
                return ...
            empty = lambda element: {} if isinstance(element, dict) else [] if isinstance(element, list) else None
            return [empty(old) if new is ... else new for old, new in zip(value, left)]
        self.unmapped.append(spot)
        return value

    def missing(self, place):
        """The rows with a default below a place that no further array leads to."""
        for source, row in self.rows.items():
            if len(source) > len(place) and source[: len(place)] == place and ... not in source[len(place) :]:
                if row is not None and "default" in row:
                    yield source


class Writing:
    """Writes values into what is left of a payload."""

    def __init__(self, payload):
        self.payload, self.clashes = payload, 0

    def write(self, value, target, indices, precedence):
        """`precedence` is `mapped` or `payload`, and both clash; or `yields` or `fills`, the ways of defaults."""
        self.indices, self.precedence, self.clashed = list(indices), precedence, False
        self.payload = self.placed(self.payload, target, value)
        self.clashes += self.clashed

    def gives_way(self):
        self.clashed = self.precedence in ("mapped", "payload")
        return self.precedence == "mapped"

    def placed(self, standing, steps, value):
        """What stands at a place after the write; `...` is a free place."""
        if not steps:
            is_free = standing is ... or self.precedence == "fills" and standing is None
            return value if is_free or self.gives_way() else standing
        step, rest = steps[0], steps[1:]
        kind = list if step is ... else dict
        if standing is not ... and not isinstance(standing, kind):
            if not self.gives_way():
                return standing
            standing = ...
        container = kind() if standing is ... else kind(standing)
        if step is not ...:
            other = next((key for key in container if key != step and normal(key) == normal(step)), None)
            if other is not None:
                if not self.gives_way():
                    return container
                del container[other]
            container[step] = self.placed(container.get(step, ...), rest, value)
            return container
        index = self.indices.pop(0)
        filler = None if not rest else [] if rest[0] is ... else {}
        while len(container) < index:
            container.append(filler)
        element = container[index] if index < len(container) else ...
        container[index : index + 1] = [self.placed(element, rest, value)]
        return container


def standing(value, steps, indices):
    """The value at a place; `...` if there is none."""
    indices = list(indices)
    for step in steps:
        step = indices.pop(0) if step is ... else step
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return ...
    return value


def spelled(spot):
    text = ""
    for step in spot:
        text += f"[{step}]" if isinstance(step, int) else ("." if text else "") + re.sub(r"([.\[\]\\])", r"\\\1", step)
    return text


def canonical(value):
    """A value as RFC 8785 writes it."""
    if isinstance(value, dict):
        pairs = sorted(value.items(), key=lambda pair: pair[0].encode("utf-16-be"))
        return "{" + ",".join(canonical(key) + ":" + canonical(member) for key, member in pairs) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    return json.dumps(value) if isinstance(value, str) else scalar_text(value)


def firsts(moved, rows, writing):
    """Of the values for one place, the first that is not null, or else the first. Counts those that lose otherwise."""
    places = {}
    for source, value, indices in moved:
        places.setdefault((path(rows[source]["to"]), indices), []).append((rows[source].get("rank", 0), source, value))
    for (_, indices), rivals in places.items():
        rivals.sort(key=lambda rival: rival[0])
        first = next((rival for rival in rivals if rival[2] is not None), rivals[0])
        written = lambda rival: canonical(ruled(rival[2], rows[rival[1]], collections.Counter()))
        for rival in rivals:
            writing.clashes += rival is not first and rival[2] is not None and written(rival) != written(first)
        yield first[1], first[2], indices


def applied(name, rule, payload):
    new_name, rows, constants, unmapped, clash = rule
    counts = {"conversionFailures": 0, "lossyConversions": 0}
    taking = Taking(rows)
    rest = taking.rest(payload, (), (), ()) if rows else payload
    if not rows:
        taking.unmapped = [(key,) for key in payload]
    kept = {} if unmapped == "drop" or rest is ... else rest
    writing = Writing(kept)
    for source, value, indices in firsts(taking.moved, rows, writing):
        writing.write(ruled(value, rows[source], counts), path(rows[source]["to"]), indices, clash)
    for target, value in constants.items():
        writing.write(value, target, (), clash)
    for source, indices in taking.absent:
        target = path(rows[source]["to"])
        fills = target[-1] is ... and standing(kept, target, indices) is ...
        writing.write(default(rows[source]), target, indices, "fills" if fills else "yields")
    paths = sorted(spelled(spot) for spot in taking.unmapped)
    return {
        "name": new_name or name,
        "payload": writing.payload,
        "clashes": writing.clashes,
        **counts,
        "unmapped": paths if unmapped == "report" else [],
    }


def remapping(question):
    event = question["event"]
    return applied(event, entry(question["table"], event), question["payload"])


def inverse(question):
    table = question["table"]
    events = [event for event in members(table["events"]) if event != "*"]
    names = {}
    for event in events + ["*"]:
        name, rows, _, unmapped, _ = entry(table, event)
        plain = all(row is not None and set(members(row)) <= {"to", "allow", "rank"} for row in rows.values())
        if not plain or any(... in source for source in rows) or unmapped == "drop":
            return {"isInvertible": False}
        if event != "*":
            if (name or event) in names:
                return {"isInvertible": False}
            names[name or event] = event
    event = names.get(question["event"], "*")
    _, rows, constants, _, _ = entry(table, event)
    spelling = lambda steps: ".".join(re.sub(r"([.\[\]\\])", r"\\\1", step) for step in steps)
    undone = {path(row["to"]): {"to": spelling(source)} for source, row in rows.items()}
    undone |= {target: None for target in constants}
    found = applied(question["event"], (None if event == "*" else event, undone, {}, "keep", "mapped"), question["payload"])
    return {"isInvertible": True, "name": found["name"], "payload": found["payload"]}


# Comparing


def comparison(question):
    ignored = [path(text) for text in question.get("ignore", [])]
    fields = {}

    def compare(expected, actual, place, spot):
        if place in ignored:
            fields[spelled(spot)] = "ignored"
        elif isinstance(expected, dict) and isinstance(actual, dict) and (expected or actual or not spot):
            for key in expected.keys() | actual.keys():
                compare(expected.get(key, ...), actual.get(key, ...), place + (key,), spot + (key,))
        elif isinstance(expected, list) and isinstance(actual, list) and (expected or actual):
            for index in range(max(len(expected), len(actual))):
                left, right = (side[index] if index < len(side) else ... for side in (expected, actual))
                compare(left, right, place + (...,), spot + (index,))
        else:
            fields[spelled(spot)] = outcome(expected, actual)

    compare(question["expected"], question["actual"], (), ())
    return {"fields": fields}


def outcome(expected, actual):
    if actual is ...:
        return "missing"
    if expected is ...:
        return "extra"
    if is_number(expected) and is_number(actual):
        return "equal" if number_text(expected) == number_text(actual) else "valueChanged"
    if type(expected) is not type(actual):
        return "typeChanged"
    return "equal" if expected == actual else "valueChanged"


# Reading remapping tables


class Refused(Exception):
    """A table breaks a rule."""


def demand(holds):
    if not holds:
        raise Refused


def unique(pairs):
    """An object of a document: no key stands twice, and no two keys are canonically equivalent."""
    demand(len({normal(key) for key, _ in pairs}) == len(pairs))
    return dict(pairs)


def refuse(_):
    raise Refused


def check_value(value, depth=0):
    """What Python's reader does not check: the depth, halves of surrogate pairs, numbers beyond a double."""
    if isinstance(value, str):
        value.encode()
    elif is_number(value):
        demand(abs(value) < float("inf"))
    elif isinstance(value, (dict, list)):
        demand(depth < 64)
        for part in [*value, *value.values()] if isinstance(value, dict) else value:
            check_value(part, depth + 1)


def check_members(value, known):
    demand(isinstance(value, dict) and members(value).keys() <= known)


STEP = r"(?:\\[.\[\]\\]|[^.\[\\])+(?:\[\])*"


def checked_path(text):
    demand(isinstance(text, str) and re.fullmatch(rf"{STEP}(?:\.{STEP})*", text, re.DOTALL))
    demand(len(path(text)) <= 32)
    return path(text)


def fits(value, kind):
    if kind is None:
        return True
    if kind == "date":
        return isinstance(value, str) and converted(value, kind) is not None
    if kind == "double":
        return is_number(value)
    return type(value) is {"string": str, "int": int, "bool": bool}[kind]


def check_allowance(value):
    codes = value.get("allow", [])
    demand(isinstance(codes, list))
    demand(all(isinstance(code, str) and re.fullmatch("DS[0-9]{4}", code) for code in codes))


def check_row(source, row):
    brackets = checked_path(source).count(...)
    if row is None:
        return
    if isinstance(row, str):
        row = {"to": row}
    check_members(row, {"to", "or", "type", "values", "default", "allow"})
    check_allowance(row)
    if "or" in row:
        demand(isinstance(row["or"], list) and row["or"])
        demand(all(checked_path(text).count(...) == brackets for text in row["or"]))
    demand(checked_path(row.get("to")).count(...) == brackets)
    kind = row.get("type")
    demand("type" not in row or kind in ("string", "int", "double", "bool", "date"))
    if "values" in row:
        demand(isinstance(row["values"], dict) and members(row["values"]))
        for value in members(row["values"]).values():
            demand(value is None or not isinstance(value, (dict, list)) and fits(value, kind))
    if "default" in row:
        demand(row["default"] is not None and fits(row["default"], kind))


def has_or(row):
    return isinstance(row, dict) and isinstance(row.get("or"), list)


def check_event(name, entry):
    demand(name and (name == "*" or not name.endswith("*")))
    check_members(entry, {"name", "parameters", "add", "unmapped", "onClash", "allow"})
    check_allowance(entry)
    if "name" in entry:
        demand(isinstance(entry["name"], str) and entry["name"] and name != "*")
    for part in ("parameters", "add"):
        demand(isinstance(entry.get(part, {}), dict))
        texts = [list(members(entry.get(part, {})))]
        texts += [row["or"] for row in members(entry.get(part, {})).values() if part == "parameters" and has_or(row)]
        places = [checked_path(text) for text in sum(texts, [])]
        demand(len(set(places)) == len(places) and not (part == "add" and any(... in place for place in places)))
    for source, row in members(entry.get("parameters", {})).items():
        check_row(source, row)
    demand(entry.get("unmapped", "keep") in ("keep", "drop", "report"))
    demand(entry.get("onClash", "mapped") in ("mapped", "payload"))


def check_places(places, are_written):
    """No path is the start of another. Written ones also agree on what is an array, and on the spelling of keys."""
    for number, left in enumerate(places):
        for right in places[:number]:
            same = next((at for at, pair in enumerate(zip(left, right)) if pair[0] != pair[1]), None)
            demand(same is not None)
            if are_written:
                one, other = left[same], right[same]
                demand(one is not ... and other is not ... and normal(one) != normal(other))


def check_table(table):
    check_value(table)
    check_members(table, {"$schema", "formatVersion", "events"})
    demand(isinstance(table.get("$schema", ""), str))
    demand(type(table.get("formatVersion")) is int and table["formatVersion"] == 1)
    demand(isinstance(table.get("events"), dict))
    for name, event in members(table["events"]).items():
        check_event(name, event)
    for name in members(table["events"]):
        _, rows, constants, _, _ = entry(table, name)
        check_places(list(rows), are_written=False)
        # One target for the sources of one row.
        targets = {id(row["or"]) if "or" in row else place: path(row["to"]) for place, row in rows.items() if row}
        check_places(list(targets.values()) + list(constants), are_written=True)


def reading(question):
    if question["format"] != "remapping":
        return None
    try:
        text = question["text"].removeprefix("\ufeff")
        demand(len(text.encode()) <= 1 << 24)
        check_table(json.loads(text, object_pairs_hook=unique, parse_int=whole, parse_constant=refuse))
    except (Refused, ValueError, RecursionError):
        return {"isAccepted": False}
    return {"isAccepted": True}


KINDS = {
    "decision": decision,
    "population": population,
    "remapping": remapping,
    "inverse": inverse,
    "comparison": comparison,
    "reading": reading,
}


def main():
    for line in sys.stdin:
        question = json.loads(line, parse_int=whole)
        answer = {"id": question["id"]}
        found = KINDS[question["kind"]](question) if question["kind"] in KINDS else None
        if found is None:
            answer["skipped"] = "this evaluator does not validate rollout documents"
        else:
            answer["answer"] = found
        print(json.dumps(answer, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
