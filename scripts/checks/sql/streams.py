"""Streams of events, and random tables, on which a query and `dualsend parity` must agree."""

import json
import pathlib
import random
import re
import subprocess
import unicodedata

KEYS = ["a", "b", "c", "d", "e", "é", "e\u0301", "k.x", "k/y", "k[z", "k~0", "", "v", '"q"', "\\", "画", "\u212a", "K",
        "a\x00", "\x1f"]  # fmt: skip
# Texts that Unicode normalisation changes.
UNFOLDED_KEYS = {"e\u0301", "\u212a"}
NUMBERS = """
    0 -0 1 1.0 -0.0 2 2.5 1e2 1E+2 100 9007199254740993 9007199254740992 9007199254740993.0 9223372036854775807
    9223372036854775808 18446744073709551615 18446744073709551616 -9223372036854775808 -9223372036854775809 1e22 1e21
    123456789012345680000 1e-7 1.5e-7 0.000001 0.1 0.30000000000000004 0.1e1 5e-324 1e-400 1.7976931348623157e308
    12345.678 -2.5 1e300 0.5 3 18446744073709550000 1.8446744073709550e19 9223372036854776000 253402300799999
    253402300800000 -62167219200000 1700000000000 1700000000000.9 12345678901234567890123
""".split()
TEXTS = ["", "x", "1", "0", "true", "FALSE", "True", "1.5", "-3", "01", "1e3", "1e999", "9007199254740993", "null",
         "2026-01-31T12:00:00Z", "2026-01-31t12:00:00.1239+09:00", "2025-02-29T00:00:00Z", "2024-02-29 23:59:60Z",
         "0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999-00:01", "0000-01-01T00:00:00+00:01", "é", "e\u0301", "日本",
         "a\x00b", 'a"b\\c/', "\u2028", "😀", "👩\u200d👧", "12 px", "v", "true ", "\r\n", "it's",
         "18446744073709551616", "-9223372036854775808"]  # fmt: skip
BROKEN_VALUES = ["01", "1.", "+1", "NaN", '"\\x"', '"\\ud800"', '"a\x01"', "1e999", "tru", '{"a":1,"a":2}',
                 '{"é":1,"e\u0301":2}', "[1,]", "[1 2]", "{a:1}", '"\\udc00\\ud800"', "-", "[}", "1e400"]  # fmt: skip
BROKEN_PAYLOADS = ["[]", "1", "null", '"x"'] + ['{"a":' + "[" * depth + "]" * depth + "}" for depth in (63, 64, 70)]
OTHER_MEMBERS = ['"extra":{"x":[1,}}', '"time":1', '"time":{}', '"name":1', '"x":True', '"unitID":"u"', '"x":"\\q"',
                 '"x":tru', '"\\u006eame":"z"', '"zz":[}']  # fmt: skip
with open("Fixtures/vectors/decision-stamps.json") as vectors:
    DECISION_VECTORS = json.load(vectors)
# Mostly decisions, in proportions in which each kind occurs; invalid ones must not be read as decisions.
DECISIONS = DECISION_VECTORS["stamps"] * 5 + DECISION_VECTORS["others"]
CONSTANTS = ["1", '"x"', "null", '{"p":{"q":1},"r":[]}', '[1,{"z":2},[]]', "{}", "[]", "1.50", "1e300"]


class JSONText(str):
    """A text that is, or should be, JSON."""


def same_key(left, right):
    return unicodedata.normalize("NFC", left) == unicodedata.normalize("NFC", right)


def write_lines(file, lines):
    with open(file, "w", newline="") as stream:
        stream.write("".join(line + "\n" for line in lines))


