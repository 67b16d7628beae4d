/**
 * Renders Markdown as DOM nodes. Text never becomes markup. Links only lead to the web, to mail or to other notes,
 * images are links until the user follows them, and everything else that would reach out of the page stays text.
 */

import { h, visible } from "../../shared/dom.js";
import { parse } from "./blocks.js";
import { noteOf } from "./note-links.js";

/** @import { Block, Blocks, Inline, Inlines, Item } from "./nodes.js" */

/**
 * Creates elements for attachments. Its methods return null for targets that lead elsewhere.
 * @typedef {{ picture: (target: string, words: string) => Element | null,
 *     file: (target: string, content: Part[]) => Element | null }} Files
 */

/**
 * @typedef {object} Preview
 * @property {number} [level] the level of the highest heading: 2 if the page has a heading of its own
 * @property {(offset: number, checked: boolean) => void} [ontick] runs when a task is ticked, with the offset of the
 *     character within its brackets, in UTF-16 units
 * @property {(element: Element, offset: number) => void} [onplace] runs for each block and list item, with the offset
 *     of its beginning in the text
 * @property {(id: string) => string} [addressOf] returns the address of a linked note; without it, such links are text
 * @property {Files} [files] creates the elements of attachments; without it, references to them are text
 */

/**
 * Renders a Markdown text.
 * @param {string} text
 * @param {Preview} [preview]
 * @returns {DocumentFragment}
 */
export function render(text, preview = {}) {
    const fragment = document.createDocumentFragment();
    for (const node of blocks(parse(text, { bareLinks: true }), preview)) fragment.append(node);
    return fragment;
}

/**
 * @param {Blocks} all
 * @param {Preview} preview
 * @param {boolean} [isTight] true for the paragraphs of a tight list
 * @returns {Part[]}
 */
function blocks(all, preview, isTight = false) {
    return all.flatMap((each) =>
        isTight && each.kind === "paragraph" ? inlines(each.content, preview) : placed(each, preview),
    );
}

/**
 * Renders the blocks of a quote or a list item. The first paragraph sets the direction of the quote or item around it,
 * which an element with a direction of its own does not.
 * @param {Blocks} all
 * @param {Preview} preview
 * @param {boolean} [isTight]
 */
function inner(all, preview, isTight) {
    const nodes = blocks(all, preview, isTight);
    if (nodes[0] instanceof HTMLParagraphElement) nodes[0].removeAttribute("dir");
    return nodes;
}

/**
 * @param {Blocks[number]} each
 * @param {Preview} preview
 */
function placed(each, preview) {
    const element = block(each, preview);
    preview.onplace?.(element, each.from ?? 0);
    return element;
}

/** @type {Record<number, "h1" | "h2" | "h3" | "h4" | "h5" | "h6">} */
const headings = { 1: "h1", 2: "h2", 3: "h3", 4: "h4", 5: "h5", 6: "h6" };

/**
 * @param {Block} block
 * @param {Preview} preview
 * @returns {Element}
 */
function block(block, preview) {
    switch (block.kind) {
        case "paragraph":
            return h("p", { dir: "auto" }, inlines(block.content, preview));
        case "heading":
            return h(
                headings[Math.min(6, block.level + (preview.level ?? 1) - 1)],
                { dir: "auto" },
                inlines(block.content, preview),
            );
        case "code":
            return h("pre", { tabindex: "0" }, h("code", { "data-language": block.language || null }, block.text));
        case "quote":
            return h("blockquote", { dir: "auto" }, inner(block.blocks, preview));
        case "rule":
            return h("hr");
        case "list": {
            const items = block.items.map((each) => {
                const element = item(each, block.tight, preview);
                preview.onplace?.(element, each.from ?? 0);
                return element;
            });
            return block.start === null ? h("ul", {}, items) : h("ol", { start: block.start }, items);
        }
        case "table":
            return table(block, preview);
    }
}

/**
 * @param {Item} item
 * @param {boolean} isTight
 * @param {Preview} preview
 */
function item({ task, blocks: inside }, isTight, preview) {
    const content = inner(inside, preview, isTight);
    if (!task) return h("li", { dir: "auto" }, content);
    const box = h("input", { type: "checkbox", checked: task.checked, disabled: !preview.ontick });
    box.addEventListener("change", () => preview.ontick?.(task.offset, box.checked));
    const [first, ...rest] = inside;
    if (!first || first.kind !== "paragraph") return h("li", { class: "task", dir: "auto" }, box, content);
    return h(
        "li",
        { class: "task", dir: "auto" },
        h("label", {}, box, h("span", {}, inlines(first.content, preview))),
        blocks(rest, preview, isTight),
    );
}

/**
 * @param {Extract<Block, { kind: "table" }>} table
 * @param {Preview} preview
 */
function table(table, preview) {
    const row = (/** @type {"th" | "td"} */ tag, /** @type {Inlines[]} */ cells) =>
        h(
            "tr",
            {},
            cells.map((cell, column) => h(tag, { class: table.columns[column], dir: "auto" }, inlines(cell, preview))),
        );
    const rows = table.rows.map((cells) => row("td", cells));
    return h(
        "div",
        { class: "scroller", tabindex: "0" },
        h("table", {}, h("thead", {}, row("th", table.head)), h("tbody", {}, rows)),
    );
}

/** @typedef {Node | string} Part an element or a text */

/**
 * @param {Inlines} all
 * @param {Preview} preview
 * @returns {Part[]}
 */
function inlines(all, preview) {
    return all.flatMap((each) => inline(each, preview));
}

/**
 * @param {Inline} inline
 * @param {Preview} preview
 * @returns {Part | Part[]}
 */
function inline(inline, preview) {
    switch (inline.kind) {
        case "text":
            return visible(inline.text);
        case "break":
            return inline.hard ? h("br") : "\n";
        case "code":
            return h("code", {}, inline.text);
        case "emphasis":
            return h("em", {}, inlines(inline.content, preview));
        case "strong":
            return h("strong", {}, inlines(inline.content, preview));
        case "strike":
            return h("del", {}, inlines(inline.content, preview));
        case "link": {
            const content = inlines(inline.content, preview);
            const file = preview.files?.file(inline.target, content);
            if (file) return file;
            const note = noteOf(inline.target);
            if (note === null || !preview.addressOf) return link(inline.target, inline.title, content);
            return h("a", { href: preview.addressOf(note), title: inline.title || null }, content);
        }
        case "image": {
            const picture = preview.files?.picture(inline.target, inline.description);
            if (picture) return picture;
            return link(inline.target, inline.title, [inline.description || inline.target], "image");
        }
    }
}

/**
 * @param {string} target
 * @param {string} title
 * @param {Part[]} content
 * @param {string} [kind]
 */
function link(target, title, content, kind) {
    const href = safe(target);
    if (!href) return h("span", { class: kind, title: target }, content);
    return h(
        "a",
        { href, class: kind, title: title || null, target: "_blank", rel: "noopener noreferrer nofollow" },
        content,
    );
}

/**
 * Returns the normalized address of a link to the web or to mail, or null for any other target.
 * @param {string} target
 */
export function safe(target) {
    const url = URL.canParse(target) ? new URL(target) : null;
    return url && ["http:", "https:", "mailto:"].includes(url.protocol) ? url.href : null;
}
