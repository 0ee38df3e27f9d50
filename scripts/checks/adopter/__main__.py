"""Adopts the last commit as an app would: by URL and version, with modules of its own.

usage: scripts/check adopter [--build] [--list]

Checks how many packages an adopter of each product resolves, and that the types that `import DualSend` shows are a closed list:
no visible signature names a type of this package that is not on it, and none has a name that the packages beside it use.
`--list` prints the types.

With --build, also builds and runs adopters: modules of their own called `Tracking`, `Platform` and the like are no trouble; an
event through its own old logger and its own transport reaches both sinks; an app without an old logger has two sinks and a
mutation on `DualSendTracking` alone; the same file of call sites compiles and works before, during and after a migration; a
server with the trait `SwiftCrypto` checks signatures.

What was built is kept in .build-adopter, which may be deleted at any time. Exit status 1 if anything is wrong.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys

from checkout import ROOT, build_folder, swift

SCRATCH = ROOT / ".build-adopter"

# The limit of additional packages that an adopter of a product resolves.
PACKAGE_LIMITS = {"DualSend": 3, "DualSendMetricKit": 3, "DualSendSignatures": 5, "DualSendTracking": 3}
# The program of an adopter of a product; others only import it.
PROGRAMS = {"DualSend": "migrating.swift", "DualSendSignatures": "signed.swift", "DualSendTracking": "tracking.swift"}

OWN_MODULES = ["Collector", "EventModel", "Parity", "Platform", "Rollout", "Tracking"]

# Unprefixed type names of packages that such an app links: swift-log, swift-metrics, swift-distributed-tracing, HTTP
# clients and servers, and trackers. If two modules export such a name, it is ambiguous in the app.
TAKEN = set(
    """
    Bucket Client Configuration Consent Context Counter Diagnostic Event HTTPRequest HTTPResponse Ledger Logger Metric
    Request Response Result Span
    """.split()
)

TYPE_KINDS = {"swift.struct", "swift.class", "swift.actor", "swift.enum", "swift.protocol", "swift.typealias"}

EXPORT = re.compile(
    r"^\s*@_exported\s+(?:public\s+)?import\s+(?:(?:struct|class|enum|protocol|typealias|actor)\s+)?(\w+)(?:\.(\w+))?",
    re.MULTILINE,
)


def run(*command, folder=ROOT):
    """The standard output of a command that must succeed."""
    result = subprocess.run([str(part) for part in command], cwd=folder, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"error: {' '.join(map(str, command))}\n{result.stdout}{result.stderr}")
    return result.stdout


def publish():
    """Clones the last commit to the adopters' URL; returns its version."""
    clone = SCRATCH / "DualSend"
    shutil.rmtree(clone, ignore_errors=True)
    run("git", "clone", "--quiet", "--bare", "--no-local", ROOT, clone)
    # A unique version per commit, because SwiftPM remembers the commit of a version.
    version = "0.0.1-g" + run("git", "rev-parse", "--short=12", "HEAD").strip()
    run("git", "tag", "--force", version, "HEAD", folder=clone)
    return version


def write(path, text):
    """Writes a file, unless it already has this content, to keep its date."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def make_adopter(product, version, own_modules, traits=""):
    """An adopter of one product, as a folder."""
    folder = SCRATCH / f"{product}Adopter"
    sources = pathlib.Path(__file__).parent
    program = PROGRAMS.get(product)
    products = ", ".join(f'.product(name: "{name}", package: "DualSend")' for name in sorted({product, "DualSend"} if traits else {product}))
    names = "".join(f'"{name}", ' for name in own_modules + ["CallSites"] * bool(program and not traits))
    targets = "".join(f'    .target(name: "{name}"),\n' for name in own_modules)
    if program and not traits:
        targets += (
            '    .target(name: "CallSites", dependencies: [.product(name: "DualSendTracking", package: "DualSend")]),\n'
        )
        write(folder / "Sources" / "CallSites" / "CallSites.swift", (sources / "CallSites.swift").read_text())
    write(
        folder / "Package.swift",
        f"""// swift-tools-version: 6.1
import PackageDescription

let own: [Target.Dependency] = [{names}]

