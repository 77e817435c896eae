// PBR: spheres of all roughnesses, half of them metal, in the light of a room.
// SPDX-License-Identifier: MIT
import * as THREE from "three";
import {RoomEnvironment} from "three/addons/environments/RoomEnvironment.js";

const COLUMNS = 7;
const ROWS = 4;

export function create(renderer, aspect) {
    renderer.toneMapping = THREE.ACESFilmicToneMapping;
    const scene = new THREE.Scene();
    const generator = new THREE.PMREMGenerator(renderer);
    scene.environment = generator.fromScene(new RoomEnvironment(), 0.04).texture;
    scene.background = scene.environment;
    const sphere = new THREE.SphereGeometry(0.45, 48, 32);
    const spheres = new THREE.Group();
    for (let row = 0; row < ROWS; row++)
        for (let column = 0; column < COLUMNS; column++) {
            const material = new THREE.MeshPhysicalMaterial({
                color: new THREE.Color().setHSL(row / ROWS, 0.7, 0.5),
                metalness: row % 2,
                roughness: column / (COLUMNS - 1),
                clearcoat: row === 0 ? 1 : 0,
            });
            const mesh = new THREE.Mesh(sphere, material);
            mesh.position.set(column - (COLUMNS - 1) / 2, row - (ROWS - 1) / 2, 0);
            spheres.add(mesh);
        }
    scene.add(spheres);
    const camera = new THREE.PerspectiveCamera(45, aspect, 0.1, 50);
    camera.position.z = 7;
    return seconds => {
        spheres.rotation.y = 0.4 * Math.sin(seconds);
        renderer.render(scene, camera);
    };
}
