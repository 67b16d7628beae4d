/** Escapes texts and addresses within Markdown. */

import { bareLinks } from "./bare-links.js";

/**
 * Returns true if an address is a link without brackets between two texts.
 * @param {string} before
 * @param {string} address
 * @param {string} after
 */
export const isFound = (before, address, after) =>
    bareLinks(before + address + after).some(
        ({ from, to }) => from === before.length && to === before.length + address.length,
    );

/** Encodes the characters that would end an address in parentheses. @param {string} target */
export function addressText(target) {
    let depth = 0;
    for (const character of target) {
        if (character === "(") depth += 1;
        else if (character === ")") depth -= 1;
        if (depth < 0 || depth > 2) break;
    }
    const encoded = target.replace(/[\s<>\\]/g, encodeURIComponent);
    return depth === 0 ? encoded : encoded.replaceAll("(", "%28").replaceAll(")", "%29");
}

/** Escapes the syntax of inline nodes, but not in addresses, where a backslash is a character. @param {string} text */
export function escaped(text) {
    const links = bareLinks(text);
    return links.reduce(
        (before, { from, to }, index) => {
            const address = text.slice(from, to);
            const after = escapedSigns(text.slice(to, links[index + 1]?.from));
            const isKept = /^www\./i.test(address) || isFound("", address, after);
            return before + (isKept ? address : `<${address}>`) + after;
        },
        escapedSigns(text.slice(0, links[0]?.from)),
    );
}

/** @param {string} text */
const escapedSigns = (text) =>
    text
        .replace(/\\(?=[!-/:-@[-`{-~]|$)/g, "\\\\")
        .replace(/[`[\]<~]|\*(?![ \t])|(?<![ \t])\*/g, "\\$&")
        .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
        .replace(/&(?=#?\w{1,8};)/g, "\\&");
