/** Searches for the text keys that a page's modules use. */

const web = new URL("../../../Sources/Web/", import.meta.url);
/** A key built from a prefix, and perhaps a suffix. */
const built = /`((?:[\w-]+\.)+)\$\{[^{}`]*\}([\w.-]*)`/g;

/**
 * Returns the source of all modules in some folders, without the tables of texts.
 * @param {string[]} folders
 */
export function readModules(...folders) {
    /** @type {string[]} */
    const modules = [];
    /** @param {string} folder */
    const read = (folder) => {
        for (const { name, isDirectory } of Deno.readDirSync(new URL(folder, web))) {
            if (isDirectory && name !== "texts") read(`${folder}${name}/`);
            else if (name.endsWith(".js")) modules.push(Deno.readTextFileSync(new URL(folder + name, web)));
        }
    };
    for (const folder of folders) read(`${folder}/`);
    return modules;
}

/**
 * Returns the keys that no module uses, neither whole nor by prefix and suffix.
 * @param {string[]} keys
 * @param {string[]} modules
 */
export function unusedKeys(keys, modules) {
    const frames = modules.flatMap((module) => [...module.matchAll(built)]);
    return keys.filter(
        (key) =>
            !modules.some((module) => module.includes(`"${key}"`)) &&
            !frames.some(([, prefix, end]) => key.startsWith(prefix) && key.endsWith(end)),
    );
}

/**
 * Returns the keys that a module uses and a table lacks.
 * @param {Set<string>} keys
 * @param {string[]} modules
 */
export function missingKeys(keys, modules) {
    const said = modules.flatMap((module) => [...module.matchAll(/\b(?:say|parts)\(\s*"([^"]+)"/g)]);
    return [...new Set(said.map(([, key]) => key))].filter((key) => !keys.has(key));
}

/**
 * Returns the keys of the labels on buttons.
 * @param {string[]} modules
 */
export function buttonKeys(modules) {
    /** @type {Set<string>} */
    const keys = new Set();
    for (const module of modules) {
        for (const { 0: call, index } of module.matchAll(/\bh\(\s*"button",|\b(?:button|iconButton)\(|\blabel: /g)) {
            const parts = argumentsAt(module, index + (call.startsWith("h(") ? 2 : call.length));
            // The label follows the attributes in `h`, comes third in `iconButton`, and first elsewhere.
            const words = call.startsWith("h(") ? parts.slice(2) : [parts[call === "iconButton(" ? 2 : 0]];
            for (const word of words)
                for (const [, key] of word.matchAll(/"([\w-]+(?:\.[\w-]+)*)"/g))
                    if (/\b(?:say|parts)\(/.test(word) || (call !== "label: " && word.trim() === `"${key}"`))
                        keys.add(key);
        }
    }
    return keys;
}

/**
 * Returns the keys of the notices; a key may contain an expression.
 * @param {string[]} modules
 */
export const noticeKeys = (modules) =>
    new Set(
        modules.flatMap((module) =>
            [...module.matchAll(/\bnotify(?:Release)?\(\s*(?:context, )?[\w.]*say\(\s*["`]([^"`]+)/g)].map(
                ([, key]) => key,
            ),
        ),
    );

/**
 * Returns the arguments of a call.
 * @param {string} code
 * @param {number} start the offset after the opening parenthesis
 */
function argumentsAt(code, start) {
    /** @type {string[]} */
    const found = [];
    let depth = 0;
    let from = start;
    for (const { 0: token, index } of code.slice(start).matchAll(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|[()[\]{},]/g)) {
        const at = start + index;
        if ("([{".includes(token)) depth += 1;
        else if (depth === 0 && ",)]}".includes(token)) {
            found.push(code.slice(from, at));
            from = at + 1;
            if (token !== ",") break;
        } else if (")]}".includes(token)) depth -= 1;
    }
    return found;
}
