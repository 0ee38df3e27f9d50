#!/usr/bin/env bash
# The one place that calls `swift` for a package of this repository: one build folder and one set of flags and traits, so
# that nothing is compiled twice.
#
# usage: scripts/lib/swift.sh build|test|run|package|path PACKAGE [ARGUMENT…]
#
#   PACKAGE   a folder: `.`, Examples, …
#   path      prints the folder of the products; arguments as for `build`
#
# DUALSEND_BUILD names the build folder; by default .build of this checkout. A build with other flags (a sanitizer) needs
# another folder. Warnings are errors in every build, because a build with other flags would compile every module again; with
# a compiler that has new warnings, DUALSEND_WARNINGS=allow builds all the same. DUALSEND_DEBUG_INFO=1 is for a debugger.
set -euo pipefail

if [ "$#" -lt 2 ]; then
  echo "usage: scripts/lib/swift.sh build|test|run|package|path PACKAGE [ARGUMENT…]" >&2
  exit 64
fi
root="$(cd -P "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
verb="$1" package="$2"
shift 2
flags=(--package-path "$root/$package" --scratch-path "${DUALSEND_BUILD:-$root/.build}")
[ "${package#/}" = "$package" ] || flags[1]="$package"
# Debug information takes time, and so does the compilation of a module's files one by one, which reads the other files again
# for each.
flags+=(-Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 1)
[ -n "${DUALSEND_DEBUG_INFO:-}" ] || flags+=(-debug-info-format none)
[ "${DUALSEND_WARNINGS:-}" = allow ] || flags+=(-Xswiftc -warnings-as-errors)

case "$verb" in
  path) exec swift build "${flags[@]}" "$@" --show-bin-path ;;
  package) exec swift package "${flags[@]}" "$@" ;;
  build | run | test) exec swift "$verb" "${flags[@]}" "$@" ;;
  *)
    echo "error: scripts/lib/swift.sh has no '$verb'" >&2
    exit 64
    ;;
esac
