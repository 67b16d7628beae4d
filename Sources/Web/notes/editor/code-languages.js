/** The languages of code in fences. A language is loaded when a fence that names it is first parsed. */
import {
    codeModules,
    Decoration,
    HighlightStyle,
    highlightTree,
    ParseContext,
    parseMixed,
    StreamLanguage,
    syntaxTree,
    tags,
} from "codemirror";

import { fill, h } from "../../shared/dom.js";

/** @import { CodeParser, EditorState, Range, StreamParser } from "codemirror" */

/** The maximum length of a fence that is colored, and of all code in a preview, in UTF-16 units. */
const maxFence = 100_000;

/** @param {"css" | "go" | "html" | "java" | "json" | "sql" | "xml" | "yaml"} name */
const parserOf = (name) => async () => (await codeModules[name]()).parser;

/**
 * @template {keyof typeof codeModules} Name
 * @param {Name} name
 * @param {(module: Awaited<ReturnType<typeof codeModules[Name]>>) => StreamParser} pick
 */
const streamOf = (name, pick) => async () =>
    StreamLanguage.define(pick(/** @type {any} */ (await codeModules[name]()))).parser;

class CodeLanguage {
    /** @type {CodeParser | null} */
    #parser = null;
    /** @type {Promise<CodeParser> | null} */
    #loading = null;
    #load;

    /** @param {() => Promise<CodeParser>} load */
    constructor(load) {
        this.#load = load;
    }

    /** The parser, or one that waits for it. */
    get parser() {
        return this.#parser ?? ParseContext.getSkippingParser(this.load());
    }

    /** Loads the parser; after a failure the next call tries again. */
    load() {
        this.#loading ??= this.#load().then(
            (parser) => {
                this.#parser = parser;
                return parser;
            },
            (failure) => {
                this.#loading = null;
                throw failure;
            },
        );
        return this.#loading;
    }
}

/** The languages by the names that fences give them. @type {Map<string, CodeLanguage>} */
const languages = new Map();
for (const [names, load] of /** @type {[string, () => Promise<CodeParser>][]} */ ([
    ["c c++ cc cpp cxx h hpp objective-c objectivec objc", streamOf("clike", ({ objectiveCpp }) => objectiveCpp)],
    ["c# cs csharp", streamOf("clike", ({ csharp }) => csharp)],
    ["css", parserOf("css")],
    ["go golang", parserOf("go")],
    ["htm html xhtml", parserOf("html")],
    ["java", parserOf("java")],
    ["cjs javascript js mjs node", streamOf("javascript", ({ javascript }) => javascript)],
    ["json", parserOf("json")],
    ["kotlin kt kts", streamOf("clike", ({ kotlin }) => kotlin)],
    ["py python python3", streamOf("python", ({ mkPython }) => mkPython({}))],
    ["rb ruby", streamOf("ruby", ({ ruby }) => ruby)],
    ["bash console sh shell zsh", streamOf("shell", ({ shell }) => shell)],
    ["mysql postgres postgresql sql sqlite", parserOf("sql")],
    ["swift", streamOf("swift", ({ swift }) => swift)],
    [
        "cts mts ts typescript",
        streamOf("javascript", ({ mkJavaScript }) => mkJavaScript({ name: "typescript", typescript: true })),
    ],
    ["plist rss svg xml xsd xsl", parserOf("xml")],
    ["yaml yml", parserOf("yaml")],
])) {
    const language = new CodeLanguage(load);
    for (const name of names.split(" ")) languages.set(name, language);
}

/** Returns the language that the first word after a fence names. @param {string} info */
export const languageOf = (info) => languages.get(/^\S*/.exec(info.toLowerCase())?.[0] ?? "");

/** Parses code within fences. */
export const parseCode = parseMixed((node, input) => {
    if (node.name !== "FencedCode" || node.to - node.from > maxFence) return null;
    const info = node.node.getChild("CodeInfo");
    const language = info && languageOf(input.read(info.from, info.to));
    return language ? { parser: language.parser, overlay: ({ name }) => name === "CodeText" } : null;
});

const { definition, function: called, special, standard } = tags;
const colors = HighlightStyle.define([
    { class: "cm-code-comment", tag: [tags.comment, tags.meta] },
    { class: "cm-code-keyword", tag: [tags.keyword, tags.modifier] },
    { class: "cm-code-string", tag: [tags.string, tags.regexp, special(tags.string)] },
    { class: "cm-code-number", tag: [tags.literal, tags.atom, tags.bool, tags.null, tags.escape, tags.unit] },
    {
        class: "cm-code-name",
        tag: [
            called(tags.variableName),
            definition(tags.variableName),
            standard(tags.variableName),
            tags.className,
            tags.propertyName,
            tags.typeName,
        ],
    },
]);

/** @param {EditorState} state @param {{ from: number, to: number }} range */
export function codeColors(state, { from, to }) {
    /** @type {Range<Decoration>[]} */
    const found = [];
    const color = (/** @type {number} */ from, /** @type {number} */ to, /** @type {string} */ style) =>
        void found.push(Decoration.mark({ class: style }).range(from, to));
    highlightTree(syntaxTree(state), colors, color, from, to);
    return found;
}

/** Colors the code of a rendered note, as far as it is short enough. @param {Element} element */
export async function colorCode(element) {
    let length = 0;
    for (const code of element.querySelectorAll("[data-language]")) {
        const text = code.textContent ?? "";
        const parser = await languageOf(code.getAttribute("data-language") ?? "")?.load();
        length += text.length;
        if (length > maxFence) return;
        if (!parser) continue;
        let end = 0;
        /** @type {(string | Node)[]} */
        const parts = [];
        highlightTree(parser.parse(text), colors, (from, to, style) => {
            parts.push(text.slice(end, from), h("span", { class: style }, text.slice(from, to)));
            end = to;
        });
        fill(code, parts, text.slice(end));
    }
}
