// Measure: draws a scene, and times and hashes its frames.
// SPDX-License-Identifier: MIT
import * as THREE from "three";

const WIDTH = 800;
const HEIGHT = 600;
const HASHED_SECONDS = [0, 0.75, 1.5]; // times of the frames that are hashed

/** Numbers in [0, 1) that are the same in every run. */
export function randomNumbers(seed) {
    let state = seed >>> 0;
    return () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 4294967296;
    };
}

function readPixels(gl, width, height) {
    const pixels = new Uint8Array(width * height * 4);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    return pixels;
}

async function hash(bytes) {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    return Array.from(digest.slice(0, 8), byte => byte.toString(16).padStart(2, "0")).join("");
}

/** The driver's name; WEBGL_debug_renderer_info gives it where the page may see it. */
function rendererName(gl) {
    const info = gl.getExtension("WEBGL_debug_renderer_info");
    return gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
}

/** A pixel is read after each frame, so that the frame is done. Browsers make gl.finish() a flush. */
function frame(draw, gl, seconds) {
    draw(seconds);
    readPixels(gl, 1, 1);
}

/** Draws a frame when the browser asks for one, and waits until it has shown it. */
function presented(draw) {
    return new Promise(resolve => requestAnimationFrame(() => {
        draw();
        requestAnimationFrame(() => requestAnimationFrame(resolve));
    }));
}

/** Draws the scene for some seconds; returns milliseconds, frames a second and hashes. */
window.measure = async function (seconds) {
    const name = new URLSearchParams(location.search).get("scene");
    const renderer = new THREE.WebGLRenderer({antialias: true, preserveDrawingBuffer: true});
    renderer.setSize(WIDTH, HEIGHT);
    document.body.append(renderer.domElement);
    const gl = renderer.getContext();
    const {create} = await import(`./${name}.js`);
    const start = performance.now();
    const draw = await create(renderer, WIDTH / HEIGHT);
    frame(draw, gl, 0);
    const first = performance.now() - start;
    const hashes = [];
    for (const time of HASHED_SECONDS) {
        draw(time);
        hashes.push(await hash(readPixels(gl, WIDTH, HEIGHT)));
    }
    const begin = performance.now();
    let frames = 0;
    let end = begin;
    for (; end - begin < seconds * 1000; end = performance.now())
        frame(draw, gl, ++frames / 60);
    await presented(() => draw(HASHED_SECONDS[1])); // the frame of the screenshot
    return {renderer: rendererName(gl), first, rate: frames / (end - begin) * 1000, hashes, error: gl.getError()};
};
