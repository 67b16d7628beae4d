/** What links are made of: targets, titles, and the definitions of references (CommonMark 0.29 §4.7, §6.5). */

/** @typedef {{ target: string, title: string }} Link */

/** Escapes and entities stand for what they mean. The entities are those that people write; numbers say the others. */
const meant = /\\([!-/:-@[-`{-~])|&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/g;

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

/**
 * The character that an entity's inside stands for; undefined where it is none.
 * @param {string | undefined} decimal
 * @param {string | undefined} hexadecimal
 * @param {string | undefined} name
 */
function character(decimal, hexadecimal, name) {
    if (name !== undefined) return Object.hasOwn(entities, name) ? entities[name] : undefined;
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number(decimal);
    const isText = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return isText ? String.fromCodePoint(code) : "\u{FFFD}";
}

/** @param {string} text */
export function meaning(text) {
    return text.replace(
        meant,
        (whole, escaped, decimal, hexadecimal, name) => escaped ?? character(decimal, hexadecimal, name) ?? whole,
    );
}

/**
 * The entity at a place, and how long it is written.
 * @param {string} text
 * @param {number} place
 */
export function entity(text, place) {
    const found = /^&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/.exec(text.slice(place, place + 12));
    const means = found ? character(found[1], found[2], found[3]) : undefined;
    return found && means !== undefined ? { text: means, length: found[0].length } : null;
}

/**
 * As references are compared: without regard to case and to how spaces are written.
 * @param {string} label
 */
export const normalized = (label) =>
    label
        .trim()
        .replace(/[ \t\n]+/g, " ")
        .toLowerCase()
        .toUpperCase();

/**
 * A link's label at a place, without its brackets.
 * @param {string} text
 * @param {number} place of the bracket
 */
export function label(text, place) {
    const pattern = /\[((?:[^\\[\]]|\\.){0,999})\]/sy;
    pattern.lastIndex = place;
    const found = pattern.exec(text);
    return found ? { text: found[1], end: pattern.lastIndex } : null;
}

/**
 * Where a link goes, at a place.
 * @param {string} text
 * @param {number} place
 */
export function target(text, place) {
    const pointed = /<((?:[^<>\n\\]|\\.)*)>/y;
    pointed.lastIndex = place;
    const found = pointed.exec(text);
    if (found) return { text: meaning(found[1]), end: pointed.lastIndex };
    if (text[place] === "<") return null;
    let depth = 0;
    let end = place;
    for (; end < text.length; end += 1) {
        const each = text[end];
        if (each === "\\" && /[!-/:-@[-`{-~]/.test(text[end + 1] ?? "")) end += 1;
        else if (each === "(") depth += 1;
        else if (each === ")" && depth === 0) break;
        else if (each === ")") depth -= 1;
        else if (each <= " " || each === "\x7f") break;
        if (depth > 32) return null;
    }
    return depth === 0 ? { text: meaning(text.slice(place, end)), end } : null;
}

/**
 * A link's title, at a place.
 * @param {string} text
 * @param {number} place
 */
export function title(text, place) {
    const pattern = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|\(((?:[^()\\]|\\.)*)\)/sy;
    pattern.lastIndex = place;
    const found = pattern.exec(text);
    return found ? { text: meaning(found[1] ?? found[2] ?? found[3]), end: pattern.lastIndex } : null;
}

/**
 * Reads the definitions that a paragraph begins with.
 * @param {string} text
 * @param {Map<string, Link>} references gets them; the first of a label counts
 * @returns {number} where they end
 */
export function readDefinitions(text, references) {
    let end = 0;
    for (let next = readDefinition(text, 0, references); next > end; next = readDefinition(text, end, references)) {
        end = next;
    }
    return end;
}

/**
 * @param {string} text
 * @param {number} start
 * @param {Map<string, Link>} references
 */
function readDefinition(text, start, references) {
    const name = label(text, start);
    if (!name || normalized(name.text) === "" || text[name.end] !== ":") return start;
    const place = spaces(text, name.end + 1);
    const goal = target(text, place);
    if (!goal || goal.end === place) return start;
    const lineEnd = (/** @type {number} */ from) => {
        const pattern = /[ \t]*(?:\n|$)/y;
        pattern.lastIndex = from;
        return pattern.test(text) ? pattern.lastIndex : -1;
    };
    let end = lineEnd(goal.end);
    let said = "";
    const titlePlace = spaces(text, goal.end);
    const called = titlePlace > goal.end ? title(text, titlePlace) : null;
    const calledEnd = called ? lineEnd(called.end) : -1;
    if (called && calledEnd >= 0) {
        said = called.text;
        end = calledEnd;
    }
    if (end < 0) return start;
    const key = normalized(name.text);
    if (!references.has(key)) references.set(key, { target: goal.text, title: said });
    return end;
}

/**
 * Behind spaces, with at most one end of a line among them.
 * @param {string} text
 * @param {number} place
 */
export function spaces(text, place) {
    const pattern = /[ \t]*(?:\n[ \t]*)?/y;
    pattern.lastIndex = place;
    pattern.test(text);
    return pattern.lastIndex;
}
