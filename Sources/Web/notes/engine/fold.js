/**
 * Texts as the search compares them: without case, accents, and other differences of writing that a reader does not
 * look for, as one word after the other.
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
 * Punctuation, blanks and control characters part words. Of the rest these are a word each: characters of scripts
 * without spaces, signs, and emoji. The server has the same table in `search_words`, in SQL.
 */
const alone =
    "$+<=>^`|~¢-©¬®-±×÷\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u19e0-\u19ff\u2044\u2052\u20a0-\u20cf\u2100-\u2bff\u2e80-\u2fff\u3004-\u3007\u3021-\u3029\u3040-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u9fff\ua9e0-\ua9ff\uaa60-\uaa7f\u{10000}-\u{10ffff}";
const eachAlone = new RegExp(`[${alone}]`, "gu");
const isAlone = new RegExp(`^[${alone}]`, "u");
const separators = /[\p{P}\p{Z}\p{Cc}]+/gu;
const isSeparator = /^[\p{P}\p{Z}\p{Cc}]/u;
const separatorsOfASCII = /[^a-z0-9$+<=>^`|~]+/g;

/**
 * The words of a text as the search compares them, with a space before, between and behind them; empty without words.
 * @param {string} text
 */
export function wordsOf(text) {
    const folded = fold(text);
    const parted = folded.replace(eachAlone, " $& ");
    const words = (
        ascii.test(folded) ? parted.replace(separatorsOfASCII, " ") : parted.replace(separators, " ")
    ).trim();
    return words && ` ${words} `;
}

/**
 * The same with the place that each unit of it comes from; of the beginning, until it has more than so many units.
 * @param {string} text
 * @param {number} [most]
 */
export function wordsWithPlaces(text, most = Number.POSITIVE_INFINITY) {
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
            const isWord = isAlone.test(piece);
            if (isWord || isSeparator.test(piece)) part(at);
            if (isSeparator.test(piece)) continue;
            words += piece;
            for (let unit = 0; unit < piece.length; unit += 1) places.push(at);
            if (isWord) part(next);
        }
        at = next;
        if (words.length > most) break;
    }
    part(at);
    return { words, places };
}
