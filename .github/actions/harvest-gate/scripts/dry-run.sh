#!/usr/bin/env bash
# Step 2: the sources that the change touches, tried against a sandbox. OAI_SANDBOX_URL: its address; empty = built in.
here=${BASH_SOURCE[0]%/*}
. "$here/gate.sh"
node "$here/affected.mjs" "$GATE_FOLDER/diff.json" >"$GATE_FOLDER/affected.txt" ||
  # The review could not be made: then everything is tried.
  printf '%s\n' "$GATE_PATHS" >"$GATE_FOLDER/affected.txt"
affected=$(cat "$GATE_FOLDER/affected.txt")
lines "$affected"

if [ "${#LINES[@]}" -eq 0 ]; then
  skip dry-run "No source is affected: nothing to try."
  exit 0
fi
sources=()
for file in "${LINES[@]}"; do sources+=("--source=$file"); done
step dry-run harvestctl dry-run "${sources[@]}" --root "$GATE_ROOT" --limit "${GATE_LIMIT:-200}" --no-index
