// Uploads: a texture of a million texels and a mesh of 16,000 vertices that are new in each frame.
// SPDX-License-Identifier: MIT
import * as THREE from "three";

const SIZE = 1024;
const SEGMENTS = 127;

function moveVertices(geometry, seconds) {
    const places = geometry.attributes.position;
    for (let i = 0; i < places.count; i++)
        places.setZ(i, 0.2 * Math.sin(6 * places.getX(i) + 3 * seconds) * Math.cos(5 * places.getY(i)));
    places.needsUpdate = true;
}

export function create(renderer, aspect) {
    const scene = new THREE.Scene();
    const texels = new Uint32Array(SIZE * SIZE);
    const texture = new THREE.DataTexture(new Uint8Array(texels.buffer), SIZE, SIZE);
    texture.magFilter = texture.minFilter = THREE.LinearFilter;
    const geometry = new THREE.PlaneGeometry(3, 3, SEGMENTS, SEGMENTS);
    const sheet = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({map: texture, side: THREE.DoubleSide}));
    sheet.rotation.x = -0.7;
    scene.add(sheet);
    const camera = new THREE.PerspectiveCamera(45, aspect, 0.1, 20);
    camera.position.z = 4;
    return seconds => {
        const shift = Math.floor(seconds * 60);
        for (let y = 0, i = 0; y < SIZE; y++)
            for (let x = 0; x < SIZE; x++, i++)
                texels[i] = 0xff000000 | ((x + shift) ^ (y + 2 * shift)) * 0x10305;
        texture.needsUpdate = true;
        moveVertices(geometry, seconds);
        renderer.render(scene, camera);
    };
}
