#!/usr/bin/env node
// WebGL conformance: runs Khronos' tests of WebGL 1 in headless Chromium on Valkyr, llvmpipe and SwiftShader.
// SPDX-License-Identifier: MIT
//
// It needs Debian's chromium, and gl-conformance (the tests as modules) and playwright-core of npm in a folder:
//     npm install --prefix FOLDER gl-conformance playwright-core
//     tools/browser/webgl_conformance.mjs --modules FOLDER/node_modules [OPTIONS]
// Chromium checks most of the interface itself; the tests that draw show differences between renderers.
import {readdirSync, writeFileSync} from "node:fs";
import path from "node:path";
import {parseArgs} from "node:util";
import {
    Browser, COMMON_OPTIONS, loadPlaywright, renderersOf, runMain, serve, usage, UsageError, wantModules,
} from "./chromium.mjs";

const TESTS_A_PAGE = 25; // then a new page frees what the tests left
const PAGE_SECONDS = 60; // a test that blocks its page this long has hung it

function parse() {
    const {values} = parseArgs({options: {
        ...COMMON_OPTIONS,
        match: {type: "string", default: ""},
    }});
    if (values.help)
        return values;
    const renderers = renderersOf(values.renderers, values.valkyr);
    wantModules(values.modules, ["gl-conformance", "playwright-core"]);
    const tests = readdirSync(path.join(values.modules, "gl-conformance/node-test"))
        .filter(file => file.endsWith(".js") && file !== "index.js" && file.includes(values.match))
        .map(file => file.slice(0, -".js".length));
    if (tests.length === 0)
        throw new UsageError(`no test has '${values.match}' in its name`);
    return {...values, renderers, tests};
}

// A browser that is started again when a test has ended or hung it.
class Runner {
    constructor(options, playwright, address, renderer) {
        Object.assign(this, {options, playwright, address, renderer, browser: null, page: null, count: 0});
    }

    async newPage() {
        if (this.browser === null) {
            this.browser = new Browser(this.options, this.renderer);
            this.connection = await this.browser.connect(this.playwright);
        }
        await this.page?.close();
        this.page = await this.connection.contexts()[0].newPage();
        await this.page.goto(`${this.address}/conformance.html`);
    }

    async run(test) {
        let timer;
        try {
            if (this.page === null || this.count++ % TESTS_A_PAGE === 0)
                await this.newPage();
            const hung = new Promise((_, fail) => {
                timer = setTimeout(() => fail(new Error("the page hangs")), PAGE_SECONDS * 1000);
            });
            return await Promise.race([this.page.evaluate(name => window.runTest(name), test), hung]);
        } catch (error) {
            await this.close();
            return {result: "crash", message: error.message.split("\n")[0]};
        } finally {
            clearTimeout(timer);
        }
    }

    async close() {
        await this.browser?.close();
        this.browser = this.page = null;
    }
}

function print(options, results) {
    const kinds = ["pass", "fail", "error", "timeout", "crash"];
    console.log(`| renderer | ${kinds.join(" | ")} |`);
    console.log("|---|" + "---:|".repeat(kinds.length));
    for (const name of options.renderers) {
        const list = Object.values(results[name]);
        const counts = kinds.map(kind => list.filter(({result}) => result === kind).length);
        console.log(`| ${name} | ${counts.join(" | ")} |`);
    }
    const [first, ...peers] = options.renderers;
    const passes = (name, test) => results[name][test].result === "pass";
    const worse = options.tests.filter(test => !passes(first, test) && peers.some(name => passes(name, test)));
    for (const test of worse) {
        const {result, message} = results[first][test];
        console.log(`${first} ${result}: ${test} (passes on ${peers.filter(name => passes(name, test)).join(", ")}) ` +
                    message);
    }
    const better = peers.map(name => {
        const count = options.tests.filter(test => passes(first, test) && !passes(name, test)).length;
        return `${count} that ${name} does not pass`;
    });
    if (peers.length > 0)
        console.log(`${first} passes ${better.join(", ")}; ${worse.length} pass elsewhere and not on ${first}`);
    return worse.length === 0;
}

async function main() {
    const options = parse();
    if (options.help) {
        console.log(usage(import.meta.url));
        console.log(`
--valkyr FILE      the command (default build/release/bin/valkyr)
--chromium FILE    the browser (default chromium)
--renderers LIST   of valkyr, valkyr:OPTION,VALUE, llvmpipe, swiftshader (default all three)
--match TEXT       only tests with this text in their names
-o, --output FILE  results as JSON
Exit code 1: a test passes elsewhere and not on the first renderer.`);
        return 0;
    }
    const playwright = loadPlaywright(options.modules);
    const server = await serve(path.resolve(options.modules));
    const address = `http://127.0.0.1:${server.address().port}`;
    const results = {};
    for (const name of options.renderers) {
        const runner = new Runner(options, playwright, address, name);
        results[name] = {};
        for (const [number, test] of options.tests.entries()) {
            if (number % 50 === 0)
                process.stderr.write(`${name}: ${number} of ${options.tests.length}\n`);
            results[name][test] = await runner.run(test);
        }
        await runner.close();
    }
    server.close();
    if (options.output)
        writeFileSync(options.output, JSON.stringify(results, null, 1));
    return print(options, results) ? 0 : 1;
}

await runMain("webgl_conformance.mjs", main);
