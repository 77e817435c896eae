# A scene of Godot made by script: shadows of two lights, reflections, glow, ambient occlusion, a shader, instances.
# SPDX-License-Identifier: MIT
extends Spatial

const WAVES = """shader_type spatial;
void vertex() { VERTEX.y += 0.15 * sin(VERTEX.x * 4.0) * cos(VERTEX.z * 3.0); }
void fragment() { ALBEDO = vec3(0.2 + 0.3 * fract(UV.x * 8.0), 0.35, 0.3 + 0.4 * fract(UV.y * 8.0)); ROUGHNESS = 0.3; }"""

func _ready():
	var camera = Camera.new()
	add_child(camera)
	camera.look_at_from_position(Vector3(3, 3, 6), Vector3(0, 0.3, 0), Vector3.UP)
	camera.current = true
	var environment = Environment.new()
	environment.background_mode = Environment.BG_SKY
	environment.background_sky = ProceduralSky.new()
	environment.tonemap_mode = Environment.TONE_MAPPER_FILMIC
	environment.glow_enabled = true
	environment.ssao_enabled = true
	environment.ss_reflections_enabled = true
	var world = WorldEnvironment.new()
	world.environment = environment
	add_child(world)
	var sun = DirectionalLight.new()
	sun.rotation_degrees = Vector3(-50, 40, 0)
	sun.shadow_enabled = true
	add_child(sun)
	var lamp = OmniLight.new()
	lamp.translation = Vector3(-2, 2, 1)
	lamp.light_color = Color(1, 0.6, 0.3)
	lamp.shadow_enabled = true
	add_child(lamp)
	var plane = PlaneMesh.new()
	plane.size = Vector2(8, 8)
	plane.subdivide_width = 64
	plane.subdivide_depth = 64
	var shader = Shader.new()
	shader.code = WAVES
	var waves = ShaderMaterial.new()
	waves.shader = shader
	place(plane, waves, Vector3(0, -0.8, 0))
	for i in range(5):
		var material = SpatialMaterial.new()
		material.albedo_color = Color.from_hsv(i / 5.0, 0.6, 0.9)
		material.metallic = 0.25 * i
		material.roughness = 0.15 + 0.2 * i
		place(SphereMesh.new() if i % 2 == 0 else CubeMesh.new(), material, Vector3(1.6 * i - 3.2, 0.4, -0.6 * i))
	var glass = SpatialMaterial.new()
	glass.flags_transparent = true
	glass.albedo_color = Color(0.6, 0.9, 1, 0.4)
	place(PrismMesh.new(), glass, Vector3(0.6, 0.4, 1.8))
	var many = MultiMesh.new()
	many.transform_format = MultiMesh.TRANSFORM_3D
	many.mesh = CapsuleMesh.new()
	many.instance_count = 40
	for i in range(40):
		var turned = Basis(Vector3(1, 0, 0), 1.57).scaled(Vector3(0.1, 0.1, 0.1))
		many.set_instance_transform(i, Transform(turned, Vector3(cos(i), -0.2, sin(i)) * (1.5 + 0.04 * i)))
	var group = MultiMeshInstance.new()
	group.multimesh = many
	add_child(group)

func place(mesh, material, at):
	var instance = MeshInstance.new()
	instance.mesh = mesh
	instance.material_override = material
	instance.translation = at
	add_child(instance)
