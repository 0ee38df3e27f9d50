"""Random programs: each is one function with one log call, whose name and keys depend on its arguments.

They are full of what makes reading hard: `?.`, `??`, `if let`, `guard`, ternaries, `switch`, default arguments, optional
dictionaries, dictionaries that are built step by step. Nothing here knows what a program sends; that is learnt by running it.
"""

import random

#: The arguments of each program, in every combination.
PARAMETERS = "_ a: Bool, _ b: Bool, _ s: String?, _ k: Kind?, _ d: [String: Any]?"

#: The shared types, and the collector of events.
SHARED = """
enum Kind: String {
  case one, two
  var label: String? { self == .one ? "label_one" : nil }
  var title: String {
    switch self {
    case .one: return "title_one"
    case .two: return "title_two"
    }
  }
  var extras: [String: Any]? { self == .two ? ["extra": 2] : nil }
  var event: Plain { Plain(name: title) }
}

enum EventName: String {
  case first
  case second = "second_name"
  var text: String { self == .first ? "text_first" : "text_second" }
}

enum Key {
  static let fixed = "fixed"
  static let other = "other"
}

struct Base {
  let kind: Kind?
  var kept: String? = "kept"
  var parameters: [String: Any] { ["kind": kind?.title ?? "none"] }
}

struct Event {
  let name: String
  var parameters: [String: Any]
  init(name: String, parameters: [String: Any]? = nil) {
    self.name = name
    self.parameters = parameters ?? [:]
  }
  static func made(_ count: Int = 0, note: String? = nil) -> Event {
    var p: [String: Any] = ["count": count]
    if let note { p["note"] = note }
    return Event(name: "made", parameters: p)
  }
  static let constant = Event(name: "constant", parameters: ["c": 1])
}

class Record {
  let name: String
  let parameters: [String: Any]
  init(_ name: String, _ parameters: [String: Any] = [:]) {
    self.name = name
    self.parameters = parameters
  }
  static let constant = Record("record_constant", ["r": 1])
  static func made(_ kind: Kind?) -> Record { Record(kind?.title ?? "record_none", ["kind": 1]) }
}

enum Field: String {
  case x, y
  case long = "long_field"
}

protocol Trackable {
  var name: String { get }
  var parameters: [String: Any] { get }
}

struct Tap: Trackable {
  let on: String
  var isLong = false
  var name: String { "tap_" + on }
  var parameters: [String: Any] { isLong ? ["long": 1, "on": on] : ["on": on] }
}

struct Plain: Trackable {
  let name: String
  let parameters: [String: Any] = ["plain": 1]
}

struct Swipe: Trackable {
  let name = "swipe"
  let parameters: [String: Any]
  init(to place: String?) { parameters = place == nil ? [:] : ["to": 1] }
}

extension Trackable where Self == Tap {
  static func tap(_ on: String) -> Tap { Tap(on: on) }
  static var longTap: Self { Self(on: "long", isLong: true) }
}

extension Trackable where Self == Swipe {
  static var swipe: Swipe { .init(to: nil) }
}

func nameOf(_ isLong: Bool, prefix: String = "short") -> String { isLong ? "long" : prefix }
func extraOf(_ isMore: Bool = false) -> [String: Any] { isMore ? ["more": 1, "some": 2] : ["some": 2] }
func maybeExtra(_ kind: Kind?) -> [String: Any]? {
  guard let kind else { return nil }
  return ["maybe": kind.rawValue]
}
func add(_ key: String = "added", to p: inout [String: Any]) { p[key] = 1 }

struct Wrong: Error {}

extension Dictionary where Key == String, Value == Any {
  mutating func take(_ other: [String: Any]) { for (key, value) in other { self[key] = value } }
  mutating func take(_ value: Any?, for key: String) {
    guard let value else { return }
    self[key] = value
  }
  mutating func takeCommon() {
    self["common"] = 1
    removeValue(forKey: "x")
  }
  mutating func takeHalf(_ isHalf: Bool) {
    defer { self["deferred"] = 1 }
    self["half"] = 1
    if isHalf { return }
    self["whole"] = 1
  }
  mutating func takeIfGood(_ isGood: Bool) throws {
    self["tried"] = 1
    if !isGood { throw Wrong() }
    self["good"] = 1
  }
  mutating func renew(_ other: [String: Any] = [:]) {
    self = other
    self["new"] = 1
  }
  mutating func taken(_ key: String) -> Bool {
    self[key] = 1
    return true
  }
}

func kept(_ value: Any?) -> Any? { value }
func filled(_ text: String?) -> String? {
  guard let text, !text.isEmpty else { return nil }
  return text
}

final class Entry {
  let name: EventName
  var parameters: [String: Any]
  init(_ name: EventName, _ parameters: [String: Any] = [:]) {
    self.name = name
    self.parameters = parameters
  }
  func put(_ key: String, _ value: Any = 1) { parameters[key] = value }
}

final class Holder {
  var entry: Entry?
  func change() { entry?.put("held") }
}

func change(_ entry: Entry) { entry.put("changed") }
"""

