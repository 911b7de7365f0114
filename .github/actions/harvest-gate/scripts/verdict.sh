#!/usr/bin/env bash
# The end: report and job summary from what the steps left, then the exit code. GATE_FAIL_ON: error, warning or never.
# 0 = passed, 1 = something breaks the rules, 2 = something could not be done (fails whatever GATE_FAIL_ON is).
here=${BASH_SOURCE[0]%/*}
. "$here/gate.sh"
verdict=$(node "$here/compose-report.mjs" "$GATE_FOLDER")
cat "$GATE_FOLDER/summary.md" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
{
  printf 'verdict=%s\n' "$verdict"
  printf 'report=%s\n' "$GATE_FOLDER/report.md"
} >>"${GITHUB_OUTPUT:-/dev/null}"
printf 'harvest-gate: %s\n' "$verdict"

case "$verdict" in
passed) exit 0 ;;
refused) [ "${GATE_FAIL_ON:-error}" = never ] && exit 0 || exit 1 ;;
*) exit 2 ;;
esac
