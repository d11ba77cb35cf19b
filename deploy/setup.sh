#!/usr/bin/env bash
# Finds a Python that is new enough and hands over to setup.py, which does the work.
# PARCELS_PYTHON names another interpreter.
set -euo pipefail

is_new_enough() {
  "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

find_python() {
  local name
  if [[ -n "${PARCELS_PYTHON:-}" ]]; then
    is_new_enough "$PARCELS_PYTHON" && echo "$PARCELS_PYTHON" && return
    echo "setup: PARCELS_PYTHON=$PARCELS_PYTHON is not a Python 3.11 or newer: name another, or unset it." >&2
    return 1
  fi
  for name in python3 python3.13 python3.12 python3.11; do
    is_new_enough "$name" && echo "$name" && return
  done
  echo "setup: no Python 3.11 or newer on PATH (python3, python3.13, python3.12, python3.11)." >&2
  echo "setup: install one (Debian 12 or newer: apt-get install python3 python3-venv), or set PARCELS_PYTHON." >&2
  return 1
}

python=$(find_python)
exec "$python" "${BASH_SOURCE[0]%/*}/setup.py" "$@"
