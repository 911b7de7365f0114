# shellcheck shell=bash
# What the steps of the gate share; read with `.`, not run. Everything comes through the environment:
#   GATE_PATHS     files and folders with manifests, one a line
#   GATE_ROOT      policy root
#   GATE_FOLDER    where the steps leave what they found: NAME.txt (what was printed), NAME.code (exit code), and files
# A step never ends the job itself: all four are to be seen in one report. scripts/verdict.sh ends it.
set -euo pipefail

: "${GATE_PATHS:?is not set}" "${GATE_ROOT:?is not set}" "${GATE_FOLDER:?is not set}"
mkdir -p "$GATE_FOLDER"
# Colours are for terminals; a log of a job is none.
export NO_COLOR=1

# lines TEXT: its lines that are not empty, into the array LINES. What begins with a dash would be an option.
lines() {
  LINES=()
  local line
  while IFS= read -r line || [ -n "$line" ]; do
    line="${line%$'\r'}"
    case "$line" in
    '') ;;
    -*)
      printf '::error title=harvest-gate::A path begins with a dash: %q\n' "$line"
      return 2
      ;;
    *) LINES+=("$line") ;;
    esac
  done <<<"$1"
}

# step NAME COMMAND...: runs it, shows and keeps what it prints, keeps its exit code.
step() {
  local name="$1" code=0
  shift
  printf '$'
  printf ' %q' "$@"
  printf '\n'
  # A line that begins with :: is an order to the runner, and what is printed quotes a stranger's manifests.
  local token
  token="gate-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')"
  printf '::stop-commands::%s\n' "$token"
  "$@" >"$GATE_FOLDER/$name.txt" 2>&1 || code=$?
  cat "$GATE_FOLDER/$name.txt"
  printf '::%s::\n' "$token"
  printf '%s\n' "$code" >"$GATE_FOLDER/$name.code"
}

# skip NAME SENTENCE: there was nothing to do, which is no fault.
skip() {
  printf '%s\n' "$2" | tee "$GATE_FOLDER/$1.txt"
  printf '0\n' >"$GATE_FOLDER/$1.code"
}
