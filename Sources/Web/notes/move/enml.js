/**
 * Converts the content of Evernote's notes (ENML, an XHTML without scripts) to Markdown.
 *
 * Each line of a note is a `div`, which becomes a line with a hard break; an empty `div` separates paragraphs.
 */

import { onOneLine, paragraphsOf, unformatted } from "../markdown/runs.js";
import { isTightItem, write } from "../markdown/write.js";
import { isAddress, MoveFailure } from "./portable-notes.js";
import { XMLReader } from "./xml.js";

/** @typedef {{ name: string, attributes: Map<string, string>, children: (Element | string)[], isBlock: boolean }} Element */
/** @import { Block, Blocks, Inlines, Item } from "../markdown/nodes.js" */
/** @import { Format, Run } from "../markdown/runs.js" */

/** A task within a line. @typedef {{ kind: "task", isDone: boolean }} TaskMark */
/**
 * A part of a text, below the part before. A gap separates paragraphs.
 * @typedef {{ kind: "line", runs: Run[] } | { kind: "block", block: Block } | { kind: "gap" }} Part
 */
/** @typedef {{ title: string, isDone: boolean, group: string }} Task a task beside the content */
/** A file of a note: its name and the address of its reference. @typedef {{ name: string, target: string, isPicture: boolean }} Media */

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
/** The length after which a line begins a paragraph, in UTF-16 units: longer paragraphs are written without emphasis. */
const maxParagraph = 1 << 13;

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
 * @param {(hash: string) => Media | undefined} [mediaOf] returns the file with a hash
 */
export function markdownOf(root, tasks, mediaOf = () => undefined) {
    const left = new Set(tasks);
    const group = (/** @type {string} */ id) => {
        const some = [...left].filter((task) => id === "" || task.group === id);
        for (const task of some) left.delete(task);
        return some.map(({ title, isDone }) =>
            partOf(null, itemOf(joined([lineOf([textRun(title, unformatted)])]), isDone)),
        );
    };
    const parts = new ENMLReader(group, mediaOf).parts(root);
    return write(joined([...parts, ...group("")]));
}

/** @param {string} text @param {Format} format @returns {Run} */
const textRun = (text, format) => ({ kind: "text", text, format });

/** @param {Run[]} runs @returns {Part} */
const lineOf = (runs) => ({ kind: "line", runs });

/** @param {Blocks} blocks @param {boolean} [isDone] given for a task @returns {Item} */
const itemOf = (blocks, isDone) => ({ task: isDone === undefined ? null : { checked: isDone, offset: 0 }, blocks });

/** Returns a list as a part. @param {number | null} start @param {Item[]} items @returns {Part} */
const partOf = (start, ...items) => ({ kind: "block", block: { kind: "list", start, tight: true, items } });

/** Adds a block. A list without numbers goes on with the one before. @param {Blocks} blocks @param {Block} block */
function add(blocks, block) {
    const last = blocks.at(-1);
    const isList = block.kind === "list" && block.start === null;
    if (isList && last?.kind === "list" && last.start === null) for (const item of block.items) last.items.push(item);
    else blocks.push(block);
}

