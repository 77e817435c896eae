#!/usr/bin/env node
// WebGL pages: draws three.js scenes in headless Chromium on Valkyr, llvmpipe and SwiftShader, and compares them.
// SPDX-License-Identifier: MIT
//
// It needs Debian's chromium, and three and playwright-core of npm in a folder:
//     npm install --prefix FOLDER three playwright-core
//     tools/browser/webgl_pages.mjs --modules FOLDER/node_modules [OPTIONS]
import {mkdirSync, readFileSync, writeFileSync} from "node:fs";
import path from "node:path";
import {parseArgs} from "node:util";
import {
    Browser, COMMON_OPTIONS, loadPlaywright, renderersOf, runMain, serve, usage, UsageError, wantModules,
} from "./chromium.mjs";

const SCENES = ["pbr", "shadows", "instances", "post", "uploads"];

function parse() {
    const {values} = parseArgs({options: {
        ...COMMON_OPTIONS,
        scenes: {type: "string", default: SCENES.join(",")},
        seconds: {type: "string", default: "3"},
        rounds: {type: "string", default: "3"},
        hashes: {type: "string"},
    }});
    if (values.help)
        return values;
    const numbers = {seconds: Number(values.seconds), rounds: Number(values.rounds)};
    if (!(numbers.seconds > 0 && numbers.rounds >= 1))
        throw new UsageError("--seconds and --rounds are positive numbers");
    const renderers = renderersOf(values.renderers, values.valkyr);
    const scenes = values.scenes.split(",");
    for (const scene of scenes)
        if (!SCENES.includes(scene))
            throw new UsageError(`unknown scene '${scene}'; there are ${SCENES.join(", ")}`);
    wantModules(values.modules, ["three", "playwright-core"]);
    const expected = values.hashes && readHashes(values.hashes, scenes);
    return {...values, ...numbers, renderers, scenes, expected};
}

