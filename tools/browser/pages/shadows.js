// Shadows: columns and a knot on a floor, with soft shadows of a sun and of a lamp.
// SPDX-License-Identifier: MIT
import * as THREE from "three";

function addLights(scene) {
    const sun = new THREE.DirectionalLight(0xffeedd, 2);
    sun.position.set(4, 8, 3);
    sun.castShadow = true;
    sun.shadow.mapSize.set(1024, 1024);
    Object.assign(sun.shadow.camera, {left: -7, right: 7, top: 7, bottom: -7, far: 25});
    const lamp = new THREE.SpotLight(0x88aaff, 200, 20, 0.6, 0.5);
    lamp.position.set(-5, 7, 2);
    lamp.castShadow = true;
    lamp.shadow.mapSize.set(512, 512);
    scene.add(sun, lamp, new THREE.HemisphereLight(0x8899bb, 0x443322, 0.6));
}

export function create(renderer, aspect) {
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = THREE.PCFShadowMap;
    const scene = new THREE.Scene();
    scene.background = new THREE.Color(0x223344);
    scene.fog = new THREE.Fog(0x223344, 10, 30);
    addLights(scene);
    const add = (geometry, color, x, y, z) => {
        const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({color, roughness: 0.6}));
        mesh.position.set(x, y, z);
        mesh.castShadow = mesh.receiveShadow = true;
        scene.add(mesh);
        return mesh;
    };
    add(new THREE.PlaneGeometry(40, 40).rotateX(-Math.PI / 2), 0x998877, 0, 0, 0);
    for (let i = 0; i < 10; i++)
        add(new THREE.CylinderGeometry(0.3, 0.4, 3, 24), 0xccccbb, 4 * Math.cos(i * Math.PI / 5), 1.5,
            4 * Math.sin(i * Math.PI / 5));
    const knot = add(new THREE.TorusKnotGeometry(1, 0.32, 160, 24), 0xcc4433, 0, 2.2, 0);
    const camera = new THREE.PerspectiveCamera(45, aspect, 0.1, 60);
    return seconds => {
        knot.rotation.set(seconds, 0.7 * seconds, 0);
        camera.position.set(9 * Math.cos(0.3 * seconds), 5, 9 * Math.sin(0.3 * seconds));
        camera.lookAt(0, 1.5, 0);
        renderer.render(scene, camera);
    };
}
