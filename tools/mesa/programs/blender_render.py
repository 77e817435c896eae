# Blender without a window renders its cube, a monkey and a plane into picture.png, by Workbench or by Eevee.
# SPDX-License-Identifier: MIT
import os
import sys

import bpy

engine = sys.argv[sys.argv.index("--") + 1]
scene = bpy.context.scene
scene.render.engine = "BLENDER_" + engine
scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = 640, 480, 100
scene.display.shading.show_cavity = scene.display.shading.show_shadows = True
scene.eevee.use_gtao = scene.eevee.use_ssr = True
bpy.ops.mesh.primitive_monkey_add(location=(2.5, 0, 0.5))
bpy.ops.object.shade_smooth()
bpy.ops.mesh.primitive_plane_add(size=12, location=(0, 0, -1))
scene.render.filepath = os.path.join(os.getcwd(), "picture.png")
bpy.ops.render.render(write_still=True)
