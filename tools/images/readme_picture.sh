#!/usr/bin/env bash
# Makes the picture on top of the README: a game on Valkyr, the shader debugger at a pixel of one of its
# frames, and demo scenes. Needs Debian's neverball, xvfb, libgl1-mesa-dri and imagemagick. (Neverball and
# its data are free software, under the GNU GPL.)
# Usage: tools/images/readme_picture.sh [PICTURE]      default: docs/images/readme.png
set -euo pipefail
here=$(cd "$(dirname "$0")/../.." && pwd)
picture=$(realpath "${1:-$here/docs/images/readme.png}")
PATH=$here/build/release/bin:$PATH:/usr/games
frame=40        # of the game: its title is complete, and the camera over a table
pixel=160,350   # of that frame, on the table
scenes=(cube foliage deferred mirror noise fur)

for program in valkyr neverball Xvfb montage; do
    command -v "$program" >/dev/null || { echo "readme_picture.sh: there is no $program" >&2; exit 1; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# The game does not end by itself; a home of its own keeps settings and high scores apart.
HOME=$work valkyr run --quiet --xvfb --record game.trace --record-frames "$frame" \
    --screenshot "$frame" game.png -- timeout 30 neverball >game.log 2>&1 || true
[ -f game.png ] || { cat game.log >&2; exit 1; }
valkyr debug game.trace --frame "$frame" --pixel "$pixel" --screenshot debugger.png \
    --command 'step 8' --watch 'IN[0]' --watch 'TEMP[1]' >debugger.log || { cat debugger.log >&2; exit 1; }
for scene in "${scenes[@]}"; do
    valkyr demo "$scene" --size 480x270 --samples 4 --frame 60 -o "$scene.png"
done

# 1620 columns: 720 of the game and 900 of the debugger, above six scenes of 270.
convert game.png -resize 720x540! game.miff
convert debugger.png -resize 900x540! debugger.miff
montage "${scenes[@]/%/.png}" -tile 6x1 -geometry 270x152+0+0 scenes.miff
convert \( game.miff debugger.miff +append \) scenes.miff -append +dither -colors 256 -strip \
    -define png:compression-level=9 "PNG8:$picture"
