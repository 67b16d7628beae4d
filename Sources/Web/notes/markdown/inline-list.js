/** The list that the text of a block is while it is read, and what becomes of it. */

/** @import { Inline, Inlines } from "./nodes.js" */
/** @import { Run } from "./inlines.js" */

/**
 * A node of the list that the text becomes, so that parts of it can be put into another without moving the rest.
 * @typedef {{ inline: Inline | null, text: string, before: Node | null, after: Node | null, run: Run | null,
 *     depth: number }} Node
 */

/**
 * @param {Inline | null} inline
 * @param {string} [text]
 * @param {number} [depth] of the inlines in it
 * @returns {Node}
 */
export const node = (inline, text = "", depth = 0) => ({ inline, text, before: null, after: null, run: null, depth });

/**
 * @param {Node} start
 * @param {Node} end
 */
export function depthBetween(start, end) {
    let depth = 0;
    for (let each = start.after; each && each !== end; each = each.after) depth = Math.max(depth, each.depth);
    return depth;
}

/**
 * @param {string} goal
 * @param {string} said
 * @param {Inlines} content
 * @returns {Inline}
 */
export const link = (goal, said, content) => ({ kind: "link", target: goal, title: said, content });

/**
 * @param {Node} before
 * @param {Node} after
 */
export function join(before, after) {
    before.after = after;
    after.before = before;
}

/**
 * What is between two nodes, with texts that touch made one.
 * @param {Node} start
 * @param {Node} end
 * @param {boolean} bareLinks
 * @returns {Inlines}
 */
export function collected(start, end, bareLinks) {
    /** @type {Inlines} */
    const all = [];
    /** @type {string[]} */
    let texts = [];
    const flush = () => {
        const text = texts.join("");
        texts = [];
        if (text !== "") all.push({ kind: "text", text });
    };
    for (let each = start.after; each && each !== end; each = each.after) {
        if (!each.inline) {
            texts.push(each.text);
        } else {
            flush();
            all.push(each.inline);
        }
    }
    flush();
    return bareLinks ? withBareLinks(all) : all;
}

const bare = /\bhttps?:\/\/[^\s<>"]*[^\s<>"'.,;:!?*_~)\]]/g;

/**
 * @param {Inlines} all
 * @returns {Inlines}
 */
function withBareLinks(all) {
    return all.flatMap((each) => {
        if (each.kind === "emphasis" || each.kind === "strong" || each.kind === "strike") {
            return { ...each, content: withBareLinks(each.content) };
        }
        if (each.kind !== "text") return each;
        /** @type {Inlines} */
        const parts = [];
        let end = 0;
        for (const found of each.text.matchAll(bare)) {
            if (found.index > end) parts.push({ kind: "text", text: each.text.slice(end, found.index) });
            parts.push(link(found[0], "", [{ kind: "text", text: found[0] }]));
            end = found.index + found[0].length;
        }
        if (end < each.text.length) parts.push({ kind: "text", text: each.text.slice(end) });
        return parts;
    });
}

/**
 * The text of inlines without what it looks like.
 * @param {Inlines} all
 * @returns {string}
 */
export function plain(all) {
    return all
        .map((each) => {
            switch (each.kind) {
                case "text":
                case "code":
                    return each.text;
                case "break":
                    return "\n";
                case "image":
                    return each.description;
                default:
                    return plain(each.content);
            }
        })
        .join("");
}
