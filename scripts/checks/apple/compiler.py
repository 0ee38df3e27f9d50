"""Targets, packages and compilers of the check of Apple's systems."""

import functools
import json
import pathlib
import re
import shutil
import subprocess
import sys

from checkout import ROOT, build_folder, swift

import availability
from conditions import ConditionError, branches, rewrite

STUBS = ROOT / "AppleStubs"
SCRATCH = build_folder() / "apple"
LIBRARY = ("regular", "library", "executable")


class Failure(Exception):
    pass


def output_of(*command, folder=ROOT):
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if run.returncode != 0:
        raise Failure(f"{' '.join(command)}\n{run.stdout}{run.stderr}")
    return run.stdout


@functools.cache
def toolchain():
    """The folders of the compiler's plugins and of the package plugin API."""
    paths = json.loads(output_of("swiftc", "-print-target-info"))["paths"]
    return pathlib.Path(paths["runtimeResourcePath"])


class Target:
    def __init__(self, package, description):
        self.package = package
        self.name = description["name"]
        self.kind = description["type"]
        default = {"test": "Tests", "plugin": "Plugins"}.get(self.kind, "Sources") + "/" + self.name
        self.folder = package.folder / (description.get("path") or default)
        excluded = [self.folder / path for path in description.get("exclude", [])]
        self.files = [
            file for file in sorted(self.folder.rglob("*.swift")) if not any(path in file.parents for path in excluded)
        ]
        # Targets by name, of this package and of others, without those that only Linux links.
        self.dependencies = []
        for dependency in description["dependencies"]:
            _, value = next((kind, value) for kind, value in dependency.items())
            self.dependencies.append(value[0])
        self.flags = []
        language = "6"
        for setting in description.get("settings", []):
            for kind, value in setting["kind"].items():
                if kind == "swiftLanguageMode":
                    language = value["_0"]
                elif kind == "enableUpcomingFeature":
                    self.flags += ["-enable-upcoming-feature", value["_0"]]
                elif setting["tool"] == "swift":
                    raise Failure(f"{self.name} has a setting that this check does not know: {kind}")
        self.flags += ["-swift-version", language]

    @functools.cached_property
    def branches(self):
        """The conditional branches of each file that has any."""
        found = {}
        for file in self.files:
            try:
                here = branches(file.read_text())
            except ConditionError as error:
                raise Failure(f"{file.relative_to(ROOT)}: {error}") from error
            if here:
                found[file] = here
        return found

    def differs(self, one, other):
        """Whether two configurations compile different code of this target."""
        return any(
            branch.is_compiled(one) != branch.is_compiled(other) for here in self.branches.values() for branch in here
        )


class Package:
    def __init__(self, folder):
        self.folder = folder
        description = json.loads(output_of("swift", "package", "--package-path", str(folder), "dump-package"))
        self.name = description["name"]
        self.tools_version = description["toolsVersion"]["_version"]
        targets = [Target(self, target) for target in description["targets"] if target["type"] != "system"]
        # A target of C has no branches that this check reads; SwiftPM compiles it.
        self.targets = {target.name: target for target in targets if target.files}
        self.products = {product["name"]: product["targets"] for product in description["products"]}

    @functools.cached_property
    def built_modules(self):
        return build_folder() / "debug" / "Modules"

    def build_once(self, module):
        """Builds the dependencies with SwiftPM, unless they are built already."""
        # A build of another package in the same folder removes the checkouts that it does not use, and C modules are read there.
        output_of(*swift("package", self.folder.relative_to(ROOT), "resolve"))
        if not (self.built_modules / f"{module}.swiftmodule").exists():
            output_of(*swift("build", self.folder.relative_to(ROOT), "--build-tests"))

    @functools.cached_property
    def c_modules(self):
        """The C modules of this package and of those that it resolves, by name."""
        found = {}
        checkouts = build_folder() / "checkouts"
        # SwiftPM writes a map beside the objects of a module without one. Those of this repository may be another checkout's.
        maps = (build_folder() / "debug").glob("*.build/module.modulemap")
        places = [file.parent for file in maps if str(checkouts) in file.read_text()]
        places += [*checkouts.glob("*/*"), *checkouts.glob("*/Sources/*")]
        places += [place for pattern in ("Sources/*", "[!.]*/*/*", "*/C*") for place in self.folder.glob(pattern)]
        for place in places:
            for map_file in (place / "module.modulemap", place / "include" / "module.modulemap"):
                name = re.search(r"\bmodule (\w+)", map_file.read_text()) if map_file.exists() else None
                if name:
                    found[name[1]] = ["-Xcc", f"-fmodule-map-file={map_file}", "-Xcc", f"-I{map_file.parent}"]
        return found