/** Joins parts: lines by hard breaks, and lists without numbers that follow each other. @param {Part[]} parts */
function joined(parts) {
    /** @type {Blocks} */
    const blocks = [];
    /** @type {Run[]} */
    let runs = [];
    let length = 0;
    const flush = () => {
        length = 0;
        for (const content of paragraphsOf(runs)) blocks.push({ kind: "paragraph", content });
        runs = [];
    };
    for (const part of parts) {
        if (part.kind === "line") {
            if (length > maxParagraph) flush();
            if (runs.length > 0) runs.push({ kind: "break", text: "", format: unformatted });
            for (const run of part.runs) {
                length += run.text.length;
                runs.push(run);
            }
            continue;
        }
        flush();
        if (part.kind === "block") add(blocks, part.block);
    }
    flush();
    for (const block of blocks) {
        if (block.kind === "list") block.tight = block.items.every((item) => isTightItem(item.blocks));
    }
    return blocks;
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

class ENMLReader {
    /**
     * @param {(id: string) => Part[]} tasksOf returns the tasks of a group
     * @param {(hash: string) => Media | undefined} mediaOf
     */
    constructor(tasksOf, mediaOf) {
        this.tasksOf = tasksOf;
        this.mediaOf = mediaOf;
    }

    /** Returns the parts of an element's content. @param {Element} element @returns {Part[]} */
    parts(element) {
        /** @type {Part[]} */
        const parts = [];
        /** @type {(Run | TaskMark)[]} */
        let line = [];
        const flush = () => {
            const tasks = line.flatMap((run, index) => (run.kind === "task" ? [{ index, isDone: run.isDone }] : []));
            const runs = (/** @type {number} */ from, /** @type {number} */ to) =>
                /** @type {Run[]} */ (line.slice(from, to));
            const first = runs(0, tasks[0]?.index);
            if (first.some(({ kind, text }) => kind === "image" || text.trim() !== "")) parts.push(lineOf(first));
            for (const [at, { index, isDone }] of tasks.entries()) {
                const blocks = joined([lineOf(runs(index + 1, tasks[at + 1]?.index))]);
                parts.push(partOf(null, itemOf(blocks, isDone)));
            }
            line = [];
        };
        for (const child of element.children) {
            if (typeof child === "string" || (!child.isBlock && child.name !== "br")) {
                for (const run of this.inline(child, unformatted)) line.push(run);
            } else if (child.name === "br") {
                if (line.every((run) => run.kind === "text" && run.text.trim() === "")) parts.push({ kind: "gap" });
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
        const asPart = (/** @type {Block} */ block) => /** @type {Part[]} */ ([{ kind: "block", block }]);
        if (name === "hr") return asPart({ kind: "rule" });
        if (name === "ul" || name === "ol") return this.list(element);
        if (name === "table") return this.table(element);
        if (name === "pre" || hasStyle(element, /-en-codeblock:\s*true/)) {
            const text = plain(element).replace(/^\n+|\n+$/g, "");
            return asPart({ kind: "code", language: "", text: `${text}\n` });
        }
        if (hasStyle(element, /--en-task-group:\s*true/))
            return this.tasksOf(/--en-id:\s*([\w-]+)/.exec(attributes.get("style") ?? "")?.[1] ?? "none");
        if (/^h[1-6]$/.test(name)) {
            const content = onOneLine(inner());
            return content.length === 0 ? [] : asPart({ kind: "heading", level: Number(name[1]), content });
        }
        if (name === "blockquote") return asPart({ kind: "quote", blocks: inner() });
        const parts = this.parts(element);
        const gap = /** @type {Part} */ ({ kind: "gap" });
        if (name === "p") return [gap, ...parts, gap];
        return parts.length > 0 ? parts : [gap];
    }

    /** @param {Element} element @returns {Part[]} */
    list(element) {
        const isTasks = hasStyle(element, /--en-todo:\s*true/);
        const start = Number.parseInt(element.attributes.get("start") ?? "1", 10) || 1;
        /** @type {Item[]} */
        const items = [];
        for (const child of element.children) {
            if (typeof child === "string") continue;
            const last = items.at(-1);
            if ((child.name === "ul" || child.name === "ol") && last) {
                // Evernote writes a nested list behind its item.
                for (const block of joined(this.list(child))) add(last.blocks, block);
                continue;
            }
            const blocks = joined(this.parts(child));
            const [first, ...others] = blocks;
            if (isTasks) items.push(itemOf(blocks, hasStyle(child, /--en-checked:\s*true/)));
            else if (first?.kind === "list" && first.items[0].task) {
                // The item is a task itself.
                for (const item of first.items) items.push(item);
                first.items[first.items.length - 1].blocks.push(...others);
            } else items.push(itemOf(blocks));
        }
        return items.length > 0 ? [partOf(element.name === "ul" ? null : start, ...items)] : [];
    }

    /** Returns a table whose first row is the head, or the parts of a single cell. @param {Element} element @returns {Part[]} */
    table(element) {
        const bodies = ["thead", "tbody", "tfoot"].flatMap((name) => only(element, name));
        const rows = [element, ...bodies].flatMap((body) => only(body, "tr"));
        const cells = rows.map((row) => [...only(row, "th"), ...only(row, "td")]);
        const width = Math.max(0, ...cells.map((row) => row.length));
        if (width === 0) return [];
        if (width === 1 && cells.length === 1) return this.parts(cells[0][0]);
        const [head, ...others] = cells.map((row) => row.map((cell) => onOneLine(joined(this.parts(cell)))));
        /** @type {Inlines[]} */
        const fullHead = Array.from({ length: width }, (_, column) => head[column] ?? []);
        return [
            {
                kind: "block",
                block: { kind: "table", columns: fullHead.map(() => null), head: fullHead, rows: others },
            },
        ];
    }

    /** @param {Element | string} node @param {Format} format @returns {(Run | TaskMark)[]} */
    inline(node, format) {
        if (typeof node === "string") return [textRun(node, format)];
        const { name, attributes } = node;
        if (name === "en-todo") return [{ kind: "task", isDone: attributes.get("checked") === "true" }];
        if (name === "en-crypt") return [textRun(`🔒 ${attributes.get("hint") ?? ""}`, format)];
        if (name === "img") {
            const target = attributes.get("src") ?? "";
            return isAddress(target) ? [{ kind: "image", text: attributes.get("alt") ?? "", target, format }] : [];
        }
        if (name === "en-media") {
            const media = this.mediaOf((attributes.get("hash") ?? "").toLowerCase());
            if (!media) return [];
            const { name: file, target, isPicture } = media;
            const words = attributes.get("alt") ?? file.replace(/\.\w{1,8}$/, "");
            return [
                isPicture ? { kind: "image", text: words, target, format } : textRun(file, { ...format, href: target }),
            ];
        }
        if (name === "br") return [textRun(" ", format)];
        const inner = { ...format };
        const address = attributes.get("href") ?? "";
        if (name === "a" && (isAddress(address) || /^evernote:[^\s()]+$/.test(address))) inner.href = address;
        if (name === "code") inner.code = true;
        if (/^(?:s|strike|del)$/.test(name) || hasStyle(node, /text-decoration[^;]*line-through/)) inner.strike = true;
        const isStrong = /^(?:b|strong)$/.test(name)
            ? !hasStyle(node, /font-weight:\s*normal/)
            : hasStyle(node, /font-weight:\s*(?:bold|[6-9]00)/);
        if (isStrong) inner.strong = true;
        if (/^(?:i|em)$/.test(name) || hasStyle(node, /font-style:\s*italic/)) inner.emphasis = true;
        return node.children.flatMap((child) => this.inline(child, inner));
    }
}
