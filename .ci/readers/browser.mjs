// Opens pages in headless Chromium: is all mathematics to be seen, each word of it in
// one piece, does nothing scroll sideways on a telephone, is nothing complained of and
// nothing fetched? Does text keep within its drawing? What is to be seen first is that
// faults are: FAULTY has some.
// Usage: node browser.mjs [--within FOLDER] FILE.html… FILE.svg…
// With --within a page may load what lies in the folder, and may be without mathematics.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const WIDTHS = [400, 1000];

/// Run on the page. Everything is unfolded first.
const LOOK = `(() => {
    document.querySelectorAll("details").forEach((folded) => { folded.open = true; });
    const found = [];
    const seen = [...document.querySelectorAll("math")];
    const hidden = seen.filter((math) => { const box = math.getBoundingClientRect(); return !(box.width > 1 && box.height > 1); });
    if (hidden.length) found.push(hidden.length + " formulas have no size");
    const tokens = [...document.querySelectorAll("mi, mn, mo, mtext, ms")].filter((token) => token.textContent.trim());
    const sizes = () => tokens.map((token) => token.getBoundingClientRect());
    const boxes = sizes();
    const unseen = tokens.filter((token, i) => !(boxes[i].width > 0 && boxes[i].height > 0) || getComputedStyle(token).visibility !== "visible");
    if (unseen.length) found.push(unseen.length + " parts of formulas are not to be seen: " + unseen[0].textContent);
    // What may be reached by scrolling sideways is not cut; what lies above or below the box is.
    const cutOff = tokens.filter((token, i) => {
        const box = token.closest(".to, .found > li > span:first-child")?.getBoundingClientRect();
        return box && box.height > 0 && (boxes[i].top < box.top - 1 || boxes[i].bottom > box.bottom + 1);
    });
    if (cutOff.length) found.push(cutOff.length + " parts of formulas are cut off: " + cutOff[0].textContent);
    const root = document.documentElement;
    for (const drawing of document.querySelectorAll("svg")) {
        const page = drawing.getBoundingClientRect();
        const out = (box) => box.left < page.left - 1 || box.right > page.right + 1 || box.bottom > page.bottom + 1;
        const cut = [...drawing.querySelectorAll("text")].filter((text) => out(text.getBoundingClientRect()));
        if (cut.length) found.push("text leaves the drawing: " + cut[0].textContent);
    }
    if (root.scrollWidth > root.clientWidth) found.push("scrolls sideways: " + root.scrollWidth + " > " + root.clientWidth);
    const outside = [...document.querySelectorAll(".chainrule .why:not(:empty)")].filter((why) => why.getBoundingClientRect().right > root.clientWidth + 1);
    if (outside.length) found.push(outside.length + " reasons stand beside the page");
    if (document.querySelector("merror")) found.push("a formula is in error");
    // A word that is broken has another size where nothing may break. Where there is room nothing breaks.
    if (tokens.length && root.clientWidth <= ${WIDTHS[0]}) {
        const unbroken = document.createElement("style");
        unbroken.textContent = "math, math * { white-space: nowrap !important; overflow-wrap: normal !important; word-break: normal !important; hyphens: none !important; }";
        document.head.append(unbroken);
        const apart = (a, b) => Math.abs(a - b) > 0.5;
        const broken = sizes().flatMap((box, i) => (apart(box.width, boxes[i].width) || apart(box.height, boxes[i].height) ? [tokens[i]] : []));
        if (broken.length) found.push(broken.length + " words of formulas are broken: " + broken[0].textContent);
    }
    return { found, formulas: seen.length, drawn: seen.length > 0 || document.querySelector("svg") !== null };
})()`;

/// Pages with a fault, and what has to be said of it.
const FAULTY = [
    [`<!DOCTYPE html><div style="display: grid; grid-template-columns: minmax(0, 3em); overflow-wrap: anywhere"><span><math><mi>anamethatislong</mi></math></span></div>`, "are broken"],
    [`<math><mi style="visibility: hidden">x</mi><mi>y</mi></math>`, "are not to be seen"],
    [`<div class="to" style="height: 0.5em; overflow: hidden"><math><mfrac><mi>x</mi><mi>y</mi></mfrac></math></div>`, "are cut off"],
];