class Compiler:
    """Compiles for one configuration."""

    strictness = ["-warnings-as-errors"]

    def __init__(self, configuration, packages, stubs):
        self.configuration = configuration
        self.packages = packages
        self.stubs = stubs
        self.folder = SCRATCH / configuration.name.replace(" ", "-")
        self.modules = self.folder / "modules"
        self.is_apple = configuration.system != "Linux"
        self.compiled = set()
        self.objects = []
        self.done = set()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.modules.mkdir(parents=True)

    def copy(self, file):
        target = self.folder / file.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        is_stub = STUBS in file.parents
        target.write_text(rewrite(file.read_text(), "AppleFoundation" if self.is_apple and not is_stub else None))
        return str(target)

    def flags(self, target):
        result = ["-module-name", target.name, "-package-name", target.package.name, *target.flags]
        result += [f"-D{flag}" for flag in self.configuration.defines()]
        result += ["-I", str(self.modules)]
        if self.configuration.base and self.configuration.base.system != "Linux":
            result += ["-I", str(SCRATCH / self.configuration.base.name.replace(" ", "-") / "modules")]
        if target.kind == "plugin":
            result += ["-I", str(toolchain() / "pm" / "PluginAPI")]
            result += ["-package-description-version", target.package.tools_version]
        if target.package is self.stubs:
            result += ["-I", str(toolchain() / "pm" / "PluginAPI")]
            packages = [self.packages[0]]
        else:
            result += self.strictness
            packages = list(dict.fromkeys((target.package, self.packages[0])))
        c_modules = {}
        for package in packages:
            result += self.dependencies(package)
            c_modules = {**package.c_modules, **c_modules}
        result += [flag for flags in c_modules.values() for flag in flags]
        if not any(file.name == "main.swift" for file in target.files):
            result += ["-parse-as-library"]
        return result

    def dependencies(self, package):
        """The flags for what a package depends on."""
        return ["-I", str(package.built_modules)]

    def sources(self, target):
        files = [self.copy(file) for file in target.files]
        # What SwiftPM generated for resources that are embedded in code.
        if target.package is not self.stubs:
            files += map(str, (target.package.built_modules.parent / f"{target.name}.build" / "DerivedSources").glob("embedded_*.swift"))
        texts = (file.read_text() for file in target.files)
        if self.is_apple and target.package is not self.stubs and any("import Darwin\n" in text for text in texts):
            files.append(self.copy(STUBS / "InModule" / "Darwin.swift"))
        return files

    def run(self, command):
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode != 0:
            words = (run.stdout + run.stderr).replace(f"{self.folder}/", "")
            raise Failure(f"for {self.configuration.name}:\n{words}")

    def build(self, target, keep_objects=False):
        """A whole target, after those that it depends on."""
        if target.name in self.done:
            return
        self.done.add(target.name)
        self.build_dependencies(target, keep_objects)
        self.compile(target, keep_objects)

    def build_dependencies(self, target, keep_objects=False):
        for name in target.dependencies:
            for dependency in self.targets_of(name, target.package):
                self.build(dependency, keep_objects)

    def compile(self, target, keep_objects):
        command = ["swiftc", "-Onone", "-wmo", "-enable-testing", *self.flags(target), *self.sources(target)]
        command += ["-emit-module", "-emit-module-path", str(self.modules / f"{target.name}.swiftmodule")]
        if keep_objects:
            object_file = str(self.modules / f"{target.name}.o")
            command += ["-c", "-o", object_file]
            if target.kind != "executable":
                self.objects.append(object_file)
        self.run(command)
        self.compiled |= set(target.files)

    def check(self, target, files):
        """Some files of a target, after the targets that it depends on."""
        self.build_dependencies(target)
        every = self.sources(target)
        sources = dict(zip(target.files, every))
        others = [source for file, source in sources.items() if file not in files] + every[len(target.files) :]
        command = ["swiftc", "-frontend", "-emit-sil", "-o", "/dev/null", *self.flags(target), *others]
        command += ["-plugin-path", str(toolchain() / "host" / "plugins"), "-enable-testing"]
        command += ["-plugin-path", str(toolchain() / "host" / "plugins" / "testing")]
        for file in files:
            self.run([*command, *[sources[other] for other in files if other != file], "-primary-file", sources[file]])
        self.compiled |= set(files)

    def targets_of(self, name, package):
        """The targets of a dependency, in this repository; none for third-party products."""
        if name in package.targets:
            candidates = [package.targets[name]]
        else:
            candidates = [
                other.targets[target] for other in self.packages for target in other.products.get(name, [])
            ]
        return [target for target in candidates if target.kind in LIBRARY]

    def build_stubs(self, keep_objects=False):
        support = {"AppleFoundation", "AppleCoreFoundation"} if self.is_apple else set()
        for name, target in self.stubs.targets.items():
            if name in self.configuration.modules | support:
                try:
                    self.build(target, keep_objects)
                except Failure as failure:
                    print(failure, file=sys.stderr)


