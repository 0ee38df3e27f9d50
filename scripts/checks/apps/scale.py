"""Sources that made a reader's work grow faster than they do. Each is read at two sizes, one twice the other."""

import json
import shutil

import tool as tools

CALLS = {
    "formatVersion": 1,
    "calls": [
        {"function": "log(_:parameters:)", "type": "Log", "name": 0, "parameters": "parameters"},
        {"function": "track(_:)", "type": "Log", "event": 0, "nameProperty": "name", "parametersProperty": "parameters"},
    ],
}
LOG = """final class Log {
  static let shared = Log()
  func log(_ name: String, parameters: [String: Any]? = nil) {}
  func track(_ event: Action) {}
}
"""
ACTION = "struct Action { let name: String; let parameters: [String: Any] }\n"
#: Twice the lines may take this many times as long, and a bit for what is not the reading.
RATIO, GRACE = 2.5, 0.05


def lines(count, line):
    return "".join(line.format(i=i, next=(i + 1) % count) for i in range(count))


def computed_name(n):
    """One place of an enum whose name is computed by a switch over all cases, with parameters."""
    return (
        "enum Action {\n" + lines(n, "  case case{i}\n") + "  var name: String {\n    switch self {\n"
        + lines(n, "    case .case{i}: return \"event_{i}\"\n") + "    }\n  }\n  var parameters: [String: Any] {\n    switch self {\n"
        + lines(n, "    case .case{i}: return [\"key_{i}\": 1]\n") + "    }\n  }\n}\n"
        + "func any(_ action: Action) { Log.shared.track(action) }\n"), 1


def many_places(n):
    """Many places of such an enum."""
    text, _ = computed_name(n)
    return text + lines(n, "func place{i}() {{ Log.shared.track(.case{i}) }}\n"), n + 1


def services(n):
    """A singleton with services behind it, each of which has others, and calls at each."""
    return (
        ACTION + "final class Services {\n  static let shared = Services()\n"
        + lines(n, "  lazy var service{i} = Service{i}(services: self, next: service{next})\n") + "  private init() {}\n}\n"
        + lines(n, "final class Service{i} {{\n  let log = Log.shared\n  unowned let services: Services\n  var next: Service{next}\n"
                   "  init(services: Services, next: Service{next}) {{ self.services = services; self.next = next }}\n"
                   "  func run() {{ services.service{next}.log.log(\"run_{i}\", parameters: [\"service\": {i}]) }}\n}}\n")), n


def branches(n):
    """A function of many conditions, each of which may add a key."""
    return (
        ACTION + "func run(_ flags: [Bool], _ texts: [String?]) {\n  var p: [String: Any] = [:]\n"
        + lines(n, "  if flags[{i}] {{ p[\"a{i}\"] = 1 }} else if let text = texts[{i}] {{ p[\"b{i}\"] = text }}\n")
        + "  Log.shared.log(\"run\", parameters: p)\n}\n"), 1


def many_in_one(n):
    """A function that logs many times, the dictionary growing."""
    return (
        ACTION + "func run(_ flag: Bool) {\n  var p: [String: Any] = [:]\n"
        + lines(n, "  if flag {{ p[\"key\"] = {i} }}\n  Log.shared.log(flag ? \"a{i}\" : \"b{i}\", parameters: p)\n") + "}\n"), n


def wrappers(n):
    """Functions that hand on to one another."""
    return (
        ACTION + "func step0(_ name: String, _ p: [String: Any]) { Log.shared.log(name, parameters: p) }\n"
        + "".join(f"func step{i}(_ name: String, _ p: [String: Any]) {{ step{i - 1}(name, p) }}\n" for i in range(1, n))
        + f"func run() {{ step{n - 1}(\"run\", [\"deep\": true]) }}\n"), None


def same_names(n):
    """Many types with the same members, one of which is meant."""
    return (
        ACTION + lines(n, "enum Names{i} {{ static let start = \"start_{i}\"; static func stop(_ x: Int) -> String {{ \"stop_{i}\" }} }}\n"
                   "struct Screen{i} {{\n  let log = Log.shared\n  var name: String {{ Names{i}.start }}\n"
                   "  func start() {{ log.log(name, parameters: [\"from\": Names{next}.start]) }}\n"
                   "  func stop() {{ log.log(Names{i}.stop(1)) }}\n}}\n")), 2 * n


def constants(n):
    """Constants that are made of one another."""
    return (
        ACTION + "enum C {\n  static let p0: [String: Any] = [\"zero\": 0]\n"
        + "".join(f"  static let p{i} = p{i - 1}.merging([\"k{i}\": {i}]) {{ $1 }}\n" for i in range(1, n)) + "}\n"
        + lines(n, "func run{i}() {{ Log.shared.log(\"run{i}\", parameters: C.p{i}) }}\n")), n


def ternaries(n):
    """A name of many ternaries, and a dictionary of as many."""
    return (
        ACTION + "func run(_ n: Int) {\n"
        + lines(n, "  let name{i} = n == {i} ? \"x{i}\" : \"y{i}\"\n  let p{i}: [String: Any] = n > {i} ? [\"k\": name{i}] : [:]\n")
        + "  var p = p0\n" + lines(n, "  p.merge(p{i}) {{ $1 }}\n") + "  let name = "
        + " + ".join(f"name{i}" for i in range(min(n, 12))) + "\n  Log.shared.log(name, parameters: p)\n}\n"), 1


SHAPES = {
    computed_name: 800, many_places: 200, services: 100, branches: 200, many_in_one: 200, wrappers: 50, same_names: 400,
    constants: 50, ternaries: 50,
}


def main(tool, scratch):
    """Measures each kind of source; returns how many are read in time, and how many are not."""
    (scratch / "scale").mkdir(exist_ok=True)
    faults = []
    print(f"{'source':<16}{'size':>6}{'ms':>8}{'size':>7}{'ms':>8}  places")
    for shape, size in SHAPES.items():
        seconds, found, fault = [], 0, None
        for n in (size, 2 * size):
            folder = scratch / "scale" / shape.__name__
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            text, places = shape(n)
            (folder / "App.swift").write_text(text)
            (folder / "Log.swift").write_text(LOG)
            (folder / "calls.json").write_text(json.dumps(CALLS))
            try:
                answer, took = tool.inventory(folder, ["App.swift", "Log.swift"], "calls.json")
            except tools.ToolError as error:
                fault = f"{n}: {error}"
                break
            seconds.append(took)
            found = sum(map(len, answer.values()))
            if places is not None and found < places:
                fault = f"{found} of {places} places at {n}"
        if not fault and seconds[1] > RATIO * seconds[0] + GRACE:
            fault = f"twice the source takes {seconds[1] / seconds[0]:.1f} times as long"
        if not fault and seconds[1] > tools.limit_of_one_file():
            fault = f"one file takes more than {tools.limit_of_one_file():.0f} s"
        shown = [f"{took * 1000:.0f}" for took in seconds] + ["-", "-"]
        print(f"{shape.__name__:<16}{size:>6}{shown[0]:>8}{2 * size:>7}{shown[1]:>8}  {found:>6}" + (f"  {fault}" if fault else ""),
              flush=True)
        faults.append(fault)
    return faults.count(None), len(faults) - faults.count(None)
