import assert from "node:assert/strict";

const web = new URL("../../../Sources/Web/", import.meta.url);
const mostLines = 400;
/** The programs that are bundled from the folder of their name and from `shared`. */
const programs = ["console", "notes"];
/** The folders that a folder's modules may import, besides their own. Only `cycles` restricts the notes' views. */
const lower = {
    shared: [],
    client: [],
    "console/state": ["shared"],
    "console/texts": ["shared"],
    "console/controls": ["console/state", "shared"],
    "console/access": ["console/controls", "console/state", "console/texts", "shared"],
    "console/changes": ["console/controls", "console/state", "shared"],
    "console/entries": ["console/changes", "console/controls", "console/state", "shared"],
    "console/screens": [
        "console/entries",
        "console/changes",
        "console/controls",
        "console/state",
        "console/texts",
        "shared",
    ],
    "notes/attachments": ["notes/markdown", "notes/sync", "shared"],
    "notes/text": ["notes/markdown"],
    "notes/texts": ["shared"],
    "notes/markdown": ["shared"],
    "notes/sync": ["notes/text", "shared"],
    "notes/engine": ["notes/attachments", "notes/sync", "notes/text", "shared"],
    "notes/move": ["notes/attachments", "notes/markdown", "notes/sync", "shared"],
};

/** The texts of modules by their paths below `Sources/Web`. @typedef {Map<string, string>} Modules */

/** @param {string} [folder] @returns {Modules} */
function readModules(folder = "") {
    /** @type {Modules} */
    const modules = new Map();
    for (const { name, isDirectory } of Deno.readDirSync(new URL(folder || ".", web))) {
        if (isDirectory) for (const [path, text] of readModules(`${folder}${name}/`)) modules.set(path, text);
        else if (name.endsWith(".js")) modules.set(folder + name, Deno.readTextFileSync(new URL(folder + name, web)));
    }
    return modules;
}

