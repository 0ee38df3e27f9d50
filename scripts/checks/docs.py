"""Builds the documentation of every product; any warning fails.

usage: scripts/check docs [MODULE ...]

Checks too that every public symbol of a product's module has a comment, and that `.spi.yml` names just these modules. The
symbols come from the build, and the pages from the toolchain's own `docc`, so that no app resolves a plugin for them.
Prints one line per module, and its faults; exit status 1 if there are any. The pages are in
.build/documentation/MODULE.doccarchive.
"""

import json
import pathlib
import platform
import re
import shutil
import subprocess
import sys

from checkout import ROOT, build_folder, swift

PAGES = build_folder() / "documentation"


def output(*command):
    """The standard output of a command that must succeed."""
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"error: {' '.join(command)}\n{result.stdout}{result.stderr}")
    return result.stdout


def docc_tool():
    """The path of `docc`, beside `swift`."""
    if platform.system() == "Darwin":
        return output("xcrun", "--find", "docc").strip()
    swift = shutil.which("swift")
    beside = pathlib.Path(swift).resolve().parent / "docc" if swift else None
    if beside and beside.exists():
        return str(beside)
    return shutil.which("docc") or sys.exit(
        "error: docc is neither beside swift nor on the PATH; it comes with the toolchains of swift.org"
    )


def products():
    """The module of each library product: the one of the product's name."""
    package = json.loads(output(*swift("package", ".", "describe", "--type", "json")))
    return [product["name"] for product in package["products"] if "library" in product["type"]]


def modules_of_the_index():
    """The modules whose documentation the Swift Package Index builds."""
    found = re.search(r"documentation_targets:\s*\[([^\]]*)\]", (ROOT / ".spi.yml").read_text())
    return [name.strip() for name in found[1].split(",")] if found else []


def symbol_graphs(modules):
    """The folder with the symbol graphs of the build."""
    folder = pathlib.Path(output(*swift("path", ".")).strip()).parent / "symbolgraph"
    shutil.rmtree(folder, ignore_errors=True)
    # The status is ignored: the command also fails for synthesized test modules that are not built here.
    dump = subprocess.run(
        swift("package", ".", "dump-symbol-graph", "--minimum-access-level", "public"),
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    for module in modules:
        if not (folder / f"{module}.symbols.json").exists():
            sys.exit(f"{dump.stdout}{dump.stderr}error: there are no symbols of {module}")
    return folder


def graphs(folder, module):
    """The symbols of a module, and of its extensions of other modules' types."""
    return [folder / f"{module}.symbols.json", *sorted(folder.glob(f"{module}@*.symbols.json"))]


def undocumented(files):
    """A line for each declared symbol without a comment."""
    lines = []
    for file in files:
        for symbol in json.loads(file.read_text())["symbols"]:
            if "docComment" in symbol or "::SYNTHESIZED::" in symbol["identifier"]["precise"]:
                continue
            # Synthesized symbols, such as an enumeration's `init(rawValue:)`, have no location.
            if location := symbol.get("location"):
                path = pathlib.Path(location["uri"].removeprefix("file://"))
                place = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
                line = location["position"]["line"] + 1
                name = ".".join(symbol["pathComponents"])
                lines.append(f"error: {place}:{line}: {name} has no documentation comment")
    return sorted(lines)


def warnings(docc, files, module):
    """The warnings of `docc` for a module."""
    # One folder per module: docc uses every graph that it finds, and links between modules would not resolve for an adopter
    # who builds only one of them.
    folder = PAGES / f"{module}-symbols"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for file in files:
        shutil.copy(file, folder)
    catalogue = ROOT / "Sources" / module / f"{module}.docc"
    arguments = [docc, "convert"] + ([str(catalogue)] if catalogue.exists() else [])
    arguments += ["--additional-symbol-graph-dir", str(folder)]
    arguments += ["--output-path", str(PAGES / f"{module}.doccarchive"), "--warnings-as-errors"]
    arguments += ["--fallback-bundle-identifier", f"DualSend.{module}", "--fallback-display-name", module]
    result = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True)
    if result.returncode == 0:
        return []
    return (result.stdout + result.stderr).strip().splitlines()


def main(*chosen):
    output("scripts/setup")
    docc = docc_tool()
    all_modules = products()
    modules = list(chosen) or all_modules
    is_right = True
    if sorted(modules_of_the_index()) != sorted(all_modules):
        print(f"error: .spi.yml does not name the products' modules: {', '.join(all_modules)}")
        is_right = False
    folder = symbol_graphs(modules)
    for module in modules:
        files = graphs(folder, module)
        found = undocumented(files) + warnings(docc, files, module)
        count = sum(line.startswith(("error:", "warning:")) for line in found)
        print(f"{module}: {f'{count} findings' if found else 'no warning, every symbol documented'}")
        if found:
            print("\n".join(found))
            is_right = False
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