const files = process.argv.slice(2);
const within = files[0] === "--within" ? pathToFileURL(resolve(files.splice(0, 2)[1])).href + "/" : undefined;
const profile = mkdtempSync(join(tmpdir(), "browser-"));
const options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps",
    "--host-resolver-rules=MAP * ~NOTFOUND", `--user-data-dir=${profile}`, "--remote-debugging-pipe", "about:blank"];
const browser = spawn("chromium", options, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
const waiting = new Map();
let heard = () => {};
let rest = "";
let last = 0;
browser.stdio[4].on("data", (bytes) => {
    const messages = (rest + bytes).split("\0");
    rest = messages.pop();
    for (const message of messages.map((text) => JSON.parse(text))) {
        const done = waiting.get(message.id);
        if (done) {
            waiting.delete(message.id);
            done(message);
        } else {
            heard(message);
        }
    }
});

function ask(method, params = {}, sessionId) {
    last += 1;
    browser.stdio[3].write(`${JSON.stringify({ id: last, method, params, sessionId })}\0`);
    return new Promise((done, fail) => waiting.set(last, ({ result, error }) => (error ? fail(new Error(`${method}: ${error.message}`)) : done(result))));
}

/// May the page load this?
function allowed(wanted, url) {
    return wanted === url || within !== undefined && (wanted.startsWith(within) || wanted.startsWith("data:"));
}

const { targetId } = await ask("Target.createTarget", { url: "about:blank" });
const { sessionId } = await ask("Target.attachToTarget", { targetId, flatten: true });
const page = (method, params) => ask(method, params, sessionId);
for (const domain of ["Page", "Runtime", "Log", "Network"]) await page(`${domain}.enable`);

async function look() {
    const { result, exceptionDetails } = await page("Runtime.evaluate", { expression: LOOK, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
}

const wide = (width) => page("Emulation.setDeviceMetricsOverride", { width, height: 900, deviceScaleFactor: 1, mobile: false });

const count = { formulas: 0, faults: 0 };
await wide(WIDTHS[0]);
for (const [body, says] of FAULTY) {
    const loaded = new Promise((done) => { heard = ({ method }) => { if (method === "Page.loadEventFired") done(); }; });
    await page("Page.navigate", { url: `data:text/html,${encodeURIComponent(body)}` });
    await loaded;
    const { found } = await look();
    if (!found.some((fault) => fault.includes(says))) {
        count.faults += 1;
        console.error(`the reader does not see that parts of formulas ${says}: ${body}`);
    }
}
for (const file of files) {
    const url = pathToFileURL(resolve(file)).href;
    for (const width of WIDTHS) {
        const faults = [];
        await wide(width);
        const loaded = new Promise((done) => {
            heard = ({ method, params }) => {
                if (method === "Page.loadEventFired") done();
                if (method === "Runtime.exceptionThrown") faults.push(params.exceptionDetails.text);
                if (method === "Runtime.consoleAPICalled") faults.push(`says ${params.type} to the console`);
                if (method === "Log.entryAdded") faults.push(params.entry.text);
                if (method === "Network.requestWillBeSent" && !allowed(params.request.url, url)) faults.push(`fetches ${params.request.url}`);
            };
        });
        await page("Page.navigate", { url });
        await loaded;
        const { found, formulas, drawn } = await look();
        faults.push(...found);
        if (!within && !drawn) faults.push("there is no mathematics");
        count.formulas += formulas;
        count.faults += faults.length;
        for (const fault of faults) console.error(`${basename(file)} at ${width} px: ${fault}`);
    }
}
browser.kill();
await new Promise((done) => browser.on("exit", done));
rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
console.log(`Chromium: ${count.formulas / WIDTHS.length} formulas in ${files.length} pages, ${count.faults} faults`);
process.exit(count.faults || !files.length ? 1 : 0);
