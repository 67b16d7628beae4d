/** Markdown as HTML, in the format of the specification's examples. Only tests use it; pages create nodes. */

/** @import { Block, Blocks, Inline, Inlines } from "../../../Sources/Web/notes/markdown/nodes.js" */

/** @param {string} text */
const escaped = (text) =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** @param {string} target */
const address = (target) =>
    escaped(
        encodeURI(target)
            .replaceAll("%25", "%")
            .replace(/%(?![0-9A-Fa-f]{2})/g, "%25")
            .replaceAll("[", "%5B")
            .replaceAll("]", "%5D"),
    );

/**
 * @param {Inlines} inlines
 * @returns {string}
 */
function content(inlines) {
    return inlines.map(inline).join("");
}

/**
 * @param {Inline} each
 * @returns {string}
 */
function inline(each) {
    switch (each.kind) {
        case "text":
            return escaped(each.text);
        case "break":
            return each.hard ? "<br />\n" : "\n";
        case "code":
            return `<code>${escaped(each.text)}</code>`;
        case "emphasis":
            return `<em>${content(each.content)}</em>`;
        case "strong":
            return `<strong>${content(each.content)}</strong>`;
        case "strike":
            return `<del>${content(each.content)}</del>`;
        case "link":
            return `<a href="${address(each.target)}"${titled(each.title)}>${content(each.content)}</a>`;
        case "image":
            return `<img src="${address(each.target)}" alt="${escaped(each.description)}"${titled(each.title)} />`;
    }
}

/** @param {string} title */
const titled = (title) => (title === "" ? "" : ` title="${escaped(title)}"`);

/**
 * @param {Blocks} blocks
 * @param {boolean} [isTight] true inside a tight list
 * @returns {string}
 */
export function html(blocks, isTight = false) {
    return blocks.map((each, index) => block(each, isTight, index === blocks.length - 1)).join("");
}

/**
 * @param {Block} block
 * @param {boolean} isTight
 * @param {boolean} isLast
 * @returns {string}
 */
function block(block, isTight, isLast) {
    switch (block.kind) {
        case "paragraph":
            if (!isTight) return `<p>${content(block.content)}</p>\n`;
            return content(block.content) + (!isLast ? "\n" : "");
        case "heading":
            return `<h${block.level}>${content(block.content)}</h${block.level}>\n`;
        case "code": {
            const language = block.language === "" ? "" : ` class="language-${escaped(block.language)}"`;
            return `<pre><code${language}>${escaped(block.text)}</code></pre>\n`;
        }
        case "quote":
            return `<blockquote>\n${html(block.blocks)}</blockquote>\n`;
        case "list": {
            const tag = block.start === null ? "ul" : "ol";
            const start = block.start === null || block.start === 1 ? "" : ` start="${block.start}"`;
            const items = block.items.map((item) => {
                const inside = html(item.blocks, block.tight);
                const first = item.blocks[0];
                const opens = first && !(block.tight && first.kind === "paragraph");
                return `<li>${opens ? "\n" : ""}${inside}</li>\n`;
            });
            return `<${tag}${start}>\n${items.join("")}</${tag}>\n`;
        }
        case "rule":
            return "<hr />\n";
        case "table":
            return "<table>\n";
    }
}
