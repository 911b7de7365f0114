#!/usr/bin/env bash
# The steps of .github/actions/harvest-gate, with GitLab's names for things. Leaves everything in harvest-gate/.
set -euo pipefail
: "${CI_PROJECT_DIR:?is not set}" "${HARVEST_PATHS:?is not set}" "${HARVEST_ROOT:=.}"
here=$(cd "${BASH_SOURCE[0]%/*}" && pwd)
scripts=$here/../../.github/actions/harvest-gate/scripts

export GATE_FOLDER="$CI_PROJECT_DIR/harvest-gate" GATE_PATHS="$HARVEST_PATHS" GATE_ROOT="$HARVEST_ROOT"
export GATE_FIXTURES="${HARVEST_FIXTURES:-}" GATE_FAIL_ON="${HARVEST_FAIL_ON:-error}" GATE_VERSION=action
# A pipeline for merged results has merged the target already, at this commit; any other starts at the merge base.
export GATE_BASE="${CI_MERGE_REQUEST_TARGET_BRANCH_SHA:-${CI_MERGE_REQUEST_DIFF_BASE_SHA:-}}"
rm -rf "$GATE_FOLDER"
mkdir -p "$GATE_FOLDER"

# The path is set for this script's own children; what is only a tool is no artefact.
tool=$(mktemp -d)
GATE_FOLDER="$tool" bash "$scripts/install.sh"
export PATH="$tool/bin:$PATH"

for step in lint diff dry-run fixtures; do bash "$scripts/$step.sh"; done
node "$here/code-quality.mjs" "$GATE_FOLDER/lint.sarif" >"$GATE_FOLDER/code-quality.json"
mapfile -t paths <<<"$HARVEST_PATHS"
harvestctl lint "${paths[@]}" --root "$HARVEST_ROOT" --format junit >"$GATE_FOLDER/lint.junit.xml" || true
bash "$scripts/verdict.sh"
