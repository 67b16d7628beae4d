/** Converts HTML of the clipboard to Markdown. */

import { inertDocument } from "../addresses.js";
import { safe } from "../markdown/render.js";
import { onOneLine, paragraphsOf, unformatted } from "../markdown/runs.js";
import { isBare, isTightItem, write } from "../markdown/write.js";
import { allowed, reduced } from "./html-source.js";
import { codeOf, dataRows, maxNesting, nestedLists, tableOf } from "./pasted-blocks.js";

/** @import { Block, Blocks, Item } from "../markdown/nodes.js" */
/** @import { LeveledItem } from "./pasted-blocks.js" */
/** @import { Format, Run } from "../markdown/runs.js" */

/** The depth of elements beyond which only their text is read, because reading recurses. */
const maxDepth = 400;

/**
 * The place of a node: its formatting and the containers around it.
 * @typedef {object} Place
 * @property {Format} format
 * @property {number} depth the number of elements around it
 * @property {number} nesting the number of lists and quotes around it
 * @property {boolean} isLined true if line feeds are line breaks
 * @property {boolean} isTitle true in headings, which are never bold themselves
 */

/** Elements whose words are formatted. @type {Record<string, keyof Format>} */
const formats = {
    b: "strong",
    strong: "strong",
    i: "emphasis",
    em: "emphasis",
    cite: "emphasis",
    var: "emphasis",
    s: "strike",
    del: "strike",
    strike: "strike",
    code: "code",
    kbd: "code",
    samp: "code",
    tt: "code",
};
/** Elements whose words stay in the line. All others begin and end a block. */
const inlineElements = new Set([...Object.keys(formats), "a", "font", "span", "u"]);

/**
 * Markdown of a document. `isParagraph` is true if it has nothing but one paragraph.
 * @typedef {{ text: string, isParagraph: boolean, startsWith: Block["kind"], endsWith: Block["kind"] }} PastedDocument
 */

/**
 * Converts HTML to Markdown.
 * @param {string} html
 * @returns {PastedDocument | "plain" | "too long"} `plain` if the HTML has nothing but plain paragraphs
 */
export function documentOf(html) {
    const found = reduced(html);
    if (!found) return "too long";
    const { source, base } = found;
    // Apple's text system writes each line as a paragraph without margins.
    const isOfLines = /content="Cocoa HTML Writer"/i.test(html.slice(0, 2000));
    const { blocks } = new Reader(base, isOfLines).read(parsed(source), {
        format: unformatted,
        depth: 0,
        nesting: 0,
        isLined: false,
        isTitle: false,
    });
    if (blocks.every(isPlain)) return "plain";
    const [startsWith, endsWith] = [blocks[0].kind, blocks[blocks.length - 1].kind];
    const isParagraph = blocks.length === 1 && startsWith === "paragraph";
    return { text: write(blocks), isParagraph, startsWith, endsWith };
}

/** Parses a reduced source, by the browser's sanitizer if it has one. @param {string} source */
function parsed(source) {
    const { parseHTML } = /** @type {any} */ (Document);
    return (parseHTML ? parseHTML.call(Document, source, { sanitizer: allowed }) : inertDocument(source)).body;
}

/** @param {Block} block */
const isPlain = (block) =>
    block.kind === "paragraph" &&
    block.content.every(
        (each) => each.kind === "text" || each.kind === "break" || (each.kind === "link" && isBare(each)),
    );

/** The blocks of a container during its reading. */
class Content {
    /** @type {Blocks} */
    blocks = [];
    /** @type {Run[]} */
    #runs = [];
    /** @type {LeveledItem[]} */
    #leveled = [];
    /** The state of the first checkbox. @type {boolean | null} */
    checked = null;

    /** @param {Run} run */
    add(run) {
        this.#runs.push(run);
    }

