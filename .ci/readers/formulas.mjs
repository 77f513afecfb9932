// Parses every formula of .tex and .md files with KaTeX, which forgives nothing, and
// with MathJax as it comes.
// Usage: node formulas.mjs MODULES FILE…
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename } from "node:path";

const [modules, ...files] = process.argv.slice(2);
const from = createRequire(`${modules}/`);
const katex = from("katex");
const markdown = from("markdown-it")("commonmark").enable("table");
const mathjax = startMathJax();
const refusals = new Map();

const count = { formulas: 0, faults: 0 };
for (const file of files) {
    const text = readFileSync(file, "utf8");
    for (const [formula, display] of file.endsWith(".md") ? ofMarkdown(text, file) : ofLatex(text)) {
        count.formulas += 1;
        const told = refusal(formula, display);
        if (told) fault(file, told);
    }
}
console.log(`KaTeX and MathJax: ${count.formulas} formulas, ${refusals.size} different, in ${files.length} files, ${count.faults} faults`);
process.exit(count.faults || !count.formulas ? 1 : 0);

/// What a reader says against a formula; each formula is read once, however many pages have it.
function refusal(formula, display) {
    const key = `${display}${formula}`;
    if (!refusals.has(key)) {
        let told;
        try {
            katex.renderToString(formula, { displayMode: display, strict: "error", throwOnError: true });
            mathjax.convert(formula, { display });
        } catch (error) {
            told = `${error.message}\n${formula}`;
        }
        refusals.set(key, told);
    }
    return refusals.get(key);
}

/// What a page with MathJax loads, or loads where it meets the command.
function startMathJax() {
    const part = (path) => from(`mathjax-full/js/${path}.js`);
    part("input/tex/AllPackages");
    part("handlers/html").RegisterHTMLHandler(part("adaptors/liteAdaptor").liteAdaptor());
    const packages = ["base", "ams", "boldsymbol"];
    const refuse = (_, error) => { throw error; };
    const InputJax = new (part("input/tex").TeX)({ packages, formatError: refuse });
    return part("mathjax").mathjax.document("", { InputJax, OutputJax: new (part("output/chtml").CHTML)() });
}

function fault(file, says) {
    count.faults += 1;
    console.error(`${basename(file)}: ${says}`);
}

/// Formulas between dollar signs and in align*.
function* ofLatex(text) {
    const outside = text.replace(/\\begin\{verbatim\}[\s\S]*?\\end\{verbatim\}/g, "");
    const pattern = /\\begin\{align\*\}[\s\S]*?\\end\{align\*\}|(?<!\\)\$((?:[^$\\]|\\.)+)\$/g;
    for (const found of outside.matchAll(pattern)) {
        yield found[1] === undefined ? [found[0], true] : [found[1], false];
    }
}

/// Formulas between two dollar signs: as they stand, and as they are left when
/// everything has been read as Markdown first. Both must be the same.
function* ofMarkdown(text, file) {
    const between = (all) => [...all.matchAll(/\$\$([\s\S]*?)\$\$/g)].map((found) => found[1].trim());
    const words = markdown.render(text).replace(/<pre>[\s\S]*?<\/pre>|<code>[\s\S]*?<\/code>/g, "");
    const read = between(words.replace(/<[^>]*>/g, "").replace(/&(lt|gt|amp|quot);/g, (_, name) => ({ lt: "<", gt: ">", amp: "&", quot: '"' })[name]));
    const written = between(text);
    if (JSON.stringify(read) !== JSON.stringify(written)) {
        fault(file, `Markdown changes a formula:\n${read.find((one, i) => one !== written[i])}`);
    }
    for (const formula of written) yield [formula, true];
}
