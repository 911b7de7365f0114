#!/usr/bin/env bash
# Step 4: what the change does. Leaves diff-report.md for people and diff.json for the step that picks sources; prints
# notes for the lines of the pull request.
# GATE_BASE: what it is compared with; empty = what the pull request is merged into.
here=${BASH_SOURCE[0]%/*}
. "$here/gate.sh"
lines "$GATE_PATHS"

# harvestctl compares with the commit at which the head left the base, so that what others merged since is not in it.
base="${GATE_BASE:-origin/${GITHUB_BASE_REF:-main}}"

step diff harvestctl diff --base "$base" --root "$GATE_ROOT" --out "$GATE_FOLDER/diff-report.md" "${LINES[@]}"
harvestctl diff --base "$base" --root "$GATE_ROOT" --format json "${LINES[@]}" >"$GATE_FOLDER/diff.json" || true
# What is new with this change; where that cannot be told, all that lint says.
code=0
harvestctl diff --base "$base" --root "$GATE_ROOT" --format github "${LINES[@]}" || code=$?
if [ "$code" -gt 1 ]; then harvestctl lint "${LINES[@]}" --root "$GATE_ROOT" --format github || true; fi
