/**
 * Texts as the search compares them: without case, accents, and other differences of writing that a reader does not
 * look for, and where words begin and end in them.
 */

/** Marks above and below letters, vowel points, and characters that nobody sees. */
const ignored =
    // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of them is meant by itself
    /[\p{Cf}\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\ufe00-\ufe0f\ufe20-\ufe2f]/gu;

/** Letters that have no accent to be taken off, and other ways to write one character. */
const others = /[ßæœøđðþłıς‘’\s]/gu;
/** @type {Record<string, string>} */
const otherwise = {
    ß: "ss",
    æ: "ae",
    œ: "oe",
    ø: "o",
    đ: "d",
    ð: "d",
    þ: "th",
    ł: "l",
    ı: "i",
    ς: "σ",
    "‘": "'",
    "’": "'",
};

/** @param {string} text */
const foldAny = (text) =>
    text
        .normalize("NFKD")
        .toLowerCase()
        .replace(ignored, "")
        .replace(others, (character) => otherwise[character] ?? " ");

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what is looked for
const ascii = /^[\u0000-\u007f]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: so are the accented letters of Europe
const european = /^[\u0000-\u017f\u2010-\u203a\u20ac]*$/;
/** What of those a lower-case text still has to be folded. */
const accented = /[\t-\r\u0080-\uffff]/g;

/** @type {Map<string, string>} */
const folded = new Map();

/** @param {string} character */
function foldOne(character) {
    let found = folded.get(character);
    if (found === undefined) {
        found = foldAny(character);
        // There are never more than fit: whatever is written is made of some thousand characters.
        if (folded.size < 20_000) folded.set(character, found);
    }
    return found;
}

/**
 * A text as the search compares it.
 * @param {string} text
 */
export function fold(text) {
    if (ascii.test(text)) return text.toLowerCase().replace(/[\t-\r]/g, " ");
    return european.test(text) ? text.replace(accented, foldOne).toLowerCase() : foldAny(text);
}

/**
 * The same with the place that each unit of it comes from.
 * @param {string} text
 */
export function foldWithPlaces(text) {
    let whole = "";
    /** @type {number[]} */
    const places = [];
    let at = 0;
    for (const character of text) {
        const piece = foldOne(character);
        for (let unit = 0; unit < piece.length; unit += 1) places.push(at);
        whole += piece;
        at += character.length;
    }
    places.push(text.length);
    return { text: whole, places };
}

/**
 * Where in a text its folded form reaches a unit.
 * @param {string} text
 * @param {number} unit
 */
export function placeOfUnit(text, unit) {
    let [at, reached] = [0, 0];
    for (const character of text) {
        reached += foldOne(character).length;
        if (reached > unit) break;
        at += character.length;
    }
    return at;
}

/** A word is made of letters and digits; in scripts without spaces, and for symbols, each character is one. */
const separator = /[\p{P}\p{Z}\p{Cc}\p{Cn}\p{Co}]/u;
const alone = /[\p{S}\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{Cs}]/u;

/** Of each UTF-16 unit: 0 not looked at yet, 1 belongs to the word around it, 2 does not. */
const kinds = new Uint8Array(0x10000);

/**
 * Whether a UTF-16 unit belongs to the word around it.
 * @param {number} unit
 */
export function isOfWord(unit) {
    if (kinds[unit] === 0) {
        const character = String.fromCharCode(unit);
        kinds[unit] = separator.test(character) || alone.test(character) ? 2 : 1;
    }
    return kinds[unit] === 1;
}

/**
 * Whether a word may begin or end at a place of a folded text.
 * @param {string} text
 * @param {number} at
 */
const isBoundary = (text, at) =>
    at === 0 || at >= text.length || !isOfWord(text.charCodeAt(at - 1)) || !isOfWord(text.charCodeAt(at));

/**
 * The next place where a word begins with `word`; -1 for none.
 * @param {string} text
 * @param {string} word
 * @param {number} from
 */
export function indexOfWord(text, word, from) {
    let at = text.indexOf(word, from);
    while (at >= 0 && !isBoundary(text, at)) at = text.indexOf(word, at + 1);
    return at;
}

/**
 * How a folded text has a word: 0 not at all, 1 as the beginning of one, 2 whole.
 * @param {string} text
 * @param {string} word
 */
export function fit(text, word) {
    let best = 0;
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
        if (!isBoundary(text, at)) continue;
        if (isBoundary(text, at + word.length)) return 2;
        best = 1;
    }
    return best;
}
