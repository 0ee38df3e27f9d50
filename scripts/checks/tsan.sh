#!/usr/bin/env bash
# Runs the concurrency tests under ThreadSanitizer.
#
# usage: scripts/check tsan [FILTER]
#
# FILTER is a regular expression over test names of the library and the tools; by default every test of the targets that
# share state across threads.
set -euo pipefail
cd "$(dirname "$0")/../.."

scripts/setup

filter=${1:-'^DualSend(Collector|Core|MetricKit|Parity|Rollout|Server|Testing|Tracking)?Tests\.'}
# A race ends the run immediately: results after a race are meaningless.
export TSAN_OPTIONS="halt_on_error=1 second_deadlock_stack=1 suppressions=$PWD/scripts/checks/tsan.suppressions"
# The condition gives `Locked` a mutex that the sanitizer knows.
build=(--sanitize=thread -Xswiftc -DSANITIZE_THREAD)
export DUALSEND_BUILD="$PWD/.build-tsan"
scripts/lib/swift.sh build . --build-tests "${build[@]}"
scripts/lib/swift.sh test . --skip-build "${build[@]}" --filter "$filter"