class Generator:
    def __init__(self, seed, has_unfolded_keys=True):
        self.chance = random.Random(seed)
        self.broken_values = [value for value in BROKEN_VALUES if has_unfolded_keys or "e\u0301" not in value]
        self.hostile_keys = [key for key in KEYS if has_unfolded_keys or key not in UNFOLDED_KEYS]
        self.is_hostile = self.happens(0.6)
        # The number of lines with a decision, and the decision of each id.
        self.stamped = 0
        self.decisions = {}

    def happens(self, share):
        return self.chance.random() < share

    def one(self, items):
        return self.chance.choice(items)

    # Texts of JSON

    def space(self):
        return self.one([""] * 8 + [" ", "\t "]) if self.is_hostile else ""

    def string(self, text):
        """One of the ways to write a string."""
        way = self.chance.random()
        if way < 0.8:
            return json.dumps(text, ensure_ascii=way < 0.3)
        units = text.encode("utf-16-be")
        return '"' + "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2)) + '"'

    def scalar(self):
        kind = self.chance.random()
        if kind < 0.35:
            return self.one(NUMBERS)
        return self.string(self.one(TEXTS)) if kind < 0.75 else self.one(["true", "false", "null"])

    def value(self, depth=0):
        kind = self.chance.random()
        if depth > 3 or kind < 0.6:
            return JSONText(self.scalar())
        if kind < 0.8:
            return JSONText(self.object(depth + 1))
        elements = [self.space() + self.value(depth + 1) + self.space() for _ in range(self.one([0, 1, 2, 2, 3]))]
        return JSONText("[" + ",".join(elements) + "]")

    def key(self):
        return self.one(self.hostile_keys if self.is_hostile else KEYS[:5])

    def keys(self, count):
        found = []
        for key in (self.key() for _ in range(count)):
            if not any(same_key(key, other) for other in found):
                found.append(key)
        return found

    def object(self, depth=0, count=None):
        keys = self.keys(self.one([0, 1, 2, 3, 4]) if count is None else count)
        return self.text({key: self.value(depth) for key in keys})

    def text(self, value):
        if isinstance(value, JSONText):
            return value
        if isinstance(value, dict):
            members = (self.string(key) + self.space() + ":" + self.text(member) for key, member in value.items())
            return "{" + ",".join(self.space() + member for member in members) + "}"
        if isinstance(value, list):
            return "[" + ",".join(map(self.text, value)) + "]"
        return self.string(value) if isinstance(value, str) else json.dumps(value)

    # Tables

    def path(self, arrays):
        steps = ["".join("\\" + c if c in ".[]\\" else c for c in self.key() or "z") for _ in range(self.one([1, 1, 2, 2, 3]))]
        for index in range(len(steps)):
            while arrays and (self.happens(0.6) or index == len(steps) - 1):
                steps[index] += "[]"
                arrays -= 1
        return ".".join(steps)

    def constant(self, kind):
        return self.one(
            {
                "int": [0, 1, -5, 18446744073709551615], "double": [0.5, 2, 1e300], "bool": [True, False],
                "date": ["2026-01-31T12:00:00Z"], "string": TEXTS,
            }.get(kind, [0, 1.5, True, "x", "é", "it's\n", 10**18])
        )  # fmt: skip

    def row(self, arrays):
        kind = self.chance.random()
        if kind < 0.15:
            return None
        if kind < 0.5:
            return self.path(arrays)
        row = {"to": self.path(arrays)}
        if self.happens(0.6):
            row["type"] = self.one(["string", "int", "double", "bool", "date"])
        if self.happens(0.4):
            keys = [self.one(TEXTS + ["0", "1", "1.5", "true", "null", "100", "0.1"]) for _ in range(3)]
            row["values"] = {key: self.constant(row.get("type")) if self.happens(0.8) else None for key in keys}
        if self.happens(0.5):
            row["default"] = self.constant(row.get("type"))
        return row

    def entry(self, is_wildcard):
        entry = {"parameters": {}}
        if not is_wildcard and self.happens(0.6):
            entry["name"] = self.one(["n1", "n2", "new.x", "ev.a", "ünï"])
        for _ in range(self.one([0, 1, 2, 3, 4])):
            arrays = self.one([0, 0, 0, 0, 1, 1, 2])
            entry["parameters"][self.path(arrays)] = self.row(arrays)
        if self.happens(0.4):
            entry["add"] = {self.path(0): json.loads(self.one(CONSTANTS)) for _ in range(self.one([1, 2]))}
        if self.happens(0.3):
            entry["unmapped"] = self.one(["keep", "drop", "report"])
        if self.happens(0.4):
            entry["onClash"] = self.one(["mapped", "payload"])
        return entry

    def table(self, dualsend, file):
        """A valid table; invalid rows are removed at random."""
        while True:
            names = [name for name in ("ev.a", "ev.b", "ev.c", "e\u0301v") if self.happens(0.8)]
            events = {name: self.entry(False) for name in names}
            if self.happens(0.5):
                events["*"] = self.entry(True)
            for _ in range(12):
                file.write_text(json.dumps({"formatVersion": 1, "events": events}, ensure_ascii=self.happens(0.5)))
                if subprocess.run([dualsend, "remap", file], stdin=subprocess.DEVNULL, capture_output=True).returncode == 0:
                    return events
                for entry in events.values():
                    for part in ("parameters", "add"):
                        if entry.get(part) and self.happens(0.5):
                            entry[part].pop(self.one(list(entry[part])))

    # Streams

    def aimed_payload(self, sources):
        """A payload with values at the sources of rows."""
        payload = {}
        for source in self.chance.sample(sources, min(len(sources), 3)):
            self.place(payload, re.split(r"(?<!\\)\.", source))
        if self.happens(0.5):
            for key in self.keys(2):
                if not any(same_key(key, other) for other in payload):
                    payload[key] = self.value(1)
        return self.text(payload)

    def place(self, payload, steps):
        key, arrays = re.fullmatch(r"(.*?)((?:(?<!\\)\[\])*)", steps[0], re.DOTALL).groups()
        key = re.sub(r"\\(.)", r"\1", key, flags=re.DOTALL)
        value = self.value(2)
        if len(steps) > 1:
            value = {}
            self.place(value, steps[1:])
        for _ in range(len(arrays) // 2):
            value = [value] + [self.value(2) for _ in range(self.one([0, 0, 1, 2]))]
            self.chance.shuffle(value)
        if self.happens(0.85) and not any(same_key(key, other) for other in payload):
            payload[key] = value

    def changed(self, value):
        """A value with parts removed, changed or added."""
        if isinstance(value, dict):
            value = {
                key: self.value(2) if self.happens(0.04) else self.changed(member)
                for key, member in value.items() if self.happens(0.96)
            }  # fmt: skip
            key = self.key()
            if self.happens(0.05) and not any(same_key(key, other) for other in value):
                value[key] = self.value(2)
        elif isinstance(value, list):
            value = [self.changed(element) for element in value if self.happens(0.96)]
            value += [self.value(2)] * self.happens(0.08)
        return value

    def id(self, number, is_skewed):
        if is_skewed and self.happens(0.9):
            return '"same"'
        if self.happens(0.95):
            return self.string(f"id-{number:03}")
        odd = [f'"\\u0069d-{number:03}"', "5", "null", '""', '"a\\\\u"', f'"bad\\x{number}"', f'"bé{number}"']
        return self.one(odd)

    def decision(self, event_id):
        """A decision as JSON, mostly that of the event's other line; or an invalid one."""
        if self.happens(0.1):
            return self.one(["5", "null", "{}", '["12:both"]', "true", '"\\u0031:both"', '"12:bot\\u0068"', '"\\ud800"'])
        if event_id not in self.decisions or self.happens(0.1):
            self.decisions[event_id] = self.one(DECISIONS)
        return json.dumps(self.decisions[event_id], ensure_ascii=self.happens(0.5))

    def old_line(self, number, payload, id_key, is_skewed):
        rare = ["ev.a", "ev.b", "ev.c", "e\u0301v", "\u00e9v", "other", "n1"]
        name = self.one(rare) if self.happens(0.4) else "ev.a"
        comma = "," if len(payload) > 2 else ""
        if self.happens(0.04):
            payload = payload[:-1] + comma + '"bad":' + self.one(self.broken_values) + "}"
        if self.happens(0.02):
            payload = self.one(BROKEN_PAYLOADS)
        event_id = self.id(number, is_skewed)
        members = ['"name":' + self.string(name)]
        is_stamped = self.happens(self.stamped)
        if id_key:
            stamp = ',"dual_send":' + self.decision(event_id) if is_stamped else ""
            own_id = ",".join([json.dumps(id_key) + ":" + event_id] * self.one([1] * 30 + [2]))
            payload = "{" + own_id + stamp + comma + payload[1:]
        else:
            members.append('"eventId":' + event_id)
        if is_stamped and self.happens(0.1 if id_key else 0.97):
            members += ['"decision":' + self.decision(event_id)] * self.one([1] * 30 + [2])
        members.append('"parameters":' + payload)
        if self.happens(0.1):
            members.append(self.one(OTHER_MEMBERS))
        self.chance.shuffle(members)
        line = "{" + (self.space() + ",").join(members) + "}"
        if self.happens(0.02):
            line = self.one([line[:-3], line + " x", "", "   ", "null", "[]", line + "}", '{"name":"a"}', line[1:]])
        return line

    def new_lines(self, remapped, id_key, payload):
        for line in remapped:
            number = lambda text: JSONText(text)  # noqa: E731
            event = json.loads(line, parse_float=number, parse_int=number)
            values = event["parameters"]
            event_id = values.pop(id_key, None) if id_key else event.get("eventId")
            if id_key and self.happens(0.95):
                values.pop("dual_send", None)
            values = self.changed(values) if self.happens(0.5) else values
            members = [
                '"eventName":' + self.string(event["name"] if self.happens(0.95) else "odd"),
                '"payload":' + (self.text(values) if self.happens(0.97) else payload()),
                '"eventId":' + json.dumps(event_id if isinstance(event_id, str) and not isinstance(event_id, JSONText) else "none", ensure_ascii=False),
                '"eventTime":1',
            ]
            if self.happens(self.stamped):
                members.append('"decision":' + self.decision(json.dumps(event_id)))
            self.chance.shuffle(members)
            line = "{" + ",".join(members) + "}"
            yield from [line] * self.one([0] + [1] * 28 + [2])


def remapped(dualsend, table, file):
    """The remapped lines of a file, without malformed ones."""
    done = subprocess.run([dualsend, "remap", table, file], capture_output=True)
    return [line for line in done.stdout.decode().split("\n") if line]


def random_case(dualsend, folder, seed, given_table, has_unfolded_keys=True, lines=150):
    """A random table, or a given one, and random streams for it; the table and the options of the comparison."""
    make = Generator(seed, has_unfolded_keys)
    table = given_table or folder / "table.json"
    if given_table:
        events = {name: entry for name, entry in json.loads(table.read_text())["events"].items() if isinstance(entry, dict)}
    else:
        events = make.table(dualsend, table)
    sources = [source for entry in events.values() for source in entry.get("parameters", {})]

    def payload():
        if not sources or make.happens(0.5):
            return make.object(count=make.one([0, 1, 2, 3, 5]))
        return make.aimed_payload(sources)

    make.stamped = make.one([0, 0.5, 1])
    id_key = "_id" if make.happens(0.25) else None
    is_skewed = make.happens(0.3)
    old = [make.old_line(number, payload(), id_key, is_skewed) for number in range(lines)]
    write_lines(folder / "old.jsonl", old)
    write_lines(folder / "new.jsonl", [])
    new = list(make.new_lines(remapped(dualsend, table, folder / "old.jsonl"), id_key, payload))
    make.chance.shuffle(new)
    write_lines(folder / "new.jsonl", new)
    options = ["--id-key", id_key] if id_key else []
    if make.happens(0.3):
        options += ["--ignore", make.path(make.one([0, 1])).replace("\0", "n")]
    if make.happens(0.2):
        options += ["--allow-lone", make.one(["old", "new", "both"])]
    return table, options


def fixtures(dualsend, folder, table):
    """The legacy fixture events and new events for them, some of which are wrong."""
    chance = random.Random(3)
    events = [json.loads(line) for line in open("Fixtures/legacy/events.jsonl")]
    old, new = [], []
    for number, (event, other) in enumerate(zip(events, remapped(dualsend, table, "Fixtures/legacy/events.jsonl"))):
        event["eventId"], other = f"id-{number:06}", json.loads(other)
        values = other["parameters"]
        if values and chance.random() < 0.05:
            values.pop(chance.choice(sorted(values)))
        if chance.random() < 0.05:
            values["more"] = chance.choice([1, {}, [1, {"a": 2}], {"x": 1}])
        if values and chance.random() < 0.05:
            values[chance.choice(sorted(values))] = chance.choice([None, "x", 1.5, True])
        line = {"eventId": event["eventId"], "eventName": other["name"], "eventTime": 1, "payload": values}
        old += [json.dumps(event, ensure_ascii=number % 2 == 0)] * (chance.random() > 0.02)
        new += [json.dumps(line, ensure_ascii=number % 3 == 0)] * chance.choice([0] + [1] * 98 + [2])
    write_lines(folder / "old.jsonl", old)
    write_lines(folder / "new.jsonl", new)


def conformance(folder, has_unfolded_keys=True):
    """The cases of the conformance suite as streams: each event four times, the last time with a field too many.

    Returns the table that the cases have together, in which each has an event of its own. Left out are tables with rows for
    every event, and what SQL refuses.
    """
    events, old, new = {}, [], []
    for file in sorted(pathlib.Path("Fixtures/conformance/remapping").glob("*.json")):
        shared = json.loads(file.read_text())
        for number, case in enumerate(shared["cases"], 1):
            rules = case.get("table", shared.get("table"))["events"]
            is_ascii = json.dumps(case, ensure_ascii=False).isascii()
            if "*" in rules or not isinstance(rules.get(case["event"]), dict) or not (has_unfolded_keys or is_ascii):
                continue
            rule = rules[case["event"]]
            rows = [row for row in rule.get("parameters", {}).values() if isinstance(row, dict)]
            if any(isinstance(row.get("default"), (dict, list)) for row in rows):
                continue
            name = f"{file.stem}-{number}"
            events[name] = rule | {"name": f"new-{name}"}
            for copy in range(4):
                payload = case["expect"]["payload"] | ({"a field too many": 1} if copy == 3 else {})
                ids = {"eventId": f"{name}-{copy}"}
                old.append(json.dumps(ids | {"name": name, "parameters": case["payload"]}))
                new.append(json.dumps(ids | {"eventName": f"new-{name}", "eventTime": 1, "payload": payload}))
    write_lines(folder / "old.jsonl", old)
    write_lines(folder / "new.jsonl", new)
    table = folder / "table.json"
    table.write_text(json.dumps({"formatVersion": 1, "events": events}))
    return table


def one_event(dualsend, folder, table):
    """99 % of the lines are of one event, and one of its fields has a unique key in every hundredth line."""
    chance = random.Random(4)
    old, new = [], []
    for number in range(10_000):
        name = "home.like_button.tap" if number % 100 else f"rare.{number}"
        values = {"item_id": number, "text": "x" * (number % 7)} | ({f"key {number}": 1} if number % 100 == 1 else {})
        old.append(json.dumps({"eventId": f"{number}", "name": name, "parameters": values}))
    write_lines(folder / "old.jsonl", old)
    for number, line in enumerate(remapped(dualsend, table, folder / "old.jsonl")):
        event = json.loads(line)
        if number % 50 == 7:
            event["parameters"]["text"] = "other"
        new.append(json.dumps(
            {"eventId": event["eventId"], "eventName": event["name"], "payload": event["parameters"]}))
    chance.shuffle(new)
    write_lines(folder / "new.jsonl", new)


def one_id(dualsend, folder, table):
    """Every line has one id: one pair, and every other line repeats it."""
    write_lines(folder / "old.jsonl", ['{"eventId":"1","name":"a","parameters":{"n":%d}}' % n for n in range(5_000)])
    write_lines(folder / "new.jsonl", ['{"eventId":"1","eventName":"a","payload":{"n":%d}}' % n for n in range(5_000)])


def decisions(dualsend, folder, table):
    """Each valid and each invalid decision: alone on either side, in a pair, and in a pair with another one."""
    texts = DECISION_VECTORS["stamps"] + DECISION_VECTORS["others"]
    old, new = [], []
    for number, text in enumerate(texts + ["12:both+" + "a" * 1016, "12:both+" + "a" * 1017]):
        stamp = json.dumps(text)
        for kind, lines in (("old", [old]), ("new", [new]), ("pair", [old, new])):
            for line in lines:
                names = ("name", "parameters") if line is old else ("eventName", "payload")
                line.append('{"eventId":"%s%d","%s":"%s","%s":{},"decision":%s}' % (kind, number, names[0], kind, names[1], stamp))
        old.append('{"eventId":"two%d","name":"two","parameters":{},"decision":%s}' % (number, stamp))
        new.append('{"eventId":"two%d","eventName":"two","payload":{},"decision":"12:both"}' % number)
    write_lines(folder / "old.jsonl", old)
    write_lines(folder / "new.jsonl", new)


def array_defaults(dualsend, folder):
    """Defaults for elements of arrays, beside elements with values, beyond the end, and where the payload has a null."""
    table = folder / "arrays.json"
    rows = {"a[].v": {"to": "c[]", "default": True}, "g[][].v": {"to": "h[].d[]", "type": "int", "default": 7}}
    events = {"ev": {"parameters": rows}, "kept": {"parameters": rows, "onClash": "payload"}}
    table.write_text(json.dumps({"formatVersion": 1, "events": events}))
    payloads = [
        {"a": [{}, {"v": 1}]}, {"a": [{"v": 1}, {}]}, {"a": [{}, {}, {"v": None}, {}]}, {"a": [{}, {"v": 1}], "c": [None]},
        {"a": [{}, {"v": 1}, {}], "c": [5, None]}, {"a": [{}, {"v": 1}], "c": "x"}, {"a": [{}, {"v": [None]}]},
        {"g": [[{}, {"v": 2}], [], [{}, {}, {"v": 3}]]}, {"g": [[{}], [{}, {"v": 1}]], "h": [None, {"d": [None]}]},
    ]  # fmt: skip
    old = [
        json.dumps({"eventId": f"{name}{number}", "name": name, "parameters": payload})
        for name in events for number, payload in enumerate(payloads)
    ]  # fmt: skip
    write_lines(folder / "old.jsonl", old)
    new = [json.loads(line) for line in remapped(dualsend, table, folder / "old.jsonl")]
    write_lines(folder / "new.jsonl", [
        json.dumps({"eventId": event["eventId"], "eventName": event["name"], "payload": event["parameters"]})
        for event in new
    ])  # fmt: skip
    return table, []


def repeated_id_key(dualsend, folder):
    """Lines whose payload has the id's key twice, or the decision's: none is an event, and each counts once."""
    table = folder / "table.json"
    table.write_text('{"formatVersion": 1, "events": {}}')
    payloads = ['{"_id":"1","_id":"1"}', '{"_id":"2","dual_send":"1:both","dual_send":"1:both"}', '{"_id":"3"}', '{"_id":"4"}']
    write_lines(folder / "old.jsonl", ['{"name":"a","parameters":%s}' % payload for payload in payloads])
    write_lines(folder / "new.jsonl", ['{"eventId":"%d","eventName":"a","payload":{}}' % number for number in (3, 4)])
    return table, ["--id-key", "_id", "--max-malformed", "2", "--max-mismatch", "100%"]


def plain_lines(dualsend, folder):
    """Lines that DuckDB reads by its JSON functions, and lines that differ from them in one respect."""
    table = folder / "table.json"
    rows = {"i": {"to": "n", "type": "int"}, "s": {"to": "t", "type": "string"}, "d": {"to": "e", "type": "date"}, "gone": None}
    table.write_text(json.dumps({"formatVersion": 1, "events": {"ev": {"name": "new", "parameters": rows}}}))
    numbers = [
        "0", "-0", "-1", "1.0", "1.50", "-0.0", "0.1", "0.00000012", "100000000000000000000.5", "999999999999999999", "1e3",
        "9223372036854775808", "18446744073709551615", "18446744073709551616", "123456789012345678.12345678901234567",
        "0.30000000000000004", "1700000000000", "1700000000000.5", "01", "1.", "NaN", "Infinity", "-", "1E400", "tru", "true", "null",
    ]  # fmt: skip
    texts = [
        "", "a", "\\/", "\\u00e9", "\u00e9", "\\n", "\\u0000", "\\ud83d\\ude00", "\\ud83d", "{", "[1]", ":", "\\\"", "\x7f", "\t", "a\":1", "\u2028",
    ]  # fmt: skip
    payloads = [
        "{}", "{ }", '{"":1}', '{"a":1,"a":1}', '{"a":1,"b":2}', '{"a\\"b":1}', '{"\\u0061":1}', '{"a":{}}', '{"a":[1]}', '{"a":1,}',
        '{ "a" :1 ,\r"b": 2 }', '{"{x":1}', '{"x":1,"{y":2}', '{"gone":1}', '{"a":1}}', "[]", "null", '{"a":1',
    ]  # fmt: skip
    payloads += ['{"i":%s,"s":%s,"d":%s,"kept":%s}' % ((number,) * 4) for number in numbers]
    payloads += ['{"i":"%s","s":"%s","d":"%s","kept":"%s"}' % ((text,) * 4) for text in texts]
    heads = [
        '"eventId":"%s","%s":"%s"', '"eventId":"%s","eventId":"x","%s":"%s"', '"eventId":"%s","%s":"%s","time":1,"eventTime":2',
        '"eventId":"%s","%s":"%s","more":1,"more":"{"', '"eventId":"%s","%s":"%s","more":{"a":1}', ' "eventId" : "%s" ,\n"%s":"%s"',
        '"eventId":"%s","no%s":"%s"', '"eventId":"a\\/%s","%s":"%s"', '"eventId":"%s","%s":"\\u0065%s"', '"unitID":1,"eventId":"%s","%s":"%s","unitID":2',
        '"eventId":"%s","%s":"%s","{x":1', '"":1,"eventId":"%s","%s":"%s"', '"eventId":"%s","%s":"%s","decision":"12:both"',
    ]  # fmt: skip
    old, new = [], []
    for head in heads:
        for number, payload in enumerate(payloads if head == heads[0] else payloads[:6]):
            event_id = f"{heads.index(head)}.{number}"
            old.append("{%s,%s}" % (head % (event_id, "name", "ev"), '"parameters":' + payload))
            new.append("{%s,%s}" % ('"payload":' + payload, head % (event_id, "eventName", "new")))
    write_lines(folder / "old.jsonl", [line.replace("\n", " ") for line in old])
    write_lines(folder / "new.jsonl", [line.replace("\n", " ") for line in new])
    good = [json.loads(line) for line in remapped(dualsend, table, folder / "old.jsonl")]
    with open(folder / "new.jsonl", "a") as file:
        for event in good:
            line = {"eventId": "again " + event["eventId"], "eventName": event["name"], "payload": event["parameters"]}
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    with open(folder / "old.jsonl", "a") as file:
        file.writelines(line.replace('"eventId":"', '"eventId":"again ', 1) + "\n" for line in old)
    return table, []


SKEWED = {"one event": one_event, "one id": one_id, "decisions": decisions}
