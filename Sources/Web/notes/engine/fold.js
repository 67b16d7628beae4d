/**
 * Folds texts into the form that the search compares: words separated by spaces, without case, accents and similar
 * variants.
 */

/** Combining marks, vowel points and invisible characters. */
const ignored =
    // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of them is meant by itself
    /[\p{Cf}\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\ufe00-\ufe0f\ufe20-\ufe2f]/gu;

/** Letters that Unicode does not decompose, and other variants of a character. */
const variants = /[ßæœøđðþłıς‘’\s]/gu;
/** @type {Record<string, string>} */
const replacements = {
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
        .replace(variants, (character) => replacements[character] ?? " ");

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what is looked for
const ascii = /^[\u0000-\u007f]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: so are the accented letters of Europe
const european = /^[\u0000-\u017f\u2010-\u203a\u20ac]*$/;
/** The characters of a European lower-case text that still need folding. */
const accented = /[\t-\r\u0080-\uffff]/g;

/** @type {Map<string, string>} */
const folded = new Map();

/** @param {string} character */
function foldOne(character) {
    let found = folded.get(character);
    if (found === undefined) {
        found = foldAny(character);
        // The limit is never reached in practice: real texts use a few thousand characters.
        if (folded.size < 20_000) folded.set(character, found);
    }
    return found;
}

/** Returns the folded form of a text. @param {string} text */
export function fold(text) {
    if (ascii.test(text)) return text.toLowerCase().replace(/[\t-\r]/g, " ");
    return european.test(text) ? text.replace(accented, foldOne).toLowerCase() : foldAny(text);
}

/** Returns the folded form of a text, with the source offset of each unit. @param {string} text */
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
 * The characters that are a word each: scripts without spaces, symbols and emoji. Punctuation, blanks and control
 * characters separate words. The server's SQL function `search_words` has the same table.
 */
const singleCharacterWords =
    "$+<=>^`|~¢-©¬®-±×÷\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u19e0-\u19ff\u2044\u2052\u20a0-\u20cf\u2100-\u2bff\u2e80-\u2fff\u3004-\u3007\u3021-\u3029\u3040-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u9fff\ua9e0-\ua9ff\uaa60-\uaa7f\u{10000}-\u{10ffff}";
const eachSingle = new RegExp(`[${singleCharacterWords}]`, "gu");
const isSingle = new RegExp(`^[${singleCharacterWords}]`, "u");
const separators = /[\p{P}\p{Z}\p{Cc}]+/gu;
const isSeparator = /^[\p{P}\p{Z}\p{Cc}]/u;
const separatorsOfASCII = /[^a-z0-9$+<=>^`|~]+/g;

/**
 * Returns the folded words of a text, with a space before, between and after them; empty if the text has no words.
 * @param {string} text
 */
export function wordsOf(text) {
    const folded = fold(text);
    const parted = folded.replace(eachSingle, " $& ");
    const words = (
        ascii.test(folded) ? parted.replace(separatorsOfASCII, " ") : parted.replace(separators, " ")
    ).trim();
    return words && ` ${words} `;
}

/**
 * Returns the folded words of a text, with the source offset of each unit. Stops once the result exceeds a length.
 * @param {string} text
 * @param {number} [maxLength] the length in UTF-16 units
 */
export function wordsWithPlaces(text, maxLength = Number.POSITIVE_INFINITY) {
    let words = " ";
    const places = [0];
    let at = 0;
    const part = (/** @type {number} */ place) => {
        if (words.endsWith(" ")) return;
        words += " ";
        places.push(place);
    };
    for (const character of text) {
        const next = at + character.length;
        for (const piece of foldOne(character)) {
            const isWord = isSingle.test(piece);
            if (isWord || isSeparator.test(piece)) part(at);
            if (isSeparator.test(piece)) continue;
            words += piece;
            for (let unit = 0; unit < piece.length; unit += 1) places.push(at);
            if (isWord) part(next);
        }
        at = next;
        if (words.length > maxLength) break;
    }
    part(at);
    return { words, places };
}