let package = Package(
  name: "Adopter",
  platforms: [.macOS(.v15)],
  dependencies: [.package(url: "{(SCRATCH / 'DualSend').as_uri()}", exact: "{version}"{traits})],
  targets: [
{targets}    .executableTarget(name: "App", dependencies: own + [{products}]),
  ]
)
""",
    )
    for name in own_modules:
        constant = name[0].lower() + name[1:]
        write(folder / "Sources" / name / f"{name}.swift", f'public let {constant} = "{name}"\n')
    text = (sources / program).read_text() if program else f"import {product}\n"
    write(folder / "Sources" / "App" / "main.swift", text)
    (folder / "Package.resolved").unlink(missing_ok=True)
    return folder


def resolved(folder):
    """The packages that an adopter resolves besides this one."""
    run("swift", "package", "resolve", folder=folder)
    pins = json.loads((folder / "Package.resolved").read_text())["pins"]
    return sorted(pin["identity"] for pin in pins if pin["identity"] != "dualsend")


def exports(sources, module):
    """The re-exports of a module: pairs of a module and one name, or `None` for all names."""
    found = set()
    for file in sorted((sources / module).rglob("*.swift")):
        for name, only in EXPORT.findall(file.read_text()):
            if only:
                found.add((name, only))
            elif (name, None) not in found:
                found.add((name, None))
                found |= exports(sources, name)
    return found


def symbol_graphs():
    """The symbol graphs of the modules that `import DualSend` shows something of: a list of symbols for each module."""
    run(*swift("build", ".", "--target", "DualSend"))
    places = [ROOT / "Sources", build_folder() / "checkouts"]
    graphs = SCRATCH / "symbols"
    shutil.rmtree(graphs, ignore_errors=True)
    graphs.mkdir()
    maps = {path.parent for place in places for path in place.rglob("module.modulemap") if "Sources" in path.parts}
    search = [build_folder() / "debug" / "Modules", *sorted(maps)]
    triple = json.loads(run("swift", "-print-target-info"))["target"]["triple"]
    sdk = ["-sdk", run("xcrun", "--show-sdk-path").strip()] if sys.platform == "darwin" else []
    shown = {("DualSend", None)} | exports(ROOT / "Sources", "DualSend")
    symbols = []
    for module in sorted({module for module, _ in shown}):
        paths = [argument for path in search for argument in ("-I", path)]
        run(
            "swift", "symbolgraph-extract", "-module-name", module, "-target", triple, *sdk, *paths,
            "-minimum-access-level", "public", "-output-dir", graphs,
        )  # fmt: skip
        for file in sorted(graphs.glob(f"{module}.symbols.json")) + sorted(graphs.glob(f"{module}@*.symbols.json")):
            symbols += [(module, symbol) for symbol in json.loads(file.read_text())["symbols"]]
    return shown, symbols


def public_types():
    """The top-level public types that `import DualSend` shows, and those that their signatures name and it does not show.

    Both are pairs of a module and a name; the second has the symbol that names it.
    """
    shown, symbols = symbol_graphs()
    types = {}
    for module, symbol in symbols:
        if symbol["kind"]["identifier"] in TYPE_KINDS:
            types[symbol["identifier"]["precise"]] = (module, symbol["pathComponents"][0])

    def is_shown(module, name):
        return (module, None) in shown or (module, name) in shown

    visible = {owner for owner in types.values() if is_shown(*owner)}
    names = {name for _, name in visible}
    missing = {}
    for module, symbol in symbols:
        path = symbol["pathComponents"]
        if path[0] not in names or (len(path) == 1 and not is_shown(module, path[0])):
            continue
        for fragment in symbol.get("declarationFragments", []):
            owner = types.get(fragment.get("preciseIdentifier"))
            if owner and owner not in visible:
                missing.setdefault(owner, ".".join(path))
    return sorted(visible), sorted(missing.items())


def main(arguments):
    if not set(arguments) <= {"--build", "--list"}:
        sys.exit("usage: scripts/check adopter [--build] [--list]")
    run(ROOT / "scripts" / "setup")
    SCRATCH.mkdir(exist_ok=True)
    version = publish()
    faults = []
    folders = {
        "DualSend": make_adopter("DualSend", version, OWN_MODULES),
        "DualSendMetricKit": make_adopter("DualSendMetricKit", version, []),
        "DualSendSignatures": make_adopter(
            "DualSendSignatures", version, [], traits=', traits: ["SwiftCrypto"]'),
        "DualSendTracking": make_adopter("DualSendTracking", version, []),
    }
    for product, folder in folders.items():
        packages = resolved(folder)
        limit = PACKAGE_LIMITS[product]
        print(f"{product}: {len(packages)} packages resolved, at most {limit} allowed: {', '.join(packages)}")
        if len(packages) > limit:
            faults.append(f"an adopter of {product} resolves {len(packages)} packages")

    for product in PROGRAMS if "--build" in arguments else []:
        run("swift", "build", folder=folders[product])
        print(run(folders[product] / ".build" / "debug" / "App").strip())

    types, missing = public_types()
    if "--list" in arguments:
        width = max(len(module) for module, _ in types)
        for module, name in types:
            print(f"  {module:{width}}  {name}")
    print(f"import DualSend: {len(types)} public types")
    faults += [
        f"`{where}` names {module}.{name}, which Sources/DualSend/Exports.swift does not export"
        for (module, name), where in missing
    ]
    faults += [f"{module} shows `{name}`, a name that others use" for module, name in types if name in TAKEN]
    for fault in faults:
        print(f"error: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