/** Returns the modules that a module imports, statically or on demand, without type imports in comments. */
function importsOf(/** @type {string} */ path, /** @type {string} */ text) {
    const code = text.replace(/\/\*[\s\S]*?\*\//g, "");
    const pattern = /^(?:import|export)\b[^;"]*?"(\.[^"]+\.js)"|\bimport\(\s*"(\.[^"]+\.js)"/gm;
    return [...code.matchAll(pattern)].map(([, one, other]) =>
        new URL(one ?? other, `file:///${path}`).pathname.slice(1),
    );
}

/** Returns the modules loaded on demand that import CodeMirror, which is large. @param {Modules} modules */
function bringCodeMirror(modules) {
    const later = /\bimport\(\s*"(\.[^"]+\.js)"/g;
    const roots = new Set(["notes/main.js", "notes/sw.js", "notes/engine/worker.js"]);
    for (const [path, text] of modules)
        for (const [, one] of text.matchAll(later)) roots.add(new URL(one, `file:///${path}`).pathname.slice(1));
    /** @type {(path: string, seen: Set<string>) => boolean} */
    const isBrought = (path, seen) => {
        if (seen.has(path)) return false;
        seen.add(path);
        const text = (modules.get(path) ?? "").replace(later, "");
        if (/^(?:import|export)\b[^;"]*?"codemirror"/m.test(text.replace(/\/\*[\s\S]*?\*\//g, ""))) return true;
        return importsOf(path, text).some((one) => isBrought(one, seen));
    };
    return [...roots].filter((path) => isBrought(path, new Set())).sort();
}

/** Returns import cycles, each as the path from a module back to itself. @param {Modules} modules */
function cycles(modules) {
    /** @type {string[]} */
    const found = [];
    /** @type {Set<string>} */
    const done = new Set();
    const walk = (/** @type {string} */ path, /** @type {string[]} */ way) => {
        if (way.includes(path)) found.push([...way.slice(way.indexOf(path)), path].join(" → "));
        if (done.has(path)) return;
        done.add(path);
        for (const next of importsOf(path, modules.get(path) ?? "")) walk(next, [...way, path]);
    };
    for (const path of modules.keys()) walk(path, []);
    return found;
}

/** @param {Modules} modules */
function wrongImports(modules) {
    const folderOf = (/** @type {string} */ path) => path.slice(0, path.lastIndexOf("/"));
    return [...modules].flatMap(([path, text]) => {
        const folder = folderOf(path);
        const allowed = /** @type {Record<string, string[]>} */ (lower)[folder];
        if (!allowed) return [];
        const others = importsOf(path, text).filter((one) => ![folder, ...allowed].includes(folderOf(one)));
        return others.map((one) => `${path} imports ${one}`);
    });
}

/** Returns the names of files and classes that occur twice in one program. @param {Modules} modules */
function doubledNames(modules) {
    return programs.flatMap((program) => {
        /** @type {Map<string, string[]>} */
        const places = new Map();
        for (const [path, text] of modules) {
            if (!path.startsWith(`${program}/`) && !path.startsWith("shared/")) continue;
            const classes = [...text.matchAll(/^(?:export )?(?:default )?class (\w+)/gm)].map(
                ([, name]) => `class ${name}`,
            );
            for (const name of [path.slice(path.lastIndexOf("/") + 1), ...classes])
                places.set(name, [...(places.get(name) ?? []), path]);
        }
        return [...places]
            .filter(([, paths]) => paths.length > 1)
            .map(([name, paths]) => `${name}: ${paths.join(", ")}`);
    });
}

/** Returns the doc comments whose first word hides their subject. @param {Modules} modules */
function hiddenSubjects(modules) {
    const opening = /\/\*\*\s+(?:\*\s+)?(?:What|How|Whether|Where|Why|As|So|Of|Those|One|It|That|Who)\b[^\n]*/g;
    return [...modules].flatMap(([path, text]) => [...text.matchAll(opening)].map(([line]) => `${path}: ${line}`));
}

Deno.test("no module imports itself by way of others", () => assert.deepEqual(cycles(readModules()), []));

Deno.test("the lower folders import what is below them only", () => assert.deepEqual(wrongImports(readModules()), []));

Deno.test("no program has two files or two classes of one name", () =>
    assert.deepEqual(doubledNames(readModules()), []));

Deno.test(`no module has more than ${mostLines} lines`, () => {
    const long = [...readModules()].filter(([, text]) => text.split("\n").length - 1 > mostLines);
    assert.deepEqual(
        long.map(([path]) => path),
        [],
    );
});

Deno.test("every doc comment begins with a verb or a noun", () => {
    assert.deepEqual(hiddenSubjects(readModules()), []);
    const bad =
        "/** What a row is. */\n/**\n * Whether it is stale.\n */\n/** The row, whose text\n * How it is shown. */";
    assert.equal(hiddenSubjects(new Map([["a.js", bad]])).length, 2);
});

Deno.test("every import leads to a module that is there", () => {
    const modules = readModules();
    assert.ok(modules.size > 100);
    for (const [path, text] of modules)
        for (const one of importsOf(path, text)) assert.ok(modules.has(one), `${path} imports ${one}`);
});

Deno.test("CodeMirror is loaded with the editor, and with notes of Evernote and tags in texts that come in", () =>
    assert.deepEqual(bringCodeMirror(readModules()), [
        "notes/editor/editor.js",
        "notes/move/evernote.js",
        "notes/move/text-tags.js",
    ]));

Deno.test("circles, wrong imports and doubled names are found", () => {
    const modules = new Map([
        ["console/main.js", 'import "./frame.js";\nexport { a } from "./state/a.js";'],
        ["console/frame.js", 'const later = () =>\n    import("./screens/one.js");'],
        ["console/screens/one.js", 'import {\n    a,\n} from "../main.js";'],
        ["console/state/a.js", '/** @import { A } from "../frame.js" */\nimport { b } from "../frame.js";\nclass A {}'],
        ["shared/a.js", "export class A {}"],
        ["notes/a.js", '// import "./a.js" is no import\nclass A {}'],
    ]);
    assert.equal(cycles(modules).length, 1);
    assert.match(cycles(modules)[0], /main\.js → console\/frame\.js → console\/screens\/one\.js → console\/main\.js/);
    assert.deepEqual(wrongImports(modules), [
        "console/screens/one.js imports console/main.js",
        "console/state/a.js imports console/frame.js",
    ]);
    assert.deepEqual(doubledNames(modules), [
        "a.js: console/state/a.js, shared/a.js",
        "class A: console/state/a.js, shared/a.js",
        "a.js: shared/a.js, notes/a.js",
        "class A: shared/a.js, notes/a.js",
    ]);
});
