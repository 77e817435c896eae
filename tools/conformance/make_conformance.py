#!/usr/bin/env python3
# Writes the conformance cases that are rows of a table: one file a row. The files are checked in.
# SPDX-License-Identifier: MIT
"""usage: make_conformance.py [DIRECTORY]    (default tests/pictures/conformance)

The tables are in tools/conformance/cases, a topic a file. Goldens are not written here: conform_reference --bless does that."""
import pathlib
import sys

from cases import (blending, blits, depth_stencil, flow, fragment_io, layers, memory, multisampling, opcodes, primitives,
                   rasterizer, sampled_formats, stipple, target_formats, textures, vertex_formats)
from cases.common import scenes

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOPICS = (primitives.primitives, rasterizer.raster, depth_stencil.depth, depth_stencil.stencil, blending.blend, target_formats.targets,
          multisampling.multisample, textures.texture, sampled_formats.formats, vertex_formats.vertex_formats, fragment_io.fragment,
          blits.blits, opcodes.opcodes, flow.flow, memory.memory, layers.layered, stipple.stipple)


def write(out: pathlib.Path) -> None:
    for name, content in scenes.items():
        path = out / f"{name}.scene"
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text() != content:
            path.write_text(content)


def remove_old(out: pathlib.Path) -> None:
    """Files of tables that have gone; cases written by hand begin with a comment."""
    for path in out.rglob("*.scene"):
        name = path.relative_to(out).with_suffix("").as_posix()
        if name not in scenes and not path.read_text().startswith("#"):
            path.unlink()


if __name__ == "__main__":
    out = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "tests/pictures/conformance"
    for topic in TOPICS:
        topic()
    write(out)
    remove_old(out)
    print(f"{len(scenes)} cases in {out}")
