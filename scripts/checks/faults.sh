#!/usr/bin/env bash
# Runs the fault suite at length: kills, full disks, damage, bad answers.
#
# usage: scripts/check faults [ROUNDS | SECONDSs] [KIND…]
#
#   scripts/check faults           1,000 kills, 1,000,000 events with bad answers, ten short runs of the other kinds
#   scripts/check faults 5000      5,000 kills, 1,000,000 events, fifty short runs of the other kinds
#   scripts/check faults 3600s     short runs with new seeds for an hour
#   scripts/check faults 200 io    only one kind
#
# Kinds: kill, io, full, damage, model, answers, clock, readers; all by default. `readers` is ThreadSanitizer and the
# fuzzers, for as many seconds as there are rounds or seconds. DUALSEND_FAULT_SEED=n starts from another seed; a failure
# names the seed to reproduce it. Prints the figures of every run; the complete output is in .build/fault-run.log. After a
# failure, the other kinds still run. Exit 0 clean, 1 failures, 64 usage error.
set -euo pipefail
cd "$(dirname "$0")/../.."

usage() {
  sed -n '2,/^set /{ /^set /d; s/^# \{0,1\}//p; }' "$0" >&2
  exit 64
}

# A regular expression over the names of a kind's tests.
tests_of() {
  case $1 in
    kill) echo '^DualSendFaultTests\.(BreakerKill|CommitWindowKill|Kill|SinkKill|TwoProcesses)Tests' ;;
    io) echo '^DualSendFaultTests\.StoreFaultTests' ;;
    full) echo '^DualSendFaultTests\.(DiskFilledByLog|FullDisk|FullDiskSink|LogGrowth|PageLimit)Tests' ;;
    damage) echo '^DualSend(FaultTests\.DamagedFile|TrackingTests\.(DamagedBody|Hostile|StoreMigration))' ;;
    model) echo '^DualSendFaultTests\.QueueModelTests' ;;
    answers) echo '^DualSend(FaultTests\.(Answer|Recovery)|TrackingTests\.AnswerTable)Tests' ;;
    clock) echo '^DualSendFaultTests\.(ClockJump|TimeZone)Tests' ;;
    *) return 1 ;;
  esac
}

length=${1:-1000}
number=${length%s}
[[ "$number" =~ ^[1-9][0-9]*$ ]] || usage
shift || true
kinds=()
with_readers=
for kind in ${*:-kill io full damage model answers clock readers}; do
  if [ "$kind" = readers ]; then
    with_readers=1
  else
    tests_of "$kind" >/dev/null || usage
    kinds+=("$kind")
  fi
done
seed=${DUALSEND_FAULT_SEED:-1}

scripts/setup
[ "${#kinds[@]}" = 0 ] || scripts/lib/swift.sh build . --build-tests
mkdir -p .build
log=.build/fault-run.log
: >"$log"
status=0

# One kind: its figures to stdout, everything to the log, the end of the log to stderr if it fails.
run() {
  local kind=$1 factor=$2 result=passed
  if ! DUALSEND_FAULT_SEED=$seed DUALSEND_FAULT_FACTOR=$factor \
    scripts/lib/swift.sh test . --skip-build --filter "$(tests_of "$kind")" </dev/null >"$log.last" 2>&1; then
    result=FAILED
    status=1
    grep -v '^fault-run:' "$log.last" | tail -40 >&2
  fi
  cat "$log.last" >>"$log"
  sed -n 's/^fault-run: /  /p' "$log.last"
  echo "$kind: $result, seed $seed"
}

if [ "$number" = "$length" ]; then
  for kind in ${kinds[@]+"${kinds[@]}"}; do run "$kind" $(((number + 99) / 100)); done
else
  end=$(($(date +%s) + number))
  while [ "${#kinds[@]}" -gt 0 ] && [ "$(date +%s)" -lt "$end" ]; do
    for kind in ${kinds[@]+"${kinds[@]}"}; do run "$kind" 1; done
    seed=$((seed + 1))
  done
fi

if [ -n "$with_readers" ]; then
  for reader in "scripts/check tsan" "scripts/check fuzz $number"; do
    # Unquoted: a command and its argument.
    if $reader >"$log.last" 2>&1; then result=passed; else result=FAILED status=1; fi
    cat "$log.last" >>"$log"
    [ "$result" = passed ] || tail -40 "$log.last" >&2
    echo "$reader: $result"
  done
fi
exit "$status"
