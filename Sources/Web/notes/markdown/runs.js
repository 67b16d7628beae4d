/** Makes paragraphs of formatted runs of text, and one line of blocks. */

/** @import { Block, Blocks, Inline, Inlines } from "./nodes.js" */

/**
 * The formatting of a run; `href` is the address of a link, or "".
 * @typedef {{ strong: boolean, emphasis: boolean, strike: boolean, code: boolean, href: string }} Format
 */
/** @typedef {{ kind: "text" | "break" | "image", text: string, target?: string, format: Format }} Run */
/** @typedef {"href" | "emphasis" | "strong" | "strike"} Mark */

/** @type {Format} */
export const unformatted = { strong: false, emphasis: false, strike: false, code: false, href: "" };

/** @type {Mark[]} */
const marks = ["href", "emphasis", "strong", "strike"];

/**
 * Returns the paragraphs of runs. A blank line separates paragraphs.
 * @param {Run[]} runs
 * @returns {Inlines[]}
 */
export function paragraphsOf(runs) {
    /** @type {Run[][]} */
    const paragraphs = [[]];
    let breaks = 0;
    for (const run of collapsed(runs)) {
        if (run.kind === "break") breaks += 1;
        else {
            const last = paragraphs[paragraphs.length - 1];
            if (breaks > 1 && last.length > 0) paragraphs.push([run]);
            else if (breaks > 0 && last.length > 0) last.push({ ...run, kind: "break" }, run);
            else last.push(run);
            breaks = 0;
        }
    }
    return paragraphs.filter((each) => each.length > 0).map((each) => nested(merged(withPlainSpaces(each)), marks));
}

/** Replaces white space by single spaces, and removes it at the edges of lines. @param {Run[]} runs */
function collapsed(runs) {
    /** @type {Run[]} */
    const found = [];
    const trimEnd = () => {
        const last = found[found.length - 1];
        if (last?.kind !== "text") return;
        last.text = last.text.trimEnd();
        if (last.text === "") found.pop();
    };
    /** @type {boolean} */
    let isEdge = true;
    for (const run of runs) {
        if (run.kind === "text") {
            const text = run.text.replace(/[\u200b\ufeff]/g, "").replace(/\s+/g, " ");
            /** @type {string} */
            const kept = isEdge ? text.trimStart() : text;
            if (kept === "") continue;
            found.push({ ...run, text: kept });
            isEdge = kept.endsWith(" ");
        } else {
            if (run.kind === "break") trimEnd();
            found.push(run);
            isEdge = run.kind === "break";
        }
    }
    trimEnd();
    return found;
}

/** Formats spaces and breaks between runs only if the runs on both sides have that format. @param {Run[]} runs */
function withPlainSpaces(runs) {
    const parts = runs.flatMap((run) => {
        if (run.kind !== "text") return [run];
        const [, before, words, after] = /** @type {string[]} */ (/^( ?)(.*?)( ?)$/s.exec(run.text));
        return [before, words, after].filter((text) => text !== "").map((text) => ({ ...run, text }));
    });
    const isSpace = (/** @type {Run | undefined} */ run) => run?.kind === "break" || run?.text === " ";
    return parts.map((run, index) => {
        if (!isSpace(run)) return run;
        const [one, other] = [parts[index - 1], parts[index + 1]];
        return { ...run, format: one && other ? common(one.format, other.format) : unformatted };
    });
}

/** @param {Format} one @param {Format} other @returns {Format} */
const common = (one, other) => ({
    strong: one.strong && other.strong,
    emphasis: one.emphasis && other.emphasis,
    strike: one.strike && other.strike,
    code: one.code && other.code,
    href: one.href === other.href ? one.href : "",
});

/** Joins neighbours of one format. @param {Run[]} runs */
function merged(runs) {
    /** @type {Run[]} */
    const found = [];
    for (const run of runs) {
        const last = found[found.length - 1];
        if (last?.kind === "text" && run.kind === "text" && isSame(last.format, run.format)) last.text += run.text;
        else found.push({ ...run });
    }
    return found;
}

/** @param {Format} one @param {Format} other */
const isSame = (one, other) => one.code === other.code && marks.every((mark) => one[mark] === other[mark]);

/**
 * Nests the marks, the one that reaches farthest outermost.
 * @param {Run[]} runs
 * @param {Mark[]} left the marks that are not yet nodes
 * @returns {Inlines}
 */
function nested(runs, left) {
    /** @type {Inlines} */
    const nodes = [];
    for (let at = 0; at < runs.length; ) {
        const { format } = runs[at];
        /** @type {Mark | null} */
        let outer = null;
        let end = at + 1;
        for (const mark of left) {
            if (!format[mark]) continue;
            let to = at + 1;
            while (to < runs.length && runs[to].format[mark] === format[mark]) to += 1;
            if (!outer || to > end) [outer, end] = [mark, to];
        }
        if (outer) nodes.push(marked(outer, format.href, nested(runs.slice(at, end), without(left, outer))));
        else nodes.push(leaf(runs[at]));
        at = end;
    }
    return nodes;
}

/** @param {Mark[]} all @param {Mark} mark */
const without = (all, mark) => all.filter((each) => each !== mark);

/** @param {Mark} mark @param {string} target @param {Inlines} content @returns {Inline} */
const marked = (mark, target, content) =>
    mark === "href" ? { kind: "link", target, title: "", content } : { kind: mark, content };

/** @param {Run} run @returns {Inline} */
function leaf({ kind, text, target = "", format }) {
    if (kind === "break") return { kind, hard: true };
    if (kind === "image") return { kind, target, title: "", description: text };
    return format.code ? { kind: "code", text } : { kind, text };
}

/** Returns the text of blocks on one line. @param {Blocks} blocks @returns {Inlines} */
export function onOneLine(blocks) {
    return blocks.flatMap((block, index) => {
        /** @type {Inline[]} */
        const space = index > 0 ? [{ kind: "text", text: " " }] : [];
        return [...space, ...contentOf(block)];
    });
}

/** @param {Block} block @returns {Inlines} */
function contentOf(block) {
    switch (block.kind) {
        case "paragraph":
        case "heading":
            return block.content;
        case "code":
            return [{ kind: "code", text: block.text.trim().replace(/\s+/g, " ") }];
        case "quote":
            return onOneLine(block.blocks);
        case "list":
            return onOneLine(block.items.flatMap((item) => item.blocks));
        case "table":
            return onOneLine([block.head, ...block.rows].flat().map((content) => ({ kind: "paragraph", content })));
        case "rule":
            return [];
    }
}
