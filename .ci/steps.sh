# Runs the steps of a CI script and times them. Sourced by .ci/run and .ci/nightly; the folder is the checkout.

export CI="${CI:-true}"

# Third-party code is compiled only when its versions, the toolchain or the flags change: the build folder is kept outside of
# the clone. It may be deleted at any time. DUALSEND_CACHE names another place.
cache="${DUALSEND_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/dualsend}"
if [ -z "${DUALSEND_BUILD:-}" ] && mkdir -p "$cache" 2>/dev/null && [ -w "$cache" ]; then
  exec 9>"$cache/lock"
  # A second run at the same time builds in its own checkout.
  if flock -n 9; then
    export DUALSEND_BUILD="$cache/build"
    stamp="$(swift --version 2>/dev/null; cat scripts/lib/swift.sh; grep -h 'package(url' Package.swift ./*/Package.swift)"
    if [ "$(cat "$cache/inputs" 2>/dev/null)" != "$stamp" ]; then
      rm -rf "$cache/build"
      printf '%s\n' "$stamp" >"$cache/inputs"
    fi
    # This package's own modules are those of another checkout: a module that no longer exists must not be found.
    for folder in "$DUALSEND_BUILD"/*/{debug,release}; do
      [ -d "$folder" ] || continue
      find "$folder" -maxdepth 1 \( -iname '*dualsend*' -o -name '*Tests.*' \) -exec rm -rf {} +
      find "$folder/Modules" -maxdepth 1 -name 'DualSend*' -exec rm -rf {} + 2>/dev/null || true
    done
  fi
fi

step_names=() step_walls=() step_processors=()

# Runs a command and prints the seconds that it took: step NAME COMMAND…
step() {
  local name=$1 times result=0
  shift
  echo "== $name"
  times="$(mktemp)"
  local TIMEFORMAT='%0R %0U %0S'
  { time "$@" 2>&3; } 3>&2 2>"$times" || result=$?
  local wall user system
  read -r wall user system < <(tail -n 1 "$times")
  rm -f "$times"
  step_names+=("$name") step_walls+=("$wall") step_processors+=("$((user + system))")
  echo "== $name: $wall s, $((user + system)) s of processor time"
  if [ "$result" != 0 ]; then
    step_table
    echo "error: $name failed with status $result" >&2
    exit "$result"
  fi
}

step_table() {
  local index wall=0 processor=0
  printf '%-28s %8s %14s\n' step seconds 'processor time'
  for index in "${!step_names[@]}"; do
    printf '%-28s %8s %14s\n' "${step_names[index]}" "${step_walls[index]}" "${step_processors[index]}"
    wall=$((wall + step_walls[index])) processor=$((processor + step_processors[index]))
  done
  printf '%-28s %8s %14s\n' total "$wall" "$processor"
}

# Runs a step unless these files are as they were when it last passed here: step_if_changed NAME FILES… -- COMMAND…
step_if_changed() {
  local name=$1 files=() hash mark
  shift
  while [ "$1" != -- ]; do
    files+=("$1")
    shift
  done
  shift
  mark="$cache/passed-${name// /-}"
  hash="$(git ls-files -z -s --cached --others --exclude-standard -- "${files[@]}" | sha256sum; git diff HEAD -- "${files[@]}" | sha256sum)"
  if [ "$(cat "$mark" 2>/dev/null)" = "$hash" ]; then
    echo "== $name: passed before, and its files are the same"
    return
  fi
  step "$name" "$@"
  printf '%s\n' "$hash" >"$mark" 2>/dev/null || true
}
