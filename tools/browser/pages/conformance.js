// Conformance: loads tests of the package gl-conformance as modules of Node.js, and runs them on WebGL.
// SPDX-License-Identifier: MIT
"use strict";

const PACKAGE = "/modules/gl-conformance";
const LIMIT_MILLISECONDS = 20000;
// Modules of Node.js and npm that the tests name, with what they use of them.
const STUBS = {
    path: {posix: {join: (...parts) => new URL(parts.join("/"), "http://x/").pathname.slice(1)}},
    color: () => ({rgbArray: () => [0, 0, 0]}),
};
/** Node.js' Buffer, of which the tests decode base 64. */
window.Buffer = class {
    constructor(text) { this.text = atob(text); }
    toString() { return this.text; }
};
const modules = new Map();
let contexts = [];

function read(url) {
    const request = new XMLHttpRequest();
    request.open("GET", url, false);
    request.send();
    if (request.status !== 200)
        throw new Error(`${url}: ${request.status}`);
    return request.responseText;
}

/** Resolves "./" and "../" of a module's name. */
function resolve(folder, name) {
    const url = new URL(name, `http://x${folder}/`).pathname;
    return /\.(js|json)$/.test(url) ? url : `${url}.js`;
}

function load(folder, name) {
    if (name in STUBS)
        return STUBS[name];
    const url = resolve(folder, name);
    if (!modules.has(url)) {
        const module = {exports: {}};
        modules.set(url, module);
        const here = url.replace(/\/[^/]*$/, "");
        if (url.endsWith(".json"))
            module.exports = JSON.parse(read(url));
        else
            new Function("require", "module", "exports", `${read(url)}\n//# sourceURL=${url}`)(
                next => load(here, next), module, module.exports);
    }
    return modules.get(url).exports;
}

function createContext(width, height, options) {
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = height;
    const gl = canvas.getContext("webgl", options);
    // The tests' canvas, which stands for a browser's, sets itself.
    if (gl)
        Object.defineProperty(gl, "canvas", {value: canvas, writable: true});
    contexts.push(gl);
    return gl;
}

/** Runs one test; returns its result ("pass", "fail", "timeout" or "error") and the first message of a failure. */
window.runTest = function (name) {
    return new Promise(done => {
        let passes = 0;
        let failure = "";
        const end = result => {
            clearTimeout(timer);
            window.onerror = null;
            for (const gl of contexts)
                gl?.getExtension("WEBGL_lose_context")?.loseContext();
            contexts = [];
            done({result: result ?? (failure ? "fail" : passes > 0 ? "pass" : "error"), message: failure});
        };
        const timer = setTimeout(() => end("timeout"), LIMIT_MILLISECONDS);
        const tape = {pass: () => { passes++; }, fail: text => { failure ||= String(text); }, end: () => end()};
        window.onerror = text => { // thrown by what a test does later
            failure ||= String(text);
            end("error");
        };
        try {
            load(`${PACKAGE}/node-test`, `./${name}`)({tape, createContext});
        } catch (error) {
            failure ||= String(error);
            end("error");
        }
    });
};
