// Post: glowing tori through a bloom, a tone curve and edge smoothing, on half-float targets.
// SPDX-License-Identifier: MIT
import * as THREE from "three";
import {EffectComposer} from "three/addons/postprocessing/EffectComposer.js";
import {OutputPass} from "three/addons/postprocessing/OutputPass.js";
import {RenderPass} from "three/addons/postprocessing/RenderPass.js";
import {ShaderPass} from "three/addons/postprocessing/ShaderPass.js";
import {UnrealBloomPass} from "three/addons/postprocessing/UnrealBloomPass.js";
import {FXAAShader} from "three/addons/shaders/FXAAShader.js";

export function create(renderer, aspect) {
    renderer.toneMapping = THREE.ReinhardToneMapping;
    const scene = new THREE.Scene();
    scene.background = new THREE.Color(0x05060a);
    const tori = [];
    for (let i = 0; i < 6; i++) {
        const color = new THREE.Color().setHSL(i / 6, 0.8, 0.5);
        const material = new THREE.MeshStandardMaterial({color, emissive: color, emissiveIntensity: i % 2 ? 1 : 0.05});
        const torus = new THREE.Mesh(new THREE.TorusGeometry(0.5 + 0.4 * i, 0.13, 16, 96), material);
        scene.add(torus);
        tori.push(torus);
    }
    const light = new THREE.PointLight(0xffffff, 40);
    light.position.set(3, 4, 5);
    scene.add(light);
    const camera = new THREE.PerspectiveCamera(45, aspect, 0.1, 50);
    camera.position.z = 8;
    const size = renderer.getSize(new THREE.Vector2());
    const composer = new EffectComposer(renderer);
    composer.addPass(new RenderPass(scene, camera));
    composer.addPass(new UnrealBloomPass(size, 0.5, 0.4, 0.5));
    composer.addPass(new OutputPass());
    const smooth = new ShaderPass(FXAAShader);
    smooth.uniforms.resolution.value.set(1 / size.x, 1 / size.y);
    composer.addPass(smooth);
    return seconds => {
        tori.forEach((torus, i) => torus.rotation.set(seconds * (0.3 + 0.1 * i), seconds * 0.2 * i, 0));
        composer.render();
    };
}