    /** Ends the line, unless it is empty. @param {Format} format */
    endLine(format) {
        const last = this.#runs.findLast(({ kind, text }) => kind !== "text" || text.trim() !== "");
        if (last && last.kind !== "break") this.add({ kind: "break", text: "", format });
    }

    /** Ends the paragraph. */
    end() {
        const paragraphs = paragraphsOf(this.#runs);
        this.#runs = [];
        if (paragraphs.length > 0) this.push(...paragraphs.map(asParagraph));
    }

    /** @param {Block[]} blocks */
    push(...blocks) {
        this.#endLeveled();
        for (const block of blocks) {
            const last = this.blocks[this.blocks.length - 1];
            if (block.kind === "list" && last?.kind === "list" && goesOn(last, block)) last.items.push(...block.items);
            else this.blocks.push(block);
        }
    }

    /** @param {LeveledItem} row */
    pushLeveled(row) {
        this.#leveled.push(row);
    }

    #endLeveled() {
        const rows = this.#leveled;
        this.#leveled = [];
        if (rows.length > 0) this.push(...nestedLists(rows));
    }

    finish() {
        this.end();
        this.#endLeveled();
        return this;
    }
}

/** @param {import("../markdown/nodes.js").Inlines} content @returns {Block} */
const asParagraph = (content) => ({ kind: "paragraph", content });

/** Returns true if a list continues another one. @param {List} before @param {List} list */
const goesOn = (before, list) =>
    list.start === null
        ? before.start === null
        : before.start !== null && list.start === before.start + before.items.length;

/** @typedef {Extract<Block, { kind: "list" }>} List */

class Reader {
    #base;
    #isOfLines;

    /** @param {string | undefined} base @param {boolean} isOfLines true if paragraphs are lines */
    constructor(base, isOfLines) {
        this.#base = base;
        this.#isOfLines = isOfLines;
    }

    /** Reads the blocks of an element. @param {Node} node @param {Place} place */
    read(node, place) {
        const content = new Content();
        this.#children(node, place, content);
        return content.finish();
    }

