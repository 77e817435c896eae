# Blender's view in one shading (SOLID, WIREFRAME, MATERIAL, RENDERED) without its splash screen; rendered by Eevee.
# SPDX-License-Identifier: MIT
import sys

import bpy

bpy.context.preferences.view.show_splash = False
shading = sys.argv[sys.argv.index("--") + 1]
bpy.context.scene.render.engine = "BLENDER_EEVEE"
bpy.context.scene.eevee.use_gtao = True
bpy.context.scene.eevee.use_ssr = True
bpy.ops.mesh.primitive_monkey_add(location=(2.5, 0, 0.5))
bpy.ops.mesh.primitive_plane_add(size=12, location=(0, 0, -1))
for screen in bpy.data.screens:
    for area in screen.areas:
        for space in area.spaces:
            if space.type == "VIEW_3D":
                space.shading.type = shading
