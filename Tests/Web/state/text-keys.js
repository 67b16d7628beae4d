/** Where the modules of a page name the keys of its texts. */

const web = new URL("../../../Sources/Web/", import.meta.url);
/** A key that is built of a prefix, and perhaps of an end. */
const built = /`((?:[\w-]+\.)+)\$\{[^{}`]*\}([\w.-]*)`/g;

/**
 * The texts of the modules of some folders, without the tables.
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
 * The keys that no module names, neither whole nor by what they begin and end with.
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
 * The keys that a module says and a table does not have.
 * @param {Set<string>} keys
 * @param {string[]} modules
 */
export function missingKeys(keys, modules) {
    const said = modules.flatMap((module) => [...module.matchAll(/\b(?:say|parts)\(\s*"([^"]+)"/g)]);
    return [...new Set(said.map(([, key]) => key))].filter((key) => !keys.has(key));
}

/**
 * The keys of what stands on buttons.
 * @param {string[]} modules
 */
export function buttonKeys(modules) {
    /** @type {Set<string>} */
    const keys = new Set();
    for (const module of modules) {
        for (const { 0: call, index } of module.matchAll(/\bh\(\s*"button",|\b(?:button|iconButton)\(/g)) {
            const parts = argumentsAt(module, index + call.indexOf("(") + 1);
            // Words follow the attributes of an element, come first in a button of the console, and third in one with an icon.
            const words = call.startsWith("h(") ? parts.slice(2) : call === "button(" ? parts.slice(0, 1) : [parts[2]];
            for (const word of words)
                for (const [, key] of word.matchAll(/"([\w-]+(?:\.[\w-]+)*)"/g))
                    if (/\bsay\(/.test(word) || word.trim() === `"${key}"`) keys.add(key);
        }
    }
    return keys;
}

/**
 * The arguments of a call.
 * @param {string} code
 * @param {number} start the place behind the parenthesis
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
