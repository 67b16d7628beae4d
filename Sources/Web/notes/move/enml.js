/**
 * Converts the content of Evernote's notes (ENML, an XHTML without scripts) to Markdown.
 *
 * Each line of a note is a `div`, which becomes a line with a hard break; an empty `div` separates paragraphs.
 */

import { escaped, escapedStart, fenced, joinedLine, spaced, wrapped } from "./markdown-text.js";
import { addressOf, MoveFailure } from "./portable-notes.js";
import { XMLReader } from "./xml.js";

/** @typedef {{ name: string, attributes: Map<string, string>, children: (Element | string)[], isBlock: boolean }} Element */
/** @typedef {{ kind: "line" | "item" | "block" | "gap", text: string }} Part a part of a text, below one another */
/** @typedef {{ title: string, isDone: boolean, group: string }} Task a task beside the content */

const blocks = new Set(
    [
        "address",
        "article",
        "blockquote",
        "center",
        "dd",
        "div",
        "dl",
        "dt",
        "en-note",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
    ].concat([
        "h6",
        "hr",
        "li",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
    ]),
);
/** The maximum depth of the tree. Deeper elements become children of the last one, which protects the recursion. */
const maxDepth = 200;
/** Marks a task within a line, and is followed by `x` or a space. XML has no U+0000. */
const taskMark = "\0";

/** Returns the tree of a note's content. @param {string} content @returns {Element} */
export function parsedENML(content) {
    /** @type {Element} */
    const root = { name: "", attributes: new Map(), children: [], isBlock: true };
    const open = [root];
    /** @type {string[]} */
    const names = [];
    const reader = new XMLReader();
    for (const token of reader.read(content)) {
        const parent = open[Math.min(names.length, maxDepth)];
        if (token.kind === "text") parent.children.push(token.text);
        else if (token.kind === "end") {
            if (names.pop() !== token.name) throw new MoveFailure("xml-damaged");
            open.length = Math.min(names.length, maxDepth) + 1;
        } else {
            const { name, attributes } = token;
            const element = { name, attributes, children: [], isBlock: blocks.has(name) };
            parent.children.push(element);
            // An inline element with a block inside is a block.
            for (let above = open.length - 1; element.isBlock && !open[above].isBlock; above -= 1)
                open[above].isBlock = true;
            names.push(name);
            if (names.length <= maxDepth) open.push(element);
        }
    }
    reader.end();
    if (names.length > 0) throw new MoveFailure("xml-damaged");
    return root;
}

/**
 * Returns the Markdown of a note. Tasks without a place in the text are at the end.
 * @param {Element} root
 * @param {Task[]} tasks
 */
export function markdownOf(root, tasks) {
    const left = new Set(tasks);
    const group = (/** @type {string} */ id) => {
        const some = [...left].filter((task) => id === "" || task.group === id);
        for (const task of some) left.delete(task);
        return some.map(({ title, isDone }) => item(`- [${isDone ? "x" : " "}] `, escaped(title)));
    };
    const parts = new ENMLWriter(group).parts(root);
    return joined([...parts, ...group("")]);
}

/**
 * Returns a list item, whose later lines stand below its text.
 * @param {string} mark
 * @param {string} text
 * @returns {Part}
 */