class AvailabilityCompiler(Compiler):
    """Type-checks for the oldest system of a configuration; see availability.py."""

    strictness = []

    def __init__(self, configuration, packages, stubs, apple):
        super().__init__(configuration, packages, stubs)
        self.apple = apple
        self.narrow = availability.narrow_file(self.folder)
        self.faults = []
        self.checked = []

    def dependencies(self, package):
        return self.apple.flags

    def compile(self, target, keep_objects):
        is_stub = target.package is self.stubs
        # Emits the module in spite of errors, so that the modules that depend on it are checked too.
        command = ["swiftc", "-frontend", "-emit-module", "-experimental-allow-module-with-compiler-errors", "-enable-testing"]
        command += ["-o", str(self.modules / f"{target.name}.swiftmodule"), *self.flags(target), *self.sources(target)]
        run = subprocess.run(command + ([] if is_stub or not self.narrow else [self.narrow]), capture_output=True, text=True)
        words = (run.stdout + run.stderr).replace(f"{self.folder}/", "")
        faults = sorted(set(availability.FAULT.findall(words)))
        is_known = run.returncode == 0 or run.returncode == 1 and faults
        if not is_known or not (self.modules / f"{target.name}.swiftmodule").exists():
            raise Failure(f"{target.name} was not checked for {self.configuration.name}:\n{words}")
        self.faults += faults
        if not is_stub:
            self.checked.append(target.name)

    def prove(self):
        """Checks sources with planted faults: each must be found."""
        planted = self.folder / "Planted.swift"
        planted.write_text(availability.PLANTED)
        flags = self.flags(self.packages[0].targets["DualSendRemapping"])
        command = ["swiftc", "-frontend", "-typecheck", *flags, str(planted), self.narrow]
        words = subprocess.run(command, capture_output=True, text=True).stderr
        places = [line.split(":")[1] for line in availability.FAULT.findall(words) + availability.wide_shifts([planted])]
        for number, line in enumerate(availability.PLANTED.splitlines(), 1):
            if "fault" in line and str(number) not in places:
                raise Failure(f"the check of availability does not find: {line.strip()}\n{words}")