RUNNER = """
final class Log {
  func log(_ name: String, parameters: [String: Any]? = nil) { old.logEvents(name: name, parameters: [parameters]) }
  func submit(_ event: Event) { Sent.add(event.name, event.parameters) }
  func record(_ record: Record) { Sent.add(record.name, record.parameters) }
  func report(_ name: String, _ values: [Field: Any] = [:]) {
    Sent.add(name, values.reduce(into: [:]) { $0[$1.key.rawValue] = $1.value })
  }
  func file(_ entry: Entry) { Sent.add(entry.name.rawValue, entry.parameters) }
  func gather(_ name: String, _ more: [String: Any] = [:]) {
    var all: [String: Any] = ["gathered": 1]
    all.take(more)
    all.takeCommon()
    log(name, parameters: all)
  }
  func track<T: Trackable>(_ event: T) { Sent.add(event.name, event.parameters) }
  static func send(_ event: any Trackable) { Logs.main.send(event) }
  static func send(_ kind: Kind) { Logs.main.send(kind) }
  func send(_ event: any Trackable) { Sent.add(event.name, event.parameters) }
  func send(_ kind: Kind) { send(kind.event) }
  func send(_ text: String) { send(Tap(on: "text_" + text, isLong: true)) }
}
"""

SENT = """
enum Sent {
  nonisolated(unsafe) static var program = 0
  nonisolated(unsafe) static var shapes: Set<String> = []

  static func add(_ name: String, _ parameters: [String: Any]) {
    shapes.insert(([name] + parameters.keys.sorted()).joined(separator: "\\u{1}"))
  }
  static func run(_ number: Int, _ body: (Bool, Bool, String?, Kind?, [String: Any]?) -> Void) {
    shapes = []
    for a in [false, true] {
      for b in [false, true] {
        for s in [nil, "given"] as [String?] {
          for k in [nil, .one, .two] as [Kind?] {
            for d in [nil, [:], ["passed": 1]] as [[String: Any]?] { body(a, b, s, k, d) }
          }
        }
      }
    }
    for shape in shapes.sorted() { print("\\(number)\\u{1}\\(shape)") }
    if shapes.isEmpty { print("\\(number)") }
  }
}
let old = Old()
struct Old {
  func logEvents(name: String, parameters: [[String: Any]?]) { parameters.forEach { Sent.add(name, $0 ?? [:]) } }
}
enum Telemetry {
  struct Tracker {
    func sendLog(name: String, payload: [String: Any] = [:]) { Sent.add(name, payload) }
    func sendLogs(name: String, payloads: [[String: Any]]) { payloads.forEach { sendLog(name: name, payload: $0) } }
  }
  static let tracker = Tracker()
}
"""

CALLS = {
    "formatVersion": 1,
    "calls": [
        {"function": "log(_:parameters:)", "type": "Log", "name": 0, "parameters": "parameters"},
        {"function": "report(_:_:)", "type": "Log", "name": 0, "parameters": 1},
        *(
            {"function": f"{name}(_:)", "type": "Log", "event": 0, "nameProperty": property, "parametersProperty": "parameters"}
            for name, property in [
                ("submit", "name"), ("record", "name"), ("track", "name"), ("send", "name"), ("file", "name.rawValue")]
        ),
    ],
}


