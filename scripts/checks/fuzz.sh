#!/usr/bin/env bash
# Fuzzes the readers of outside bytes with libFuzzer.
#
# usage: scripts/check fuzz [SECONDS] [TARGET]
#
# SECONDS is the time of the whole run without the build, 60 by default, shared by all targets; TARGET picks one. Corpus
# and findings are kept in .build-fuzz: artifacts/<target>/ holds the input of every crash, hang and memory excess, and
# `.build-fuzz/release/Fuzz <target> <file>` runs one again. Exit 0 clean, 1 findings, 2 could not run.
set -euo pipefail
cd "$(dirname "$0")/../.."

seconds="${1:-60}"
scratch=.build-fuzz
export DUALSEND_BUILD="$PWD/$scratch"
if ! [[ "$seconds" =~ ^[1-9][0-9]*$ ]]; then
  echo "usage: scripts/check fuzz [SECONDS] [TARGET]" >&2
  exit 64
fi

scripts/setup
resources="$(swift -print-target-info | sed -n 's/.*"runtimeResourcePath" *: *"\(.*\)".*/\1/p')"
runtime="$(find "$(dirname "$resources")/clang/" -name "libclang_rt.fuzzer_no_main-$(uname -m).a" 2>/dev/null | head -n 1)"
if [ -z "$runtime" ]; then
  echo "error: this toolchain has no libFuzzer runtime" >&2
  exit 2
fi

# The flag is passed only to the compiler: at the link step it would add libFuzzer's own `main`.
scripts/lib/swift.sh build . --configuration release --product Fuzz -Xcc -DDUALSEND_LIBFUZZER \
  -Xswiftc -enable-testing -Xswiftc -Xfrontend -Xswiftc -sanitize=fuzzer -Xlinker "$runtime" -Xlinker -lstdc++ >&2 || exit 2
fuzz="$scratch/release/Fuzz"

# An argument-less run lists the targets.
targets="${2:-$("$fuzz")}"
each=$((seconds / $(wc -w <<<"$targets")))
[ "$each" -gt 0 ] || each=1

# Databases and streams are written and deleted for every input, so they are kept in memory if the system supports it.
TMPDIR="$(mktemp -d "$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")/dualsend-fuzz.XXXXXX")"
export TMPDIR
fuzzer=
trap '[ -z "$fuzzer" ] || kill "$fuzzer" 2>/dev/null || true; rm -rf "$TMPDIR"' EXIT
trap 'exit 130' INT TERM

# Copies files into a folder with unique names.
collect() {
  local folder="$1" file
  shift
  for file in "$@"; do cp "$file" "$folder/$(tr / - <<<"${file#Fixtures/}")"; done
}

seed() {
  local target="$1" folder="$2" file
  case "$target" in
    json)
      collect "$folder" Fixtures/rollout/*/*.json Fixtures/rollout/invalid/*/*.json Fixtures/remapping/*/*.json
      split -l 1 -d -a 3 <(head -n 40 Fixtures/legacy/events.jsonl) "$folder/event-"
      ;;
    rollout)
      collect "$folder" Fixtures/rollout/*/*.json Fixtures/rollout/invalid/*/*.json Fixtures/legacy/rollout-*.json
      for file in Fixtures/rollout/valid/*.json; do
        { cat "$file"; printf '\0'; cat Fixtures/legacy/rollout-2.json; } >"$folder/pair-$(basename "$file")"
      done
      ;;
    remapping)
      collect "$folder" Fixtures/remapping/*/*.json
      for file in Fixtures/remapping/valid/*.json Fixtures/legacy/remapping.json; do
        { cat "$file"; printf '\0'; head -n 1 Fixtures/legacy/events.jsonl; } >"$folder/event-$(basename "$file")"
      done
      ;;
    answer)
      printf '200\0\0\0{"rejected":[{"eventId":"018bcfe5-6800-7abc-8def-0123456789ab","reason":"late"}]}' >"$folder/rejected"
      printf '429\0120\0Sun, 06 Nov 1994 08:49:37 GMT\0' >"$folder/seconds"
      printf '503\0Sun Nov  6 08:49:37 1994\0Sunday, 06-Nov-94 08:49:30 GMT\0' >"$folder/date"
      gzip -nc Fixtures/rollout/valid/minimal.json >"$folder/gzip"
      ;;
    store)
      printf '\1\0\1\1\377{"eventId":"x","eventTime":1700000000,"payload":{"name":"a"}}' >"$folder/sample"
      for file in 0 1 2 10; do
        { printf "\\$file"; head -c 600 Fixtures/vectors/murmur3-x86-32.csv; } >"$folder/bytes-$file"
      done
      ;;
    streams)
      { head -n 5 Fixtures/legacy/events.jsonl; printf '\0'; head -n 5 Fixtures/legacy/events.jsonl; } >"$folder/legacy"
      printf '%s\n\0%s\n\0%s' '{"name":"a","parameters":{"n":1},"time":1,"eventId":"1"}' \
        '{"eventId":"1","eventName":"a","eventTime":1,"payload":{"n":2}}' '{"formatVersion":1,"preset":"firebase"}' \
        >"$folder/pair"
      ;;
    sheet) collect "$folder" Fixtures/sheets/* Fixtures/plans/pairs/*.csv ;;
    sources)
      collect "$folder" Fixtures/Sources/*/*.txt
      for file in Fixtures/Sources/*/*.txt; do
        { cat "$file"; printf '\0'; cat "$file"; } | head -c 16384 >"$folder/twice-$(basename "$file")"
      done
      ;;
  esac
  [ ! -d "Fixtures/corpus/$target" ] || collect "$folder" "Fixtures/corpus/$target"/*
}

status=0
for target in $targets; do
  corpus="$scratch/corpus/$target"
  artifacts="$scratch/artifacts/$target"
  mkdir -p "$corpus" "$artifacts" "$scratch/seeds/$target"
  seed "$target" "$scratch/seeds/$target"
  echo "== $target: $each s"
  "$fuzz" "$target" -max_total_time="$each" -timeout=25 -report_slow_units=25 -rss_limit_mb=2048 -max_len=16384 \
    -len_control=20 \
    -artifact_prefix="$artifacts/" -print_final_stats=1 "$corpus" "$scratch/seeds/$target" \
    >"$scratch/$target.log" 2>&1 &
  fuzzer=$!
  wait "$fuzzer" || status=1
  fuzzer=
  grep -E 'INITED|DONE|number_of_executed|peak_rss|SUMMARY|Fatal error|Precondition failed' "$scratch/$target.log" || true
done
if [ -n "$(find "$scratch/artifacts" -type f)" ]; then
  echo "findings:" && find "$scratch/artifacts" -type f
  status=1
fi
exit "$status"
