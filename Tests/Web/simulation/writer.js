/**
 * A simulated writer of realistic texts in several scripts, with words of a write log, as `Writer` of Tests/Support.
 */

import { isOpen, placeOf, wordsOf } from "./write-log.js";

/** @import { WordLog } from "./write-log.js" */
/** @typedef {(below: number) => number} Random */

/** Short phrases only: if a longer phrase is typed again, the text between both may look moved. */
const phrases = ["the", "and", "of the", "a", "to", "it is", "todo", "milk", "call", "at 12:30", "don't", "ok,"];
phrases.push(
    "e\u{301}te\u{301}",
    "und",
    "и",
    "και",
    "של",
    "يا",
    "안녕",
    "👩‍👩‍👧",
    "👍🏽",
    "今天",
    "東で",
    "1.5 kg",
    "(again)",
);

const starts = ["- ", "- [ ] ", "* ", "1. ", "# ", "| ", "> ", "    ", "", "", ""];

/**
 * @template Item
 * @param {readonly Item[]} items
 * @param {Random} random
 */
export const anyOf = (items, random) => items[random(items.length)];

/**
 * Returns a phrase with one to three words of the write log.
 * @param {WordLog} log
 * @param {Random} random
 */
export function phrase(log, random) {
    return Array.from({ length: 1 + random(3) }, () => {
        const word = log.newWord();
        const marked = [word, word, word, word, `${word},`, `**${word}**`, `(${word})`, `${word}.`];
        const filler = random(2) === 0 ? `${anyOf(phrases, random)} ` : "";
        return filler + anyOf(marked, random);
    }).join(" ");
}

/**
 * Returns a new text with a number of lines.
 * @param {number} lines
 * @param {WordLog} log
 * @param {Random} random
 */
export function newText(lines, log, random) {
    return Array.from({ length: lines }, () => {
        const words = Array.from({ length: random(4) }, () => phrase(log, random));
        return anyOf(starts, random) + words.join(" ");
    }).join("\n");
}

/**
 * Returns the text with some words or a line inserted.
 * @param {string} text
 * @param {WordLog} log
 * @param {Random} random
 */
export function inserted(text, log, random) {
    const characters = [...text];
    const added = phrase(log, random);
    const place = anyOf(places(characters), random);
    const [before, after] = [characters.slice(0, place).join(""), characters.slice(place).join("")];
    const isLineStart = place === 0 || characters[place - 1] === "\n";
    if (isLineStart && random(2) === 0) return `${before}${anyOf(starts, random)}${added}\n${after}`;
    const left = place > 0 && !isOpen(characters[place - 1]) ? " " : "";
    const right = place < characters.length && !isOpen(characters[place]) ? " " : "";
    return before + left + added + right + after;
}

/**
 * Returns the text without some of its words or lines.
 * @param {string} text
 * @param {WordLog} log
 * @param {Random} random
 */
export function deleted(text, log, random) {
    const characters = [...text];
    // Delete from the start of one part to the start of another, including the space between.
    const all = places(characters).filter((place) => place === 0 || isOpen(characters[place - 1]));
    const index = random(all.length);
    const end = index === all.length - 1 ? characters.length : all[Math.min(all.length - 1, index + 1 + random(4))];
    log.remove(characters.slice(all[index], end).join(""));
    return characters.slice(0, all[index]).join("") + characters.slice(end).join("");
}

/**
 * Returns the text with one word of the write log replaced.
 * @param {string} text
 * @param {WordLog} log
 * @param {Random} random
 */
export function rewritten(text, log, random) {
    const words = wordsOf(text).filter((word) => log.has(word));
    if (words.length === 0) return text;
    const old = anyOf(words, random);
    log.remove(old);
    const place = placeOf(text, old);
    const [before, after] = [text.slice(0, place), text.slice(place + old.length)];
    return `${spaced(before, "after")}${log.newWord()}${spaced(after, "before")}`;
}

/**
 * Adds a space if the adjacent character belongs to a word.
 * @param {string} text
 * @param {"before" | "after"} side the side of the text that gets the space
 */
function spaced(text, side) {
    const characters = [...text];
    const beside = side === "after" ? characters.at(-1) : characters[0];
    if (beside === undefined || isOpen(beside) || wordsOf(beside).length === 0) return text;
    return side === "after" ? `${text} ` : ` ${text}`;
}

/**
 * Returns the offsets where a writer may insert: beside whitespace or a character that is a word by itself.
 * @param {string[]} characters
 */
function places(characters) {
    return Array.from({ length: characters.length + 1 }, (_, place) => place).filter(
        (place) =>
            place === 0 || place === characters.length || isOpen(characters[place - 1]) || isOpen(characters[place]),
    );
}
