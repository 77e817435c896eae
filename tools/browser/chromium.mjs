// Chromium: starts headless Chromium on a renderer, and serves pages to it.
// SPDX-License-Identifier: MIT
import {spawn} from "node:child_process";
import {createReadStream, existsSync, mkdtempSync, readFileSync, rmSync} from "node:fs";
import {createServer} from "node:http";
import {createRequire} from "node:module";
import {tmpdir} from "node:os";
import path from "node:path";
import {fileURLToPath} from "node:url";

const PAGES = path.join(path.dirname(fileURLToPath(import.meta.url)), "pages");
const TYPES = {".html": "text/html", ".js": "text/javascript", ".json": "application/json"};
const HEADLESS = ["--headless=new", "--no-sandbox", "--no-first-run", "--window-size=800,600",
                  "--force-device-scale-factor=1", "--remote-debugging-port=0"];
const BY_OPENGL = ["--use-gl=angle", "--use-angle=gl-egl", "--ignore-gpu-blocklist"];

// Options of parseArgs() that all scripts have.
export const COMMON_OPTIONS = {
    valkyr: {type: "string", default: "build/release/bin/valkyr"},
    chromium: {type: "string", default: "chromium"},
    modules: {type: "string", default: "node_modules"},
    renderers: {type: "string", default: "valkyr,llvmpipe,swiftshader"},
    output: {type: "string", short: "o"},
    help: {type: "boolean", short: "h"},
};

// What runs Chromium, its arguments, and variables of the environment. A name with a colon has options of
// `valkyr run` behind it, as valkyr:--host,avx2.
export function rendererOf(name, valkyr) {
    const [base, options] = name.split(":");
    switch (base) {
    case "valkyr":
        return {command: [valkyr, "run", "--quiet", ...(options ? options.split(",") : []), "--"], flags: BY_OPENGL,
                environment: {}};
    case "llvmpipe":
        return {command: [], flags: BY_OPENGL, environment: {LIBGL_ALWAYS_SOFTWARE: "1", GALLIUM_DRIVER: "llvmpipe"}};
    case "swiftshader":
        return {command: [], flags: ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
                environment: {}};
    default: throw new UsageError(`unknown renderer '${name}'`);
    }
}

export class UsageError extends Error {}

// Serves the pages and, below /modules/, the packages of npm.
export function serve(modules) {
    const server = createServer((request, response) => {
        const name = path.posix.normalize(decodeURIComponent(new URL(request.url, "http://x").pathname));
        const file = name.startsWith("/modules/") ? path.join(modules, name.slice("/modules/".length))
                                                  : path.join(PAGES, name === "/" ? "index.html" : name);
        const stream = createReadStream(file);
        stream.on("error", () => response.writeHead(404).end());
        stream.on("open", () => {
            response.writeHead(200, {"content-type": TYPES[path.extname(file)] ?? "application/octet-stream"});
            stream.pipe(response);
        });
    });
    return new Promise(resolve => server.listen(0, "127.0.0.1", () => resolve(server)));
}

async function until(condition, seconds, what) {
    for (const end = Date.now() + seconds * 1000; Date.now() < end; await new Promise(r => setTimeout(r, 50))) {
        const value = condition();
        if (value)
            return value;
    }
    throw new Error(`${what} took longer than ${seconds} s`);
}

const open = new Set();
// A browser outlives a signal that ends this process, unless it is ended, too.
for (const signal of ["SIGINT", "SIGTERM"])
    process.on(signal, () => Promise.all([...open].map(browser => browser.close())).then(() => process.exit(1)));

// Chromium in a process group of its own, so that its end takes all of its processes along.
export class Browser {
    constructor(options, renderer) {
        open.add(this);
        const {command, flags, environment} = rendererOf(renderer, options.valkyr);
        this.profile = mkdtempSync(path.join(tmpdir(), "webgl-pages-"));
        const words = [...command, options.chromium, ...HEADLESS, ...flags, `--user-data-dir=${this.profile}`,
                       "about:blank"];
        this.messages = "";
        this.process = spawn(words[0], words.slice(1),
                             {env: {...process.env, ...environment}, stdio: ["ignore", "ignore", "pipe"], detached: true});
        this.process.on("error", error => { this.messages += error.message; });
        this.process.stderr.on("data", text => { this.messages = (this.messages + text).slice(-4000); });
    }

    async connect(playwright) {
        const file = path.join(this.profile, "DevToolsActivePort");
        const port = await until(() => {
            if (this.process.exitCode !== null || this.process.pid === undefined)
                throw new Error(`the browser ended: ${this.messages}`);
            return existsSync(file) && readFileSync(file, "utf8").split("\n")[0];
        }, 60, "the start of the browser");
        return playwright.chromium.connectOverCDP(`http://127.0.0.1:${port}`);
    }

    async close() {
        open.delete(this);
        try {
            process.kill(-this.process.pid, "SIGTERM");
            await until(() => this.process.exitCode !== null || this.process.signalCode !== null, 10, "the end");
        } catch {
            try { process.kill(-this.process.pid, "SIGKILL"); } catch { /* it is gone */ }
        }
        rmSync(this.profile, {recursive: true, force: true, maxRetries: 10, retryDelay: 200});
    }
}

// The package playwright-core of the folder of npm's modules.
export function loadPlaywright(modules) {
    return createRequire(path.join(path.resolve(modules), "x.js"))("playwright-core");
}

// Renderers of a list; commas within the options of one do not separate.
export function renderersOf(list, valkyr) {
    const renderers = list.split(/,(?=valkyr|llvmpipe|swiftshader)/);
    renderers.forEach(name => rendererOf(name, valkyr));
    return renderers;
}

// Fails if a package of npm is not in the folder.
export function wantModules(modules, names) {
    for (const name of names)
        if (!existsSync(path.join(modules, name)))
            throw new UsageError(`${path.join(modules, name)} is missing: npm install ${names.join(" ")}`);
}

// Runs main() and exits with its code, or with 1 or 2 after a message.
export async function runMain(name, main) {
    try {
        process.exit(await main());
    } catch (error) {
        console.error(`${name}: ${error.message}`);
        process.exit(error instanceof UsageError || error.code?.startsWith("ERR_PARSE_ARGS") ? 2 : 1);
    }
}

// The comment at the head of a script, without its first two lines and marks.
export function usage(url) {
    const lines = readFileSync(fileURLToPath(url), "utf8").split("\n").slice(1);
    return lines.slice(0, lines.findIndex(line => !line.startsWith("//")))
        .filter(line => !line.includes("SPDX")).map(line => line.replace(/^\/\/ ?/, "")).join("\n");
}
