#!/usr/bin/env bash
# Step 4, first half: what the change does. Leaves diff-report.md for people and diff.json for the step that picks sources.
# GATE_BASE: what it is compared with; empty = what the pull request is merged into.
here=${BASH_SOURCE[0]%/*}
. "$here/gate.sh"
lines "$GATE_PATHS"

# A pull request is checked out as the merge of its head into its base: the first parent is the base as it was merged.
# The branch itself may have moved on since, and its new changes would look taken back.
base="${GATE_BASE:-}"
if [ -z "$base" ] && [ "${GITHUB_EVENT_NAME:-}" = pull_request ] && git rev-parse --quiet --verify 'HEAD^2' >/dev/null; then
  base="$(git rev-parse 'HEAD^1')"
fi
base="${base:-origin/${GITHUB_BASE_REF:-main}}"

step diff harvestctl diff --base "$base" --root "$GATE_ROOT" --out "$GATE_FOLDER/diff-report.md" "${LINES[@]}"
harvestctl diff --base "$base" --root "$GATE_ROOT" --format json "${LINES[@]}" >"$GATE_FOLDER/diff.json" || true