// A file of hashes: lines of a scene and its hashes, and comments after #. Returns {scene: "HASH HASH ..."}.
function readHashes(file, scenes) {
    const hashes = {};
    readFileSync(file, "utf8").split("\n").forEach((line, i) => {
        const words = line.replace(/#.*/, "").trim().split(/\s+/);
        if (words[0] === "")
            return;
        if (words.length < 2 || !words.slice(1).every(word => /^[0-9a-f]{16}$/.test(word)))
            throw new UsageError(`${file}:${i + 1}: a line has a scene and hashes of 16 digits`);
        hashes[words[0]] = words.slice(1).join(" ");
    });
    for (const scene of scenes)
        if (!(scene in hashes))
            throw new UsageError(`${file} has no hashes of ${scene}`);
    return hashes;
}

// One scene in a browser of its own: what measure() of the page returns.
async function measure(options, playwright, address, renderer, scene, picture) {
    const browser = new Browser(options, renderer);
    try {
        const connection = await browser.connect(playwright);
        const page = await connection.contexts()[0].newPage();
        await page.setViewportSize({width: 800, height: 600});
        await page.goto(`${address}/?scene=${scene}`);
        await page.waitForFunction("window.measure !== undefined");
        const result = await page.evaluate(seconds => window.measure(seconds), options.seconds);
        if (picture)
            await page.screenshot({path: picture});
        await connection.close();
        return result;
    } finally {
        await browser.close();
    }
}

const median = values => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const geometricMean = values => Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

// Prints a table: a row for each scene, columns for each renderer, ratios of the first renderer to the others.
function print(options, results) {
    const [first, ...peers] = options.renderers;
    console.log(`| scene | ${options.renderers.map(name => `${name}: first frame, ms | frames/s`).join(" | ")}` +
                peers.map(name => ` | of ${name}`).join("") + " |");
    console.log("|---|" + "---:|".repeat(2 * options.renderers.length + peers.length));
    const ratios = peers.map(() => []);
    for (const scene of options.scenes) {
        const rate = name => median(results[name][scene].map(result => result.rate));
        const cells = options.renderers.map(name => {
            const start = median(results[name][scene].map(result => result.first));
            return `${start.toFixed(0)} | ${rate(name).toFixed(1)}`;
        });
        peers.forEach((name, i) => ratios[i].push(rate(first) / rate(name)));
        console.log(`| ${scene} | ${cells.join(" | ")}${ratios.map(r => ` | ${r.at(-1).toFixed(2)}`).join("")} |`);
    }
    peers.forEach((name, i) =>
        console.log(`${first} has ${geometricMean(ratios[i]).toFixed(2)} times the rate of ${name} (geometric mean)`));
}

const isOurs = name => name.startsWith("valkyr");
const hashesOf = result => result.hashes.join(" ");

// Prints the hashes of each scene by renderer; returns false if those of one renderer, or of two that are Valkyr,
// differ, or if Valkyr's are not the expected ones.
function printHashes(options, results) {
    let good = true;
    const ours = options.renderers.filter(isOurs);
    for (const scene of options.scenes) {
        const hashes = name => new Set(results[name][scene].map(hashesOf));
        for (const name of options.renderers)
            console.log(`${scene}, ${name}: ${[...hashes(name)].join(" / ")}`);
        const pictures = new Set(ours.flatMap(name => [...hashes(name)]));
        good &&= pictures.size <= 1;
        if (options.expected && ours.length > 0 && !pictures.has(options.expected[scene])) {
            console.log(`${scene}, ${options.hashes}: ${options.expected[scene]}`);
            good = false;
        }
        for (const name of ours)
            for (const result of results[name][scene])
                if (result.error !== 0 || !/virgl/i.test(result.renderer)) {
                    console.log(`${scene}, ${name}: OpenGL error ${result.error}, drawn by ${result.renderer}`);
                    good = false;
                }
    }
    const all = options.expected ? "in all rounds, those of the file" : "in all rounds";
    console.log(good ? `Valkyr's pictures have the same bits ${all}` : "Valkyr's pictures differ, or failed");
    return good;
}

async function main() {
    const options = parse();
    if (options.help) {
        console.log(usage(import.meta.url));
        console.log(`
--valkyr FILE        the command (default build/release/bin/valkyr)
--chromium FILE      the browser (default chromium)
--renderers LIST     of valkyr, valkyr:OPTION,VALUE, llvmpipe, swiftshader (default all three); the first is
                     compared with the others
--scenes LIST        of ${SCENES.join(", ")} (default all)
--seconds N          each scene is drawn so long (default 3)
--rounds N           in so many browsers, the renderers in turn (default 3); medians are printed
--hashes FILE        Valkyr's pictures must have these hashes, as docs/results/webgl_hashes.txt
-o, --output FOLDER  screenshots as SCENE-RENDERER.png, results as results.json`);
        return 0;
    }
    const playwright = loadPlaywright(options.modules);
    const server = await serve(path.resolve(options.modules));
    const address = `http://127.0.0.1:${server.address().port}`;
    if (options.output)
        mkdirSync(options.output, {recursive: true});
    const results = Object.fromEntries(
        options.renderers.map(name => [name, Object.fromEntries(options.scenes.map(scene => [scene, []]))]));
    for (let round = 0; round < options.rounds; round++)
        for (const scene of options.scenes)
            for (const name of options.renderers) {
                const picture = options.output && round === 0 &&
                    path.join(options.output, `${scene}-${name.replace(/[^a-z0-9]+/gi, "_")}.png`);
                process.stderr.write(`round ${round + 1}: ${scene} on ${name}\n`);
                results[name][scene].push(await measure(options, playwright, address, name, scene, picture));
            }
    server.close();
    if (options.output)
        writeFileSync(path.join(options.output, "results.json"), JSON.stringify(results, null, 1));
    print(options, results);
    return printHashes(options, results) ? 0 : 1;
}

await runMain("webgl_pages.mjs", main);
