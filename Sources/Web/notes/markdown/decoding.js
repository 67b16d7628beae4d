/** Decodes escapes and entities, and normalizes labels (CommonMark 0.31.2 §2.4, §2.5, §4.7). */

/** An escape or an entity. Only common names are known; numbers cover all other characters. */
const encoded = /\\([!-/:-@[-`{-~])|&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/g;

/** @type {Record<string, string>} */
const entities = {
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    apos: "'",
    nbsp: "\u{A0}",
    copy: "©",
    reg: "®",
    trade: "™",
    hellip: "…",
    ndash: "–",
    mdash: "—",
    euro: "€",
    deg: "°",
    times: "×",
    auml: "ä",
    ouml: "ö",
    uuml: "ü",
    Auml: "Ä",
    Ouml: "Ö",
    Uuml: "Ü",
    szlig: "ß",
};

/** Replaces escapes and entities by the characters they stand for. @param {string} text */
export function decoded(text) {
    return text.replace(encoded, (whole, escaped, decimal, hexadecimal, name) => {
        if (escaped !== undefined) return escaped;
        if (name !== undefined) return Object.hasOwn(entities, name) ? entities[name] : whole;
        const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
        const isText = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
        return isText ? String.fromCodePoint(code) : "\u{FFFD}";
    });
}

/**
 * Returns a label in the form in which references are compared: without case and with single spaces.
 * @param {string} label
 */
export const normalized = (label) =>
    label
        .trim()
        .replace(/[ \t\r\n]+/g, " ")
        .toLowerCase()
        .toUpperCase();
