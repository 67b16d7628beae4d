/** Converts the inline syntax of a Markdown block to nodes. */

import { addressTarget } from "./bare-links.js";
import { decoded, normalized } from "./decoding.js";

/** @import { SyntaxNode } from "codemirror" */
/** @import { Inlines } from "./nodes.js" */

/** @typedef {{ target: string, title: string }} LinkTarget the target of a link */
/**
 * A text with the targets of its labels. `bareLinks` turns addresses in the text into links; in a cell of a table, pipes
 * are escaped everywhere.
 * @typedef {{ text: string, references: Map<string, LinkTarget>, bareLinks: boolean, isCell?: boolean }} Source
 */

/** The maximum depth of emphasis; deeper emphasis stays text, which protects renderers that recurse. */
const maxDepth = 64;

/** @type {Record<string, "emphasis" | "strong" | "strike">} */
const styles = { Emphasis: "emphasis", StrongEmphasis: "strong", Strikethrough: "strike" };

/** Parses the text of a block, without the marks around it. @param {Source} source @param {SyntaxNode} node */
export function content(source, node) {
    let { from, to } = node;
    for (const mark of [...node.getChildren("HeaderMark"), ...node.getChildren("TaskMarker")]) {
        if (mark.from === node.from) from = mark.to;
        else to = mark.from;
    }
    const text = source.text.slice(from, to);
    const start = from + text.length - text.trimStart().length;
    return inlines(source, node, start, Math.max(start, from + text.trimEnd().length));
}

/**
 * Returns the target of a link or a definition.
 * @param {Pick<string, "slice">} text
 * @param {SyntaxNode} node
 * @param {number} from the first offset at which the target may begin
 */
export function linkTarget(text, node, from) {
    const part = (/** @type {string} */ name) => {
        const found = node.getChildren(name).find((child) => child.from >= from);
        return found ? text.slice(found.from, found.to) : "";
    };
    return { target: decoded(part("URL").replace(/^<(.*)>$/, "$1")), title: decoded(part("LinkTitle").slice(1, -1)) };
}

/**
 * Returns the target of a link, an image, or an address in the text.
 * @param {Pick<string, "slice">} text
 * @param {SyntaxNode} node
 */
export function targetOf(text, node) {
    if (node.name === "Link" || node.name === "Image") return linkTarget(text, node, inside(node).to).target;
    return addressTarget(text.slice(node.from, node.to).replace(/^<|>$/g, ""));
}

/**
 * @param {Source} source
 * @param {SyntaxNode} node
 * @param {number} from
 * @param {number} to
 * @param {number} [depth] the depth of the surrounding emphasis
 * @param {Inlines} [found] receives the nodes
 */
function inlines(source, node, from, to, depth = 0, found = []) {
    let at = from;
    for (let child = node.childAfter(from); child && child.from < to; child = child.nextSibling) {
        addLines(found, source.text.slice(at, child.from));
        addInline(source, child, depth, found);
        at = child.to;
        // The spaces after the mark of a quote are not part of the text.
        if (child.name === "QuoteMark") while (source.text[at] === " " || source.text[at] === "\t") at += 1;
    }
    addLines(found, source.text.slice(at, to));
    return found;
}

/**
 * @param {Inlines} found
 * @param {string} text
 */
function addText(found, text) {
    const before = found[found.length - 1];
    if (before?.kind === "text") before.text += text;
    else if (text !== "") found.push({ kind: "text", text });
}

/** Adds lines of text without the spaces at their ends. @param {Inlines} found @param {string} text */
function addLines(found, text) {
    const lines = text.split("\n");
    for (const [index, line] of lines.entries()) {
        const isStart = found[found.length - 1]?.kind === "break";
        const isEnd = index < lines.length - 1;
        const begun = isStart ? line.replace(/^[ \t]+/, "") : line;
        addText(found, isEnd ? begun.trimEnd() : begun);
        if (isEnd) found.push({ kind: "break", hard: line.endsWith("  \r") });
    }
}

/**
 * @param {Source} source
 * @param {SyntaxNode} node
 * @param {number} depth
 * @param {Inlines} found
 */
function addInline(source, node, depth, found) {
    const text = unpiped(source, source.text.slice(node.from, node.to));
    switch (node.name) {
        case "Emphasis":
        case "StrongEmphasis":
        case "Strikethrough":
            if (depth === maxDepth) addText(found, text);
            else {
                const { from, to } = inside(node);
                found.push({ kind: styles[node.name], content: inlines(source, node, from, to, depth + 1) });
            }
            break;
        case "Escape":
        case "Entity":
            addText(found, decoded(text));
            break;
        case "HardBreak":
            found.push({ kind: "break", hard: true });
            break;
        case "InlineCode":
            found.push({ kind: "code", text: codeIn(source, node) });
            break;
        case "URL":
        case "Autolink": {
            if (node.name === "URL" && !source.bareLinks) return addText(found, text);
            const content = [{ kind: /** @type {"text"} */ ("text"), text: text.replace(/^<|>$/g, "") }];
            found.push({ kind: "link", target: unpiped(source, targetOf(source.text, node)), title: "", content });
            break;
        }
        case "Link":
        case "Image":
            addLink(source, node, depth, found);
    }
}

/** Returns the range between a node's opening and closing mark. @param {SyntaxNode} node */
function inside({ firstChild, name, to }) {
    const mark = firstChild?.name;
    let close = firstChild?.nextSibling;
    while (close && close.name !== mark) close = close.nextSibling;
    return { from: firstChild?.to ?? to, to: close?.from ?? to, name };
}

/** Removes the backslashes before pipes from a text in a cell. @param {Source} source @param {string} text */
const unpiped = ({ isCell }, text) => (isCell ? text.replaceAll("\\|", "|") : text);

/**
 * @param {Source} source
 * @param {SyntaxNode} node
 */
function codeIn(source, node) {
    const { text } = source;
    let { from, to } = inside(node);
    let inner = "";
    for (const mark of node.getChildren("QuoteMark")) {
        inner += text.slice(from, mark.from);
        from = mark.to;
    }
    inner = (inner + text.slice(from, to)).replace(/\r?\n[ \t]*/g, " ");
    inner = unpiped(source, inner);
    return /^ .* $/.test(inner) && /[^ ]/.test(inner) ? inner.slice(1, -1) : inner;
}

/**
 * @param {Source} source
 * @param {SyntaxNode} node
 * @param {number} depth
 * @param {Inlines} found
 */
function addLink(source, node, depth, found) {
    const { text, references } = source;
    const { from, to } = inside(node);
    const label = node.getChild("LinkLabel");
    const name = (label && text.slice(label.from + 1, label.to - 1)) || text.slice(from, to);
    const link = label ? references.get(normalized(name)) : linkTarget(text, node, to);
    if (!link) {
        // Text that only resembles a definition has this label.
        addText(found, text.slice(node.from, from));
        inlines(source, node, from, to, depth, found);
        addText(found, decoded(text.slice(to, node.to)));
    } else if (node.name === "Image") {
        found.push({ kind: "image", ...link, description: plain(inlines(source, node, from, to, depth)) });
    } else {
        const within = { ...source, bareLinks: false };
        found.push({ kind: "link", ...link, content: inlines(within, node, from, to, depth) });
    }
}

/** Returns the text of inline nodes without formatting. @param {Inlines} all @returns {string} */
export function plain(all) {
    return all
        .map((each) => {
            if (each.kind === "break") return "\n";
            if (each.kind === "image") return each.description;
            return "text" in each ? each.text : plain(each.content);
        })
        .join("");
}
