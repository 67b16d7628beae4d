import assert from "node:assert/strict";

const web = new URL("../../../Sources/Web/", import.meta.url);
/** The steps of space and type of `shared/base.css`, in pixels. */
const steps = { space: [4, 8, 12, 16, 24, 32, 48], type: [12, 13, 14, 16, 20, 28] };
const tokens = {
    space: ["hair", "gap", "space", "wide", "broad", "deep", "vast"],
    type: ["tiny", "small", "body", "large", "title", "display"],
};
/** The declarations that need another length, by their style sheet. @type {Record<string, string[]>} */
const exceptions = {
    // Text within a text of any size is in proportion to it.
    "shared/base.css": ["font-family: system-ui, sans-serif", "font-size: 0.925em", "font-size: 0.8em"],
    // A field has the size of the surrounding text, and at least the size that a phone does not zoom into.
    "shared/controls.css": ["font-size: max(1em, var(--typed))"],
    // The parts of one bar need a border, not a space.
    "console/flags.css": ["gap: 2px"],
};

/** Returns the texts of the style sheets of the console, the notes and their shared ones, by path. */
function readSheets() {
    /** @type {Map<string, string>} */
    const sheets = new Map();
    const read = (/** @type {string} */ folder) => {
        for (const { name, isDirectory } of Deno.readDirSync(new URL(folder, web))) {
            if (isDirectory) read(`${folder}${name}/`);
            else if (name.endsWith(".css"))
                sheets.set(folder + name, Deno.readTextFileSync(new URL(folder + name, web)));
        }
    };
    for (const folder of ["console/", "notes/", "shared/"]) read(folder);
    return sheets;
}

/** Returns the declarations of a style sheet, each as "property: value". @param {string} css */
const declarations = (css) =>
    [...css.replace(/\/\*[\s\S]*?\*\//g, "").matchAll(/([\w-]+):\s*([^;{}]+);/g)].map(
        ([, property, value]) => `${property}: ${value.replace(/\s+/g, " ")}`,
    );

/** Returns the declarations of spaces and type that are not made of tokens. @param {string} css */
function withoutTokens(css) {
    const length = /^(?:margin|padding|gap|row-gap|column-gap|font-size)[\w-]*:.*\d(?:px|r?em|ch|pt)\b/;
    const weight = /^font-weight: (?!400$|600$)/;
    const family = /^font-family: (?!inherit$|var\(--mono\))/;
    return declarations(css).filter((one) => [length, weight, family].some((wrong) => wrong.test(one)));
}

Deno.test("the tokens of space and type have the steps of the design", () => {
    const css = declarations(readSheets().get("shared/base.css") ?? "");
    for (const kind of /** @type {const} */ (["space", "type"])) {
        const rems = tokens[kind].map((name) => css.find((one) => one.startsWith(`--${name}: `))?.split(": ")[1]);
        assert.deepEqual(
            rems,
            steps[kind].map((pixels) => `${pixels / 16}rem`),
        );
    }
});

Deno.test("spaces, type sizes, weights and families are made of tokens", () => {
    const sheets = readSheets();
    assert.ok(sheets.size > 25);
    const found = [...sheets].flatMap(([path, css]) =>
        withoutTokens(css)
            .filter((one) => !exceptions[path]?.includes(one))
            .map((one) => `${path}: ${one}; use a token of shared/base.css`),
    );
    assert.deepEqual(found, []);
    for (const [path, expected] of Object.entries(exceptions))
        assert.deepEqual(withoutTokens(sheets.get(path) ?? "").sort(), [...expected].sort());
});

Deno.test("lengths without a token are found, and those of tokens are not", () => {
    const wrong = [
        "margin: -0.25rem 0",
        "padding-inline-end: 5rem",
        "gap: calc(2px + var(--gap))",
        "font-weight: 550",
        "font-family: serif",
    ];
    const right = ["margin: 9vh auto var(--vast)", "padding: 0 calc(2 * var(--gap))", "font-size: 50%", "width: 3rem"];
    assert.deepEqual(
        withoutTokens(`/* gap: 3px; */ a { ${[...wrong, ...right].map((one) => `${one};`).join(" ")} }`),
        wrong,
    );
});
