"""Measures what DualSend adds to a release build of an app on Linux: its size by module, and its build by package.

usage: scripts/benchmark size [--format text|json] [SWIFT-OPTION…]

Builds three apps from nothing: one with Foundation alone, one with DualSendTracking, and one with DualSend. Swift's libraries
are shared; the executables are stripped. A module's size is what its object files add to the last app, by the linker's map,
without unwinding tables, relocations and memory that starts as zeros. The last app is built by one job at a time: a package's
time is the time between the files that the build wrote. Also lists the functions of DualSend whose types take the compiler
longest to check. Options are for the Swift compiler, as `-Osize`, or
`-Xfrontend -function-sections -Xfrontend -internalize-at-link`, with which the linker drops what the app does not call.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from checkout import ROOT, output

APPS = {
    "Foundation": """
        import Foundation
        print(URL(fileURLWithPath: "/").path)
        """,
    "DualSendTracking": """
        import DualSendTracking
        import Foundation
        let tracker = Tracker(endpoint: URL(string: "https://collector.example/events")!)
        tracker.sendLog(name: "home.view", payload: ["item": 42])
        await tracker.shutdown()
        """,
    "DualSend": """
        import DualSend
        import Foundation
        struct Printer: OldLogger {
          func logEvents(name: String, parameters: [[String: Any]]) { print(name) }
        }
        let logger = DualSendTracker(
          oldLogger: Printer(), collector: URL(string: "https://collector.example/events")!,
          rollout: URL(string: "https://config.example/rollout.json")!, remapping: ["app.open": "app.launch"])
        logger.logEvents(name: "home.like_button.tap", parameters: [["item_id": 42]])
        """,
}
# What is not loaded, has no bytes in the file, or is counted where it is merged.
LEFT_OUT = (".debug", ".comment", ".note", ".bss", ".tbss", ".eh_frame")


def write_package(folder):
    targets = []
    for app, source in APPS.items():
        (folder / "Sources" / f"App{app}").mkdir(parents=True)
        (folder / "Sources" / f"App{app}" / "main.swift").write_text(source.replace("\n        ", "\n").lstrip())
        needs = "" if app == "Foundation" else f', dependencies: [.product(name: "{app}", package: "DualSend")]'
        targets.append(f'.executableTarget(name: "App{app}"{needs})')
    (folder / "Package.swift").write_text(
        "// swift-tools-version: 6.1\nimport PackageDescription\n"
        f'let package = Package(name: "size", platforms: [.macOS(.v13)],\n'
        f'  dependencies: [.package(name: "DualSend", path: {json.dumps(str(ROOT))})],\n'
        f'  targets: [{", ".join(targets)}])\n')


def by_module(link_map):
    """The bytes of each module's sections in an executable."""
    sizes = collections.Counter()
    is_started, section = False, ""
    for line in link_map.read_text(errors="replace").splitlines():
        is_started = is_started or line == "Memory map"
        if not is_started:
            continue
        if alone := re.fullmatch(r" (\S+)", line):
            section = alone[1]
        elif place := re.fullmatch(r" (\S+)?\s+0x[0-9a-f]+\s+0x([0-9a-f]+)\s+(/.*)", line):
            module = re.search(r"/(\w+)\.build/", place[3])
            if module and not (place[1] or section).startswith(LEFT_OUT):
                sizes[module[1]] += int(place[2], 16)
    return sizes


def by_package(folder):
    """The seconds that each package took in a build with one job."""
    text = (folder / ".build" / "release.yaml").read_text()
    sources = re.findall(r'/([\w-]+)\.build/[^"]*":\n    tool: [\w-]+\n    inputs: \[[^\]]*?/checkouts/([^/]+)/', text)
    packages = dict(sources)
    seconds = collections.Counter()
    objects = sorted((folder / ".build" / "release").resolve().glob("*.build/**/*.o"), key=lambda file: file.stat().st_mtime_ns)
    for before, after in zip(objects, objects[1:]):
        module = next(part for part in after.parts if part.endswith(".build") and part != ".build").removesuffix(".build")
        package = "DualSend" if module.startswith("DualSend") else packages.get(module, "the app")
        seconds[package] += (after.stat().st_mtime_ns - before.stat().st_mtime_ns) / 1e9
    return seconds


def slowest_bodies(log):
    """The functions that took longest to check: milliseconds, file, line and name."""
    found = re.findall(r"^(\S+\.swift):(\d+):\d+: warning: (.*) took (\d+)ms to type-check", log, re.MULTILINE)
    bodies = {(int(time), pathlib.Path(file).name, int(line), name) for file, line, name, time in found}
    return sorted(bodies, reverse=True)[:10]


def main():
    options = argparse.ArgumentParser(add_help=False)
    options.add_argument("--format", choices=["text", "json"], default="text")
    chosen, swift = options.parse_known_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_package(folder)
        build = ["swift", "build", "-c", "release", "--package-path", folder]
        subprocess.run(["swift", "package", "--package-path", folder, "resolve"], check=True, stdout=sys.stderr)
        flags = [word for option in swift for word in ("-Xswiftc", option)]
        checks = [word for option in ("-Xfrontend", "-warn-long-function-bodies=10") for word in ("-Xswiftc", option)]
        log = output(
            *build, *flags, *checks, "-j", 1, "-Xlinker", f"-Map={folder / 'map'}", "--product", "AppDualSend")
        modules, packages, bodies = by_module(folder / "map"), by_package(folder), slowest_bodies(log)
        subprocess.run([*build, *flags, *checks], check=True, stdout=sys.stderr)
        binaries = pathlib.Path(output(*build, "--show-bin-path"))
        sizes = {}
        for app in APPS:
            subprocess.run(["strip", binaries / f"App{app}"], check=True)
            sizes[app] = (binaries / f"App{app}").stat().st_size
    if chosen.format == "json":
        print(json.dumps(
            {"apps": sizes, "modules": dict(modules.most_common()), "buildSeconds": dict(packages.most_common()),
             "slowestBodies": bodies}, indent=2))
        return 0
    for app, size in sizes.items():
        print(f"  {size / 1e3:8,.0f} KB  an app with {app}")
    print("of which")
    for module, size in modules.most_common():
        if size >= 1000:
            print(f"  {size / 1e3:8,.0f} KB  {module}")
    ours = sum(size for module, size in modules.items() if module.startswith("DualSend"))
    print(f"  {ours / 1e3:8,.0f} KB  DualSend's own modules together")
    print("built from nothing, one job at a time, in")
    for package, seconds in packages.most_common():
        if seconds >= 0.1:
            print(f"  {seconds:8.1f} s   {package}")
    print(f"  {packages['DualSend'] / packages['GRDB.swift']:8.2f}     the time of DualSend, as a multiple of GRDB's")
    print("slowest to check")
    for milliseconds, file, line, name in bodies:
        print(f"  {milliseconds:8} ms  {file}:{line} {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