    /** @param {Node} node @param {Place} place @param {Content} content */
    #children(node, place, content) {
        for (let child = node.firstChild; child; child = child.nextSibling) {
            if (child instanceof Element || child.nodeType === Node.ELEMENT_NODE) {
                this.#element(/** @type {Element} */ (child), place, content);
            } else if (child.nodeType === Node.TEXT_NODE) this.#text(child.nodeValue ?? "", place, content);
        }
    }

    /** @param {string} text @param {Place} place @param {Content} content */
    #text(text, { format, isLined }, content) {
        for (const [index, line] of (isLined ? text.split("\n") : [text]).entries()) {
            if (index > 0) content.add({ kind: "break", text: "", format });
            content.add({ kind: "text", text: line, format });
        }
    }

    /** @param {Element} element @param {Place} outer @param {Content} content */
    #element(element, outer, content) {
        const style = element.getAttribute("data-style") ?? "";
        if (isHidden(element, style, outer)) return;
        const name = element.localName;
        if (outer.depth > maxDepth) return this.#text(element.textContent ?? "", outer, content);
        const place = this.#placeIn(element, style, outer);
        if (name === "br") content.add({ kind: "break", text: "", format: outer.format });
        else if (name === "img") this.#image(element, place, content);
        else if (name === "input") {
            if (element.getAttribute("type") === "checkbox") content.checked ??= element.hasAttribute("checked");
        } else if (inlineElements.has(name)) this.#children(element, place, content);
        else if (name === "div" || (this.#isOfLines && name === "p")) this.#line(element, place, content);
        else {
            content.end();
            this.#block(element, style, place, content);
            content.end();
        }
    }

    /** @param {Element} element @param {Place} place @param {Content} content */
    #line(element, place, content) {
        if (element.classList.contains("checkbox")) content.checked ??= element.classList.contains("checkbox-on");
        content.endLine(place.format);
        this.#children(element, place, content);
        content.endLine(place.format);
    }

    /** @param {Element} element @param {string} style @param {Place} outer @returns {Place} */
    #placeIn(element, style, outer) {
        const { localName: name } = element;
        const format = { ...outer.format };
        const mark = Object.hasOwn(formats, name) ? formats[name] : null;
        if (mark && mark !== "href") format[mark] = true;
        const weight = /(?:^|;)\s*font-weight\s*:\s*(\w+)/i.exec(style)?.[1];
        if (weight) format.strong = /^bold/i.test(weight) || Number.parseInt(weight, 10) >= 600;
        const slope = /(?:^|;)\s*font-style\s*:\s*(\w+)/i.exec(style)?.[1];
        if (slope) format.emphasis = /^(?:italic|oblique)$/i.test(slope);
        if (/text-decoration(?:-line)?\s*:[^;]*line-through/i.test(style)) format.strike = true;
        const isTitle = outer.isTitle || /^(?:h[1-6]|th)$/.test(name) || element.classList.contains("MsoTitle");
        if (name === "a") format.href = this.#address(element.getAttribute("href")) ?? "";
        const space = /white-space(?:-collapse)?\s*:\s*([\w-]+)/i.exec(style)?.[1];
        const isLined = space ? /^(?:pre|preserve|break-spaces)/i.test(space) : outer.isLined;
        const place = { ...outer, format, isLined, depth: outer.depth + 1 };
        return isTitle ? asTitle(place) : place;
    }

    /** Returns an address, or null if it leads neither to the web nor to mail. @param {string | null} href */
    #address(href) {
        if (href === null) return null;
        const base = this.#base;
        return URL.canParse(href, base) ? safe(new URL(href, base).href) : null;
    }

    /** @param {Element} element @param {Place} place @param {Content} content */
    #image(element, { format }, content) {
        const text = (element.getAttribute("alt") ?? "").replace(/\s+/g, " ").trim();
        if (/^\p{Extended_Pictographic}/u.test(text)) return content.add({ kind: "text", text, format });
        const target = this.#address(element.getAttribute("src"));
        // Images of a pixel count readers.
        const isTiny = ["width", "height"].some((side) => Number(element.getAttribute(side) ?? 9) < 3);
        if (!target || isTiny || target.startsWith("mailto:")) return;
        content.add({ kind: "image", text, target, format: { ...format, href: "", code: false } });
    }

    /** @param {Element} element @param {string} style @param {Place} place @param {Content} content */
    #block(element, style, place, content) {
        const { localName: name } = element;
        const isNested = place.nesting < maxNesting;
        if (name === "hr") return content.push({ kind: "rule" });
        if (name === "pre") return content.push(codeOf(element));
        if (name === "table") return this.#table(/** @type {HTMLTableElement} */ (element), place, content);
        if (/^h[1-6]$/.test(name) || element.classList.contains("MsoTitle")) {
            const title = onOneLine(this.read(element, place).blocks);
            const level = Number(name[1]) || 1;
            return title.length > 0 ? content.push({ kind: "heading", level, content: title }) : undefined;
        }
        if (isNested && (name === "ul" || name === "ol")) return this.#list(element, place, content);
        if (isNested && name === "li") {
            return content.push({ kind: "list", start: null, tight: true, items: [this.#item(element, place)] });
        }
        if (isNested && name === "blockquote") {
            const { blocks } = this.read(element, { ...place, nesting: place.nesting + 1 });
            return blocks.length > 0 ? content.push({ kind: "quote", blocks }) : undefined;
        }
        const level = name === "p" && /mso-list\s*:\s*\w+\s+level(\d+)/i.exec(style)?.[1];
        if (level) return content.pushLeveled(this.#leveledItem(element, Number(level), place));
        this.#children(element, place, content);
    }

    /** @param {Element} list @param {Place} place @param {Content} content */
    #list(list, place, content) {
        /** @type {Item[]} */
        const items = [];
        const inner = { ...place, nesting: place.nesting + 1 };
        for (const child of list.children) {
            if (child.localName === "li") {
                items.push(this.#item(child, inner));
                continue;
            }
            // Some editors put a nested list beside its item instead of into it.
            const loose = new Content();
            this.#element(child, inner, loose);
            const { blocks } = loose.finish();
            const last = items[items.length - 1];
            if (last && blocks.every(({ kind }) => kind === "list")) last.blocks.push(...blocks);
            else if (blocks.length > 0) items.push({ task: null, blocks });
        }
        const start = Number.parseInt(list.getAttribute("start") ?? "1", 10);
        const isOrdered = list.localName === "ol";
        const filled = items.filter(({ blocks }) => blocks.length > 0);
        if (filled.length === 0) return;
        content.push({
            kind: "list",
            start: isOrdered ? Math.min(Math.max(start || 0, 0), 1e6) : null,
            tight: filled.every(({ blocks }) => isTightItem(blocks)),
            items: filled,
        });
    }

    /** @param {Element} element @param {Place} place @returns {Item} */
    #item(element, place) {
        const { blocks, checked } = this.read(element, place);
        const given = element.getAttribute("aria-checked") ?? element.getAttribute("data-checked");
        const [first] = blocks;
        if (first?.kind !== "paragraph") return { task: null, blocks };
        // Notion writes the box as text.
        const [start] = first.content;
        const box = start?.kind === "text" ? /^\[([ xX])\]\s+(?=\S)/.exec(start.text) : null;
        if (start?.kind === "text" && box) start.text = start.text.slice(box[0].length);
        const isTicked = box ? box[1] !== " " : given === null ? checked : given === "true";
        // Google Docs strikes the text of ticked items.
        const [only, ...others] = first.content;
        if (isTicked && only?.kind === "strike" && others.length === 0) first.content = only.content;
        return { task: isTicked === null ? null : { checked: isTicked, offset: 0 }, blocks };
    }

    /** @param {Element} element @param {number} level @param {Place} place @returns {LeveledItem} */
    #leveledItem(element, level, place) {
        const mark = element.querySelector('[data-style*="mso-list:Ignore" i]')?.textContent?.trim() ?? "";
        const start = /^\(?\w+[.)]/.test(mark) ? Number.parseInt(mark.replace("(", ""), 10) || 1 : null;
        const { blocks } = this.read(element, place);
        return { level: Math.min(level, maxNesting), start, item: { task: null, blocks } };
    }

    /** @param {HTMLTableElement} table @param {Place} place @param {Content} content */
    #table(table, place, content) {
        const rows = dataRows(table);
        if (!rows) {
            for (const child of table.rows) {
                for (const cell of child.cells) this.#line(cell, place, content);
            }
            return;
        }
        if (table.caption) this.#line(table.caption, place, content);
        content.end();
        const block = tableOf(rows, (cell, isHead) => {
            const inner = this.#placeIn(cell, cell.getAttribute("data-style") ?? "", place);
            return onOneLine(this.read(cell, isHead ? asTitle(inner) : inner).blocks);
        });
        if (block) content.push(block);
    }
}

/** Returns the place of a heading, which is never bold itself. @param {Place} place @returns {Place} */
const asTitle = (place) => ({ ...place, isTitle: true, format: { ...place.format, strong: false } });

/** @param {Element} element @param {string} style @param {Place} place */
function isHidden(element, style, { isTitle }) {
    if (element.hasAttribute("hidden")) return true;
    // Word writes the mark of a list item as text. The number of a heading is part of its words.
    if (!isTitle && /mso-list\s*:\s*Ignore/i.test(style)) return true;
    return /(?:^|;)\s*(?:display\s*:\s*none|mso-hide\s*:\s*all|visibility\s*:\s*hidden)/i.test(style);
}
