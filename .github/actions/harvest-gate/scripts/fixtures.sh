#!/usr/bin/env bash
# Step 3: the records with a declared verdict, through the whole XSD and Schematron suite. GATE_FIXTURES: their folder.
here=${BASH_SOURCE[0]%/*}
. "$here/gate.sh"
case "${GATE_FIXTURES:-}" in
'')
  skip fixtures "No folder of fixtures is named: nothing to judge."
  exit 0
  ;;
-*)
  printf '::error title=harvest-gate::The folder of fixtures begins with a dash: %q\n' "$GATE_FIXTURES"
  exit 2
  ;;
esac
step fixtures harvestctl validate-fixtures "$GATE_FIXTURES" --root "$GATE_ROOT" --strict
