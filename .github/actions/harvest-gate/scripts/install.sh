#!/usr/bin/env bash
# Puts harvestctl on the path of the steps that follow. GATE_VERSION: action = built from the commit of this action,
# path = the one that is there already.
set -euo pipefail
: "${GATE_FOLDER:?is not set}" "${GATE_VERSION:=action}"

case "$GATE_VERSION" in
path)
  command -v harvestctl >/dev/null || {
    echo "::error title=harvest-gate::version is path, but there is no harvestctl on the path. Install it in a step before, or leave version out."
    exit 2
  }
  ;;
action)
  tool=$(cd "${BASH_SOURCE[0]%/*}/../../../.." && pwd)
  if [ ! -f "$tool/dist/cli/bin/run.js" ]; then
    # Scripts of packages are not run: nothing of ours needs one.
    (cd "$tool" && npm ci --ignore-scripts --no-audit --no-fund && npm run build)
  fi
  mkdir -p "$GATE_FOLDER/bin"
  printf '#!/usr/bin/env bash\nexec node %q "$@"\n' "$tool/dist/cli/bin/run.js" >"$GATE_FOLDER/bin/harvestctl"
  chmod +x "$GATE_FOLDER/bin/harvestctl"
  export PATH="$GATE_FOLDER/bin:$PATH"
  printf '%s\n' "$GATE_FOLDER/bin" >>"${GITHUB_PATH:-/dev/null}"
  ;;
*)
  printf '::error title=harvest-gate::version is %q: it may be action or path.\n' "$GATE_VERSION"
  exit 2
  ;;
esac
harvestctl --version
