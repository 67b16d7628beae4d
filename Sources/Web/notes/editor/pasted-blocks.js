/** Blocks of pasted documents that HTML has in many forms: code, tables, and lists of paragraphs with levels. */

/** @import { Alignment, Block, Blocks, Inlines, Item } from "../markdown/nodes.js" */

/** The depth of lists and quotes beyond which they are not nested further. */
export const maxNesting = 20;
/** The columns that one cell can span, and the cells of a table that stay empty because others span them. */
const [maxSpan, maxSpanned] = [50, 10_000];

/** Elements that begin a line of code. */
const lineElements = new Set(["div", "p", "li", "tr"]);

/** Returns a block of code, with the language that its classes name. @param {Element} element @returns {Block} */
export function codeOf(element) {
    const codes = element.querySelectorAll("code");
    const code = codes.length === 1 ? codes[0] : element;
    const from = [code, element, element.parentElement].map((each) =>
        [each?.getAttribute("data-language"), each?.className, each === element && each.getAttribute("lang")].join(" "),
    );
    const named = /(?:^|\s)(?:lang(?:uage)?-|highlight-(?:source|text)-)([\w+#.-]+)/.exec(from.join(" "))?.[1];
    const language = named ?? element.getAttribute("lang") ?? code.getAttribute("data-language") ?? "";
    return { kind: "code", language: language.replace(/[\s`]/g, ""), text: `${codeText(code)}\n` };
}

/** @param {Element} element */
function codeText(element) {
    let text = "";
    /** @type {Node | null} */
    let node = element.firstChild;
    while (node) {
        const name = node.nodeType === Node.ELEMENT_NODE ? /** @type {Element} */ (node).localName : "";
        if (node.nodeType === Node.TEXT_NODE) text += /** @type {globalThis.Text} */ (node).data;
        else if (name === "br") text += "\n";
        else if (lineElements.has(name) && !/\n$|^$/.test(text.slice(-1))) text += "\n";
        if (name !== "button" && node.firstChild) node = node.firstChild;
        else {
            while (node && node !== element && !node.nextSibling) node = node.parentNode;
            node = node === element ? null : (node?.nextSibling ?? null);
        }
    }
    return text
        .replace(/\r\n?/g, "\n")
        .replaceAll("\u{A0}", " ")
        .replace(/^\n|\s+$/g, "");
}

/**
 * A paragraph that a word processor shows as a list item; `start` is the number of its item in an ordered list.
 * @typedef {{ level: number, start: number | null, item: Item }} LeveledItem
 */

/** Nests paragraphs with levels as lists. @param {LeveledItem[]} rows @returns {Blocks} */
export function nestedLists(rows) {
    /** @type {Blocks} */
    const blocks = [];
    /** @type {{ level: number, list: Extract<Block, { kind: "list" }> }[]} */
    const open = [];
    for (const { level, start, item } of rows) {
        while (open.length > 0 && open[open.length - 1].level > level) open.pop();
        const last = open[open.length - 1];
        if (last?.level === level && (last.list.start === null) === (start === null)) {
            last.list.items.push(item);
            continue;
        }
        if (last?.level === level) open.pop();
        /** @type {Extract<Block, { kind: "list" }>} */
        const list = { kind: "list", start, tight: true, items: [item] };
        (open[open.length - 1]?.list.items.at(-1)?.blocks ?? blocks).push(list);
        open.push({ level, list });
    }
    return blocks;
}

/**
 * Returns the rows of a table of data, or null for a table that only arranges blocks on the page.
 * @param {HTMLTableElement} table
 * @returns {HTMLTableRowElement[] | null}
 */
export function dataRows(table) {
    const rows = [...table.rows].filter(({ cells }) => cells.length > 0);
    const isHeaded = table.querySelector("th") !== null;
    const isOneCell = rows.length === 1 && rows[0].cells.length === 1;
    const isLayout =
        isOneCell ||
        table.getAttribute("role") === "presentation" ||
        table.querySelector("table") !== null ||
        (!isHeaded && (rows.every(({ cells }) => cells.length === 1) || table.querySelector("h1,h2,h3,ul,ol,pre,hr")));
    return isLayout ? null : rows;
}

/**
 * Returns a table of data. Cells that several columns or rows share stand in the first one.
 * @param {HTMLTableRowElement[]} rows
 * @param {(cell: HTMLTableCellElement, isHead: boolean) => Inlines} contentOfCell
 * @returns {Block | null} null if all cells are empty
 */
export function tableOf(rows, contentOfCell) {
    /** The number of further rows in which a cell from above fills the column. @type {number[]} */
    const below = [];
    let room = maxSpanned;
    /** @type {Alignment[]} */
    const columns = [];
    const texts = rows.map((row, index) => {
        /** @type {Inlines[]} */
        const found = [];
        const skipFilled = () => {
            for (; below[found.length] > 0 && room > 0; found.push([])) {
                below[found.length] -= 1;
                room -= 1;
            }
        };
        for (const cell of row.cells) {
            skipFilled();
            const span = Math.min(cell.colSpan, maxSpan, room + 1);
            room -= span - 1;
            for (let column = 0; column < span; column += 1) {
                if (cell.rowSpan > 1) below[found.length] = cell.rowSpan - 1;
                // Numbers are often aligned in the body only.
                if (cell.localName === "td") columns[found.length] ??= alignmentOf(cell);
                found.push(column === 0 ? contentOfCell(cell, index === 0) : []);
            }
        }
        skipFilled();
        while (found.length > 0 && found[found.length - 1].length === 0) found.pop();
        return found;
    });
    const [head, ...others] = texts.filter(({ length }) => length > 0);
    if (!head) return null;
    const width = others.reduce((most, { length }) => Math.max(most, length), head.length);
    return {
        kind: "table",
        columns: Array.from({ length: width }, (_, column) => columns[column] ?? null),
        head: Array.from({ length: width }, (_, column) => head[column] ?? []),
        rows: others,
    };
}

/** @param {Element} cell @returns {Alignment} */
function alignmentOf(cell) {
    const given = [cell, cell.firstElementChild].map((each) => [
        /text-align\s*:\s*(right|center|end)/i.exec(each?.getAttribute("data-style") ?? "")?.[1],
        each?.getAttribute("align") ?? each?.className,
    ]);
    const align = given.flat().find(Boolean)?.toLowerCase();
    if (align === "right" || align === "end") return "right";
    return align === "center" ? "center" : null;
}