function item(mark, text) {
    const indent = " ".repeat(/^- \[/.test(mark) ? 2 : mark.length);
    return { kind: "item", text: mark + text.replace(/\n(?=[^\n])/g, `\n${indent}`) };
}

/**
 * Joins parts: lines by hard breaks, items of one kind by line breaks, and others by empty lines.
 * @param {Part[]} parts
 * @param {boolean} [isTight] true for the parts of a list item
 */
function joined(parts, isTight = false) {
    let text = "";
    /** @type {Part | null} */
    let before = null;
    for (const part of parts) {
        if (text !== "" && part.kind !== "gap") text += before ? between(before, part, isTight) : "\n\n";
        text += part.text;
        before = part;
    }
    return text;
}

/** @param {Part} one @param {Part} other @param {boolean} isTight */
function between(one, other, isTight) {
    if (one.kind === "line" && other.kind === "line") return "  \n";
    const isSameList = one.kind === "item" && other.kind === "item" && /^\d/.test(one.text) === /^\d/.test(other.text);
    return isSameList || (isTight && one.kind === "line" && /^(?:-|1\.) /.test(other.text)) ? "\n" : "\n\n";
}

/** Returns true if an element's style has a property with a value. @param {Element} element @param {RegExp} pattern */
const hasStyle = ({ attributes }, pattern) => pattern.test(attributes.get("style") ?? "");

/** @param {Element} element @param {string} name */
const only = (element, name) =>
    element.children
        .filter((child) => typeof child !== "string" && child.name === name)
        .map((child) => /** @type {Element} */ (child));

/** Returns an element's text with its lines. @param {Element | string} node @returns {string} */
function plain(node) {
    if (typeof node === "string") return node;
    if (node.name === "br") return "\n";
    let text = "";
    for (const child of node.children) {
        const isBlock = typeof child !== "string" && child.isBlock;
        if (isBlock && text !== "" && !text.endsWith("\n")) text += "\n";
        text += plain(child);
        if (isBlock && !text.endsWith("\n")) text += "\n";
    }
    return text;
}

class ENMLWriter {
    /** @param {(id: string) => Part[]} tasksOf returns the tasks of a group */
    constructor(tasksOf) {
        this.tasksOf = tasksOf;
    }

    /** Returns the parts of an element's content. @param {Element} element @returns {Part[]} */
    parts(element) {
        /** @type {Part[]} */
        const parts = [];
        /** @type {string[]} */
        let line = [];
        const flush = () => {
            const [first, ...tasks] = joinedLine(line).split(taskMark);
            if (first.trim() !== "") parts.push({ kind: "line", text: escapedStart(spaced(first)) });
            for (const task of tasks) parts.push(item(`- [${task[0]}] `, escapedStart(spaced(task.slice(1)))));
            line = [];
        };
        for (const child of element.children) {
            if (typeof child === "string" || (!child.isBlock && child.name !== "br")) line.push(this.inline(child));
            else if (child.name === "br") {
                if (line.every((piece) => piece.trim() === "")) parts.push({ kind: "gap", text: "" });
                flush();
            } else {
                flush();
                for (const part of this.block(child)) parts.push(part);
            }
        }
        flush();
        return parts;
    }

    /** @param {Element} element @returns {Part[]} */
    block(element) {
        const { name, attributes } = element;
        const inner = () => joined(this.parts(element));
        if (name === "hr") return [{ kind: "block", text: "---" }];
        if (name === "ul" || name === "ol") return this.list(element);
        if (name === "table") return this.table(element);
        if (name === "pre" || hasStyle(element, /-en-codeblock:\s*true/))
            return [{ kind: "block", text: fenced(plain(element).replace(/^\n+|\n+$/g, "")) }];
        if (hasStyle(element, /--en-task-group:\s*true/))
            return this.tasksOf(/--en-id:\s*([\w-]+)/.exec(attributes.get("style") ?? "")?.[1] ?? "none");
        if (/^h[1-6]$/.test(name)) {
            const text = inner().replace(/ {0,2}\n\s*/g, " ");
            return text === "" ? [] : [{ kind: "block", text: `${"#".repeat(Number(name[1]))} ${text}` }];
        }
        if (name === "blockquote")
            return [{ kind: "block", text: inner().replace(/^/gm, "> ").replace(/^> $/gm, ">") }];
        const parts = this.parts(element);
        const gap = /** @type {Part} */ ({ kind: "gap", text: "" });
        if (name === "p") return [gap, ...parts, gap];
        return parts.length > 0 ? parts : [gap];
    }

    /** @param {Element} element @returns {Part[]} */
    list(element) {
        const isTasks = hasStyle(element, /--en-todo:\s*true/);
        let number = Number.parseInt(element.attributes.get("start") ?? "1", 10) || 1;
        /** @type {Part[]} */
        const items = [];
        for (const child of element.children) {
            if (typeof child === "string") continue;
            const last = items.at(-1);
            if ((child.name === "ul" || child.name === "ol") && last) {
                // Evernote writes a nested list behind its item.
                const indent = " ".repeat(/^(?:- |\d+\. )/.exec(last.text)?.[0].length ?? 2);
                last.text += `\n${joined(this.list(child)).replace(/^(?=.)/gm, indent)}`;
                continue;
            }
            const mark = element.name === "ul" ? "- " : `${number}. `;
            const text = joined(this.parts(child), true);
            const isDone = hasStyle(child, /--en-checked:\s*true/);
            if (isTasks) items.push(item(`- [${isDone ? "x" : " "}] `, text));
            else items.push(/^- \[[x ]\] /.test(text) ? { kind: "item", text } : item(mark, text));
            number += 1;
        }
        return items;
    }

    /** Returns a table whose first row is the head, or the parts of a single cell. @param {Element} element @returns {Part[]} */
    table(element) {
        const bodies = ["thead", "tbody", "tfoot"].flatMap((name) => only(element, name));
        const rows = [element, ...bodies].flatMap((body) => only(body, "tr"));
        const cells = rows.map((row) => [...only(row, "th"), ...only(row, "td")]);
        const width = Math.max(0, ...cells.map((row) => row.length));
        if (width === 0) return [];
        if (width === 1 && cells.length === 1) return this.parts(cells[0][0]);
        // Only the head needs all cells.
        const lines = cells.map((row, index) => {
            const texts = row.map((cell) =>
                joined(this.parts(cell))
                    .replace(/ {0,2}\n\s*/g, " ")
                    .replaceAll("|", "\\|"),
            );
            return `| ${texts.join(" | ")} |${index === 0 ? "  |".repeat(width - texts.length) : ""}`;
        });
        return [{ kind: "block", text: [lines[0], `|${" --- |".repeat(width)}`, ...lines.slice(1)].join("\n") }];
    }

    /** @param {Element | string} node @returns {string} */
    inline(node) {
        if (typeof node === "string") return escaped(node.replace(/[ \t\r\n]+/g, " "));
        const { name, attributes } = node;
        if (name === "en-todo") return `${taskMark}${attributes.get("checked") === "true" ? "x" : " "}`;
        if (name === "en-crypt") return `🔒 ${escaped(attributes.get("hint") ?? "")}`.trim();
        if (name === "img") {
            const target = addressOf(attributes.get("src") ?? "");
            return target ? `![${escaped(attributes.get("alt") ?? "")}](${target})` : "";
        }
        if (name === "br") return " ";
        const text = joinedLine(node.children.map((child) => this.inline(child)));
        if (name === "code") return wrapped("`", plain(node).includes("`") ? text : plain(node));
        if (name === "a") {
            const address = attributes.get("href") ?? "";
            const target = addressOf(address) ?? (/^evernote:[^\s()]+$/.test(address) ? address : null);
            const words = text.trim().replace(/(?<!\\)[[\]]/g, "\\$&");
            if (!target || words === "" || words.includes(taskMark)) return text;
            return words === target ? words : `[${words}](${target})`;
        }
        const isStruck = /^(?:s|strike|del)$/.test(name) || hasStyle(node, /text-decoration[^;]*line-through/);
        const isBold = /^(?:b|strong)$/.test(name)
            ? !hasStyle(node, /font-weight:\s*normal/)
            : hasStyle(node, /font-weight:\s*(?:bold|[6-9]00)/);
        const isItalic = /^(?:i|em)$/.test(name) || hasStyle(node, /font-style:\s*italic/);
        const marks = `${isStruck ? "~~" : ""}${isBold ? "**" : ""}${isItalic ? "*" : ""}`;
        return marks === "" ? text : wrapped(marks, text);
    }
}
