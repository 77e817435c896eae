// Instances: twelve thousand boxes of one instanced mesh, in waves.
// SPDX-License-Identifier: MIT
import * as THREE from "three";

const SIDE = 110;

export function create(renderer, aspect) {
    const scene = new THREE.Scene();
    scene.background = new THREE.Color(0x101418);
    const light = new THREE.DirectionalLight(0xffffff, 2);
    light.position.set(1, 2, 1.5);
    scene.add(light, new THREE.AmbientLight(0x556677));
    const boxes = new THREE.InstancedMesh(new THREE.BoxGeometry(0.8, 1, 0.8), new THREE.MeshLambertMaterial(),
                                          SIDE * SIDE);
    for (let i = 0; i < SIDE * SIDE; i++)
        boxes.setColorAt(i, new THREE.Color().setHSL((i % SIDE) / SIDE, 0.6, 0.55));
    scene.add(boxes);
    const camera = new THREE.PerspectiveCamera(45, aspect, 1, 300);
    camera.position.set(0, 45, 75);
    camera.lookAt(0, 0, 0);
    const matrix = new THREE.Matrix4();
    return seconds => {
        for (let i = 0; i < SIDE * SIDE; i++) {
            const x = i % SIDE - SIDE / 2;
            const z = Math.floor(i / SIDE) - SIDE / 2;
            const height = 3 + 2 * Math.sin(0.25 * x + 2 * seconds) + 2 * Math.cos(0.2 * z + seconds);
            boxes.setMatrixAt(i, matrix.makeScale(1, height, 1).setPosition(x, height / 2, z));
        }
        boxes.instanceMatrix.needsUpdate = true;
        renderer.render(scene, camera);
    };
}
