#!/usr/bin/env bash
# Installs what is needed, builds valkyr-demo (not the rest of the command) and shows the demo scene:
# in a window if there is a display, else as cube.png in the current directory.
# Usage: tools/demo.sh [ARGUMENTS OF valkyr demo...]
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
"$here/tools/dev/setup.sh"
"$here/tools/dev/build.sh" release --target valkyr_demo_command
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    exec "$here/build/release/bin/valkyr-demo" demo "$@"
fi
exec "$here/build/release/bin/valkyr-demo" demo --headless -o cube.png "$@"
