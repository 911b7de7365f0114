#!/usr/bin/env bash
# Step 1: schema, rules, ceilings. Leaves lint.sarif for code scanning.
here=${BASH_SOURCE[0]%/*}
. "$here/gate.sh"
lines "$GATE_PATHS"
strict=()
[ "${GATE_FAIL_ON:-error}" = warning ] && strict=(--strict)

step lint harvestctl lint "${LINES[@]}" --root "$GATE_ROOT" "${strict[@]}"
# The same findings once more, for code scanning; the exit code above is the one that counts.
harvestctl lint "${LINES[@]}" --root "$GATE_ROOT" --format sarif >"$GATE_FOLDER/lint.sarif" || true
