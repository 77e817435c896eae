// A window of Qt 3D, drawn by its OpenGL renderer: lit meshes, and a patch that evaluation shaders of OpenGL 4 bend.
// SPDX-License-Identifier: MIT
import QtQuick
import QtQuick.Window
import QtQuick.Scene3D
import Qt3D.Core
import Qt3D.Render
import Qt3D.Extras
import Qt3D.Logic

Window {
    width: 640; height: 480; visible: true; title: "Qt 3D"
    Scene3D {
        anchors.fill: parent
        Entity {
            Camera {
                id: camera
                projectionType: CameraLens.PerspectiveProjection
                fieldOfView: 45; aspectRatio: 4 / 3; nearPlane: 0.1; farPlane: 100
                position: Qt.vector3d(0, 5, 12); viewCenter: Qt.vector3d(0, 0, 0)
            }
            components: [
                RenderSettings { activeFrameGraph: ForwardRenderer { camera: camera; clearColor: "#304060" } },
                // A frame after the other; the picture stands still.
                FrameAction { onTriggered: dt => { turned.rotationX = turned.rotationX === 30 ? 30.001 : 30; } }
            ]
            Entity {
                components: [
                    TorusMesh { radius: 2; minorRadius: 0.7; rings: 64; slices: 32 },
                    PhongMaterial { diffuse: "#c06030"; ambient: "#301810"; shininess: 60 },
                    Transform { id: turned; rotationX: 30; translation: Qt.vector3d(-2.6, 0, 0) }
                ]
            }
            Entity {
                components: [
                    SphereMesh { radius: 1.6; rings: 40; slices: 40 },
                    MetalRoughMaterial { baseColor: Qt.rgba(0.38, 0.63, 0.88, 1); metalness: 0.1; roughness: 0.4 },
                    Transform { translation: Qt.vector3d(2.8, 0.5, 0) }
                ]
            }
            Entity {
                components: [
                    PointLight { color: "white"; intensity: 0.9 },
                    Transform { translation: Qt.vector3d(6, 10, 8) }
                ]
            }
            Entity {
                components: [patch, bent, below]
                Transform { id: below; translation: Qt.vector3d(0, -2.5, 0) }
                GeometryRenderer {
                    id: patch
                    primitiveType: GeometryRenderer.Patches; verticesPerPatch: 4; vertexCount: 4
                    geometry: Geometry {
                        Attribute {
                            name: "corner"; attributeType: Attribute.VertexAttribute; vertexBaseType: Attribute.Float
                            vertexSize: 3; count: 4; byteStride: 12
                            buffer: Buffer { data: new Float32Array([-6, 0, -6, 6, 0, -6, -6, 0, 6, 6, 0, 6]) }
                        }
                    }
                }
                Material {
                    id: bent
                    effect: Effect {
                        techniques: Technique {
                            graphicsApiFilter { api: GraphicsApiFilter.OpenGL; majorVersion: 4; minorVersion: 0; profile: GraphicsApiFilter.CoreProfile }
                            filterKeys: FilterKey { name: "renderingStyle"; value: "forward" }
                            renderPasses: RenderPass {
                                shaderProgram: ShaderProgram {
                                    vertexShaderCode: `#version 400 core
in vec3 corner; out vec3 at; void main() { at = corner; }`
                                    tessellationControlShaderCode: `#version 400 core
layout(vertices = 4) out; in vec3 at[]; out vec3 point[];
void main() {
    point[gl_InvocationID] = at[gl_InvocationID];
    gl_TessLevelOuter[0] = gl_TessLevelOuter[2] = 24.0; gl_TessLevelOuter[1] = gl_TessLevelOuter[3] = 17.5;
    gl_TessLevelInner[0] = 20.0; gl_TessLevelInner[1] = 22.0;
}`
                                    tessellationEvaluationShaderCode: `#version 400 core
layout(quads, fractional_odd_spacing, ccw) in; in vec3 point[]; out vec3 normal; uniform mat4 mvp;
void main() {
    vec3 p = mix(mix(point[0], point[1], gl_TessCoord.x), mix(point[2], point[3], gl_TessCoord.x), gl_TessCoord.y);
    p.y = 0.5 * sin(p.x * 1.3) * cos(p.z * 1.1);
    normal = normalize(vec3(-0.65 * cos(p.x * 1.3) * cos(p.z * 1.1), 1.0, 0.55 * sin(p.x * 1.3) * sin(p.z * 1.1)));
    gl_Position = mvp * vec4(p, 1.0);
}`
                                    fragmentShaderCode: `#version 400 core
in vec3 normal; out vec4 color;
void main() { color = vec4(vec3(0.3, 0.6, 0.3) * (0.3 + 0.7 * dot(normalize(normal), normalize(vec3(1.0, 2.0, 1.0)))), 1.0); }`
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