class Generator:
    """Writes one program."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.variables = 0

    def pick(self, *choices):
        return self.random.choice(choices)()

    def chance(self, of_100):
        return self.random.randrange(100) < of_100

    def fresh(self, stem):
        self.variables += 1
        return f"{stem}{self.variables}"

    # Texts

    def literal(self):
        return '"' + self.random.choice(["red", "green", "blue", "grey", "a.b", "x y"]) + '"'

    def condition(self):
        return self.random.choice(["a", "b", "!a", "a && b", "a || b", "s == nil", "k == .one", "k != nil", "d == nil"])

    def text(self, depth=2):
        """An expression of type String."""
        if depth == 0 or self.chance(25):
            return self.literal()
        return self.pick(
            lambda: f"({self.condition()} ? {self.text(depth - 1)} : {self.text(depth - 1)})",
            lambda: f"({self.optional_text(depth - 1)} ?? {self.text(depth - 1)})",
            lambda: f"EventName.{self.random.choice(['first', 'second'])}.{self.random.choice(['rawValue', 'text'])}",
            lambda: self.random.choice(["nameOf(a)", "nameOf(b, prefix: \"fix\")", "nameOf(true)", "nameOf(a, prefix: s ?? \"n\")"]),
            lambda: f"\"pre_\" + {self.text(depth - 1)}",
            lambda: f"\"in_\\({self.literal()})\"" if self.chance(20) else f"\"in_\\({self.condition()} ? 1 : 2)\"",
            lambda: f"{{ {self.condition()} ? {self.literal()} : {self.literal()} }}()",
            lambda: "(Base(kind: k).kept ?? \"lost\")",
        )

    def optional_text(self, depth=1):
        """An expression of type String?."""
        return self.random.choice([
            "k?.label", "k?.title", "k?.rawValue", "s", "Base(kind: k).kept", "(k.map { $0.title })", "Optional(\"sure\")",
            f"({self.condition()} ? {self.literal()} : nil)", f"(k?.label ?? s)", "(s.flatMap { _ in k?.label })",
            "Kind(rawValue: \"one\")?.label", "Kind(rawValue: \"three\")?.title", "(s.map { _ in \"mapped\" })",
        ])

    # Dictionaries

    def key(self):
        return self.random.choice(['"x"', '"y"', '"z"', "Key.fixed", "Key.other", '"k" + "1"', '"w"'])

    def value(self):
        return self.random.choice(["1", "a", '"v"', "s as Any", "k?.title ?? \"n\"", "k?.rawValue as Any", "2.5"])

    def dictionary(self, depth=2):
        """An expression of type [String: Any]."""
        if depth == 0 or self.chance(30):
            count = self.random.randrange(3)
            keys = list(dict.fromkeys(self.random.choice(['"x"', '"y"', '"z"', "Key.fixed"]) for _ in range(count)))
            return "([" + (", ".join(f"{key}: {self.value()}" for key in keys) or ":") + "] as [String: Any])"
        return self.pick(
            lambda: f"({self.condition()} ? {self.dictionary(depth - 1)} : {self.dictionary(depth - 1)})",
            lambda: f"({self.optional_dictionary(depth - 1)} ?? {self.dictionary(depth - 1)})",
            lambda: f"{self.dictionary(depth - 1)}.merging({self.dictionary(depth - 1)}) {{ $1 }}",
            lambda: f"{self.dictionary(depth - 1)}.merging(({self.optional_dictionary(depth - 1)} ?? [:]) as [String: Any]) {{ old, _ in old }}",
            lambda: self.random.choice(["extraOf()", "extraOf(true)", "extraOf(a)", "Base(kind: k).parameters"]),
            lambda: f"{self.dictionary(depth - 1)}.filter {{ $0.key != \"x\" }}" if self.chance(30) else "extraOf(b)",
            lambda: self.mapped(depth - 1),
        )

    def mapped(self, depth):
        """A dictionary whose values are changed, and some are left out."""
        values = self.random.choice(["[\"x\": s, \"m\": k?.title]", "[\"y\": k?.label]", "[\"n\": s, \"y\": \"sure\"]"])
        return "(" + self.pick(
            lambda: f"({values} as [String: Any?]).compactMapValues" + self.random.choice(["(kept)", " { $0 }"]),
            lambda: f"({values} as [String: String?]).compactMapValues(filled)",
            lambda: f"{self.dictionary(depth)}.compactMapValues {{ $0 as? {self.random.choice(['Int', 'String'])} }}",
            lambda: f"{self.dictionary(depth)}.mapValues " + self.random.choice(["{ \"\\($0)\" }", "{ _ in 1 }"]),
        ) + " as [String: Any])"

    def optional_dictionary(self, depth=1):
        """An expression of type [String: Any]?."""
        return self.pick(
            lambda: f"({self.condition()} ? {self.dictionary(min(depth, 1))} : nil)",
            lambda: self.random.choice(["d", "k?.extras", "maybeExtra(k)", "maybeExtra(.one)"]),
            lambda: "(k.map { [\"mapped\": $0.rawValue as Any] })",
            lambda: "(s.map { [\"s\": $0 as Any] })",
            lambda: f"Optional({self.dictionary(0)})",
            lambda: "(nil as [String: Any]?)",
        )

    # Statements

    def steps(self, p, depth=2):
        """Statements that change a dictionary."""
        count = self.random.randrange(1, 4)
        return [line for _ in range(count) for line in self.step(p, depth)]

    def block(self, head, body, tail="}"):
        return [head, *("  " + line for line in body), tail]

    def step(self, p, depth):
        if depth == 0 or self.chance(40):
            return [self.pick(
                lambda: f"{p}[{self.key()}] = {self.value()}",
                lambda: f"{p}[{self.key()}] = {self.random.choice(['s', 'k?.label', 'k?.rawValue', 'nil', 'd?.count'])}",
                lambda: f"{p}.merge({self.dictionary(1)}) {{ $1 }}",
                lambda: f"{p}.merge(({self.optional_dictionary(1)} ?? [:]) as [String: Any]) {{ old, _ in old }}",
                lambda: f"{p}.removeValue(forKey: {self.key()})",
                lambda: f"{p}[{self.key()}, default: 0] = 1",
                lambda: self.random.choice([f"add(to: &{p})", f"add({self.key()}, to: &{p})"]),
                lambda: f"{p}.updateValue(1, forKey: {self.key()})",
                lambda: f"if {p}[{self.key()}] != nil {{ {p}[{self.key()}] = 1 }}",
                lambda: f"{p}[{self.key()}] = {p}[{self.key()}]",
                lambda: f"if {p}.keys.contains({self.key()}) {{ {p}[{self.key()}] = 2 }}",
                lambda: f"for (key, _) in {p} where key == {self.key()} {{ {p}[{self.key()}] = 3 }}",
                lambda: f"for key in [\"l1\", \"l2\"] {{ {p}[key] = 1 }}",
                lambda: f"{p} = {self.dictionary(1)}",
                lambda: f"({self.condition()} ? {{ {p}[\"t\"] = 1 }} : {{ }})()",
                lambda: f"k.map {{ {p}[\"m\"] = $0.title }}",
                lambda: self.own_change(p),
                lambda: self.own_change(p),
                lambda: self.left_early(p),
            )]
        x = self.fresh("x")
        return self.pick(
            lambda: self.block(f"if {self.condition()} {{", self.steps(p, depth - 1)),
            lambda: self.block(f"if let {x} = {self.optional_text()} {{", [f"{p}[{self.key()}] = {x}"]),
            lambda: self.block(f"if let {x} = {self.optional_text()}, {self.condition()} {{", [f"{p}[{x}] = 1"])
            if self.chance(25)
            else self.block(f"if case .one? = k {{", self.steps(p, depth - 1)),
            lambda: self.block(
                f"if {self.condition()} {{", self.steps(p, depth - 1),
                "}} else {{ {} }}".format("; ".join(self.step(p, 0)))),
            lambda: ["switch k {", "case .one?:", *("  " + line for line in self.steps(p, 0)), "case .two?: break",
                     "case nil:", *("  " + line for line in self.steps(p, 0)), "}"],
            lambda: self.block(f"if let {x} = d {{", [f"{p}.merge({x}) {{ $1 }}"]),
            lambda: self.block(f"do {{", self.steps(p, 0)),
        )

    def own_change(self, p):
        """A call of a mutating function of the app's own extension, or a loop over what is written out."""
        return self.pick(
            lambda: f"{p}.take({self.dictionary(1)})",
            lambda: f"{p}.take({self.optional_text()}, for: {self.key()})",
            lambda: f"{p}.takeCommon()",
            lambda: f"{p}.takeHalf({self.condition()})",
            lambda: f"try? {p}.takeIfGood({self.condition()})",
            lambda: f"{p}.renew({self.dictionary(0) if self.chance(50) else ''})",
            lambda: f"_ = {self.condition()} && {p}.taken({self.key()})",
            lambda: f"for (key, value) in {self.dictionary(1)} {{ {p}[key] = value }}",
            lambda: f"{self.dictionary(0)}.forEach {{ key, value in {p}[\"each_\" + key] = value }}",
        )

    def left_early(self, p):
        """A loop or a block that may end before its end."""
        return self.pick(
            lambda: f"for key in [\"l1\", \"l2\"] {{ {p}[key] = 1; if {self.condition()} {{ break }} }}",
            lambda: f"for key in [\"l1\", \"l2\"] {{ if {self.condition()} {{ continue }}; {p}[key] = 1 }}",
            lambda: f"out: for key in [\"l1\", \"l2\"] {{ for n in 0..<2 {{ if n == 1 {{ continue out }}; {p}[key] = n }} }}",
            lambda: f"out: do {{ if {self.condition()} {{ break out }}; {p}[\"in\"] = 1 }}",
            lambda: f"out: if {self.condition()} {{ {p}[\"o\"] = 1; if {self.condition()} {{ break out }}; {p}[\"in\"] = 1 }}",
        )

    def entry_change(self, e):
        """Statements that change an event object, by its name or by another."""
        x = self.fresh("x")
        return self.pick(
            lambda: [f"{e}.put({self.key()})"],
            lambda: [f"{e}.parameters[{self.key()}] = {self.value()}"],
            lambda: [f"{e}.parameters.take({self.dictionary(1)})"],
            lambda: [f"if {self.condition()} {{ {e}.put({self.key()}) }}"],
            lambda: [f"let {x} = {e}", f"{x}.put(\"alias\")"],
            lambda: [f"let {x}: Entry? = {self.condition()} ? {e} : nil", f"{x}?.put(\"maybe\")"],
            lambda: [f"change({e})"],
            lambda: [f"let {x} = Holder()", f"{x}.entry = {e}", f"{x}.change()"],
            lambda: [f"let {x} = {{ {e}.put(\"later\") }}", f"if {self.condition()} {{ {x}() }}"],
            lambda: [f"for {x} in [{e}] {{ {x}.put(\"each\") }}"],
            lambda: [f"do {{ defer {{ {e}.put(\"deferred\") }}; {e}.parameters = {self.dictionary(1)} }}"],
            lambda: [f"let {x} = Entry(.first)", f"{x}.put(\"other\")"],
        )

    def dictionary_variable(self):
        """Statements that make a dictionary, and its name."""
        p = self.fresh("p")
        lines = [f"var {p}: [String: Any] = {self.dictionary(1)}", *self.steps(p)]
        if self.chance(15):
            q = self.fresh("q")
            lines += [f"var {q} = {p}", *self.step(q, 0), f"_ = {q}"]
            return lines, self.random.choice([p, q])
        return lines, p

    def text_variable(self):
        """Statements that make a name, and its name."""
        n = self.fresh("n")
        x = self.fresh("x")
        return self.pick(
            lambda: [f"let {n} = {self.text()}"],
            lambda: [f"var {n} = {self.text(1)}", *self.block(f"if {self.condition()} {{", [f"{n} = {self.text(1)}"])],
            lambda: [f"var {n} = {self.text(0)}", *self.block(
                f"if let {x} = {self.optional_text()} {{", [f"{n} = {x}"])],
            lambda: [f"let {n}: String", f"switch k {{ case .one?: {n} = {self.text(1)}; case .two?: {n} = {self.text(0)};"
                     f" case nil: {n} = {self.text(0)} }}"],
            lambda: [f"let {n}: String", f"if {self.condition()} {{ {n} = {self.text(1)} }} else {{ {n} = {self.text(0)} }}"],
            lambda: [f"let {n} = if {self.condition()} {{ {self.literal()} }} else {{ {self.literal()} }}"],
            lambda: [f"let {n} = switch k {{ case .one?: {self.literal()}; default: {self.literal()} }}"],
            lambda: [f"guard let {n} = {self.optional_text()} else {{ return }}"],
            lambda: [f"var {n} = {self.text(0)}", f"{n} += {self.text(1)}"],
            lambda: [f"let {n} = [{self.literal()}, {self.literal()}].{self.random.choice(['first', 'last'])} ?? \"none\""],
        ), n

    def typed_call(self, receiver, name, parameters):
        """A call with an event object, keys of an enum, a factory, an overload or a wrapper, and the lines before it."""
        given = f"{name}, ({parameters} as [String: Any]?) ?? [:]" if parameters else name
        text = self.literal() if self.chance(50) else self.text(1)
        f, e = self.fresh("f"), self.fresh("e")
        return self.pick(
            lambda: ([], f"{receiver}.record(Record({given}))"),
            lambda: ([], f"{receiver}.file(Entry(" + self.random.choice([".first", ".second", "a ? .first : .second"]) + "))"),
            lambda: (
                [f"let {e} = Entry(.{self.random.choice(['first', 'second'])}" + self.random.choice([")", ", [\"x\": 1])"]),
                 *(line for _ in range(self.random.randrange(1, 4)) for line in self.entry_change(e))],
                f"{receiver}.file({e})"),
            lambda: ([], f"{receiver}.gather({text}" + self.random.choice([")", f", {self.dictionary(1)})"])),
            lambda: ([], f"{receiver}.record(" + self.random.choice(
                [".constant", ".made(k)", "a ? .constant : .made(nil)", f"Record({text}, [\"k\": 1])"]) + ")"),
            lambda: ([], f"{receiver}.report({text}, " + self.random.choice(
                ["[.x: 1]", "[.y: s ?? \"none\", .long: 2]", "b ? [.x: 1, .long: 2] : [:]", "[:]"]) + ")"),
            lambda: ([f"var {f}: [Field: Any] = [.y: 1]", f"if {self.condition()} {{ {f}[.long] = 2 }}", f"{f}[.x] = s"],
                     f"{receiver}.report({text}, {f})"),
            lambda: ([], f"{receiver}.track(" + self.random.choice(
                [f".tap({text})", ".longTap", ".swipe", f"Tap(on: {text}, isLong: b)", "Swipe(to: s)"]) + ")"),
            lambda: ([], f"{receiver}.send(" + self.random.choice(
                [".one", "k ?? .two", text, f"Tap(on: {text})", "Swipe(to: s)"]) + ")"),
            lambda: ([f"let {e}: any Trackable = {self.condition()} ? Tap(on: {text}) : Swipe(to: s)"], f"{receiver}.send({e})"),
            lambda: ([], f"Log.send({self.random.choice(['.two', f'Tap(on: {text})', 'Swipe(to: nil)'])})"),
        )

    def program(self):
        """The lines of a function's body; the logging line has the mark `/*log*/`, which is removed."""
        lines = []
        name = self.text()
        if self.chance(50):
            lines, name = self.text_variable()
        parameters = self.pick(
            lambda: self.dictionary(), lambda: self.optional_dictionary(2), lambda: None, lambda: "", lambda: "")
        if parameters == "":
            more, parameters = self.dictionary_variable()
            lines += more
        if self.chance(15):
            lines.append(f"guard {self.condition()} else {{ return }}")
        receiver = self.random.choice(["logger", "logger", "Optional(logger)?", "(a ? logger : nil)?", "Logs.main"])
        made = self.random.randrange(100)
        if made < 50:
            call = f"{receiver}.log({name}" + (f", parameters: {parameters})" if parameters else ")")
        elif made < 65:
            call = f"{receiver}.submit(Event(name: {name}" + (f", parameters: {parameters}))" if parameters else "))")
        elif made < 90:
            more, call = self.typed_call(receiver, name, parameters)
            lines += more
        else:
            call = f"{receiver}.submit(" + self.random.choice(
                [".made()", ".made(2)", ".made(1, note: s)", ".constant", "a ? .constant : .made()", "Event.made(note: k?.title)",
                 "k.map { Event(name: $0.title) } ?? .constant"]) + ")"
        call += "/*log*/"
        lines += self.pick(
            lambda: [call], lambda: [call], lambda: self.block(f"if {self.condition()} {{", [call]),
            lambda: [f"defer {{ {call} }}"] if self.chance(20) else [call],
            lambda: self.block("if let given = s, !given.isEmpty {", [call]),
            lambda: [f"let run = {{ {call} }}", "run()"] if self.chance(40) else [call],
            lambda: self.block(f"switch k {{", ["case .one?: break", f"default: {call}"]),
            lambda: self.block("for _ in 0..<2 {", [call]) if self.chance(30) else [call],
        )
        return lines


def program(seed, number):
    """The lines of one program."""
    return Generator(f"{seed}.{number}").program()


def file_of(seed, numbers):
    """A file of many programs, and the line of each one's call."""
    out = ["enum Logs { static let main = Log() }", "let logger = Logs.main", ""]
    lines = {}
    for number in numbers:
        out.append(f"func program{number}({PARAMETERS}) {{")
        for line in program(seed, number):
            if "/*log*/" in line:
                lines[number] = len(out) + 1
                line = line.replace("/*log*/", "")
            out.append("  " + line)
        out += ["}", ""]
    return "\n".join(out), lines
