/**
 * Write logs of simulated users: the unique words they wrote, and the outcome of each, as in `WordLog` of
 * Tests/Support.
 *
 * The words look natural, in several scripts, and contain neither whitespace nor punctuation. In Chinese, a word is one
 * rare character.
 */

const borders = /[\s[\](){}<>"'`,.;:!?*_/|=#-]/u;
/** The least length of a fragment, in letters; a fragment of that length fits one word only. */
const minFragmentLength = 5;
/** A character that is a word by itself. */
const singleCharacterWord = /[\u{3001}-\u{9fff}\u{20000}-\u{10ffff}]/u;

const scripts = [
    ["bdfgklmnprstvz", "aeiou"],
    ["bdfgklmnprstvz", "áéíöü"],
    ["бвгдзклмнпрстх", "аеиоу"],
    ["βγδζκλμνπρστφχ", "αεηιο"],
    ["בגדזחטכלמנסעפצ", "אהויש"],
    ["bdfgklmnprstvz", "aeiou"],
].map(([consonants, vowels]) => [[...consonants], [...vowels]]);

/**
 * Returns the word of a number: at least four syllables of a consonant and a vowel.
 * @param {number} number
 */
function wordOf(number) {
    if (number % 7 === 6) return String.fromCodePoint(0x20000 + Math.floor(number / 7));
    const [consonants, vowels] = scripts[number % 7];
    let word = "";
    for (let rest = Math.floor(number / 7); word.length < 8 || rest > 0; rest = Math.floor(rest / 70)) {
        word += consonants[rest % 14] + vowels[Math.floor(rest / 14) % 5];
    }
    // The last script shares the letters of the first.
    return number % 7 === 5 ? `${word}x` : word;
}

/**
 * Yields the words of a text with their offsets.
 * @param {string} text
 */
function* placedWords(text) {
    let [word, place] = ["", 0];
    for (const each of text) {
        const isWord = singleCharacterWord.test(each);
        if (isWord || borders.test(each)) {
            if (word !== "") yield { word, place: place - word.length };
            word = "";
            if (isWord) yield { word: each, place };
        } else {
            word += each;
        }
        place += each.length;
    }
    if (word !== "") yield { word, place: place - word.length };
}

/** @param {string} text */
export const wordsOf = (text) => [...placedWords(text)].map(({ word }) => word);

/**
 * Returns the offset of a whole word in a text, or -1.
 * @param {string} text
 * @param {string} wanted
 */
export function placeOf(text, wanted) {
    for (const { word, place } of placedWords(text)) if (word === wanted) return place;
    return -1;
}

/** @param {string} character */
export const isOpen = (character) => /\s/u.test(character) || singleCharacterWord.test(character);

/** A log of changes to tags and pins; it mirrors `TagLog` of Tests/Support. */
export class TagLog {
    /**
     * The added tags, each unique, with the note of each.
     * @type {Map<string, string>}
     */
    #notes = new Map();
    /** @type {Set<string>} */
    #removed = new Set();
    /** Tags whose writer was killed during the write. */
    #uncertain = new Set();
    /**
     * The pin states set for each note, in any order.
     * @type {Map<string, Set<boolean>>}
     */
    #pins = new Map();
    #name;
    /**
     * The log lines for another write log.
     * @type {string[]}
     */
    lines = [];

    /** @param {string} [name] the prefix of the tags */
    constructor(name = "tag") {
        this.#name = name;
    }

    /**
     * Creates a new tag for a note.
     * @param {string} note
     */
    newTag(note) {
        const tag = `${this.#name} ${this.#notes.size}`;
        this.#notes.set(tag, note);
        this.lines.push(`tag ${note} ${tag}`);
        return tag;
    }

    /**
     * Records that a user who has seen a tag removes it.
     * @param {string} tag
     * @param {string} note
     */
    remove(tag, note) {
        this.#removed.add(tag);
        this.lines.push(`untag ${note} ${tag}`);
    }

    /**
     * @param {string} note
     * @param {boolean} pinned
     */
    pin(note, pinned) {
        this.#pins.set(note, (this.#pins.get(note) ?? new Set()).add(pinned));
        this.lines.push(`pin ${note} ${pinned}`);
    }

    /**
     * Replays the log lines of another process. A write that was pending at its kill may or may not have happened.
     * @param {string[]} lines
     */
    replay(lines) {
        for (const [index, line] of lines.entries()) {
            const [, what, id, value] = /^(tag|untag|pin) (\S+) (.+)$/.exec(line) ?? [];
            const isDone = lines[index + 1] === "done";
            if (what === "tag") this.#notes.set(value, id);
            if (what === "untag") this.remove(value, id);
            if (what === "pin") this.pin(id, value === "true");
            if (isDone || what === undefined) continue;
            if (what === "pin") this.pin(id, value !== "true");
            else this.#uncertain.add(value);
        }
    }

    /**
     * Returns an error text if a note lacks an added tag or has a removed one, else null.
     * @param {{ id: string, tags: string[], pinned: boolean }[]} found
     */
    problem(found) {
        const ids = new Set(found.map(({ id }) => id));
        // A tag without its note counts as lost unless it was removed.
        for (const [tag, id] of this.#notes)
            if (!ids.has(id) && !this.#removed.has(tag)) return `${id} with ${tag} is in no list`;
        for (const { id, tags, pinned } of found) {
            const expected = [...this.#notes].flatMap(([tag, note]) =>
                note === id && !this.#removed.has(tag) ? [tag] : [],
            );
            const sure = (/** @type {string[]} */ list) =>
                String(list.filter((tag) => !this.#uncertain.has(tag)).sort());
            const [mine, theirs] = [sure(expected), sure(tags)];
            if (mine !== theirs) return `${id} has the tags ${theirs} instead of ${mine}`;
            const wanted = this.#pins.get(id) ?? new Set([false]);
            if (!wanted.has(pinned)) return `${id} is ${pinned ? "" : "not "}pinned, but no user set that`;
        }
        return null;
    }
}

export class WordLog {
    /** @type {string[]} */
    written = [];
    /** The number of the next word. Words that were not written count too, so that no word is reused. */
    #next;
    /** @type {Set<string>} */
    #all = new Set();
    /** Deleted or replaced words. */
    #removed = new Set();
    /** Words whose writer was killed during the write. */
    #uncertain = new Set();
    /**
     * The words that each note contained when a user deleted it.
     * @type {Map<string, Set<string>>}
     */
    #seenByDeleter = new Map();
    /**
     * The log lines for another write log.
     * @type {string[]}
     */
    lines = [];

    /** @param {number} [first] the number of the first word */
    constructor(first = 0) {
        this.#next = first;
    }

    newWord() {
        const word = wordOf(this.#next);
        this.#next += 1;
        this.written.push(word);
        this.#all.add(word);
        this.lines.push(`insert ${word}`);
        return word;
    }

    /**
     * Adds words of other users, which may be deleted or replaced.
     * @param {string} text
     */
    learn(text) {
        for (const word of wordsOf(text)) this.#all.add(word);
    }

    /**
     * Removes a word whose write failed.
     * @param {string} word
     */
    unwrite(word) {
        this.written.splice(this.written.indexOf(word), 1);
        this.#all.delete(word);
    }

    /**
     * Replays the log lines of another process. A write that was pending at its kill may or may not have happened.
     * @param {string[]} lines
     */
    replay(lines) {
        /** @type {string[]} */
        let begun = [];
        for (const line of lines) {
            const [what, word, ...more] = line.split(" ");
            if (what === "insert" || what === "type") begun.push(word);
            if (what === "delete") this.#removed.add(word);
            if (what === "trash") this.deleteNote(word, more.join(" "));
            if (what !== "done") continue;
            this.#add(begun);
            begun = [];
        }
        this.#add(begun);
        const typed = new Set(lines.flatMap((line) => (line.startsWith("type ") ? [line.slice(5)] : [])));
        for (const word of begun) {
            this.#removed.add(word);
            // Typing may leave a prefix of the word.
            if (!typed.has(word)) this.#uncertain.add(word);
        }
    }

    /** @param {string[]} words */
    #add(words) {
        for (const word of words) this.#all.add(word);
        this.written.push(...words);
    }

    /** @param {string} word */
    has(word) {
        return this.#all.has(word);
    }

    /**
     * Records that all words of a text are deleted.
     * @param {string} text
     */
    remove(text) {
        // Words of other processes are recorded too, because their own lines are replayed later.
        for (const word of wordsOf(text)) {
            this.#removed.add(word);
            this.lines.push(`delete ${word}`);
        }
    }

    /**
     * @param {string} id
     * @param {string} text
     */
    deleteNote(id, text) {
        const seen = this.#seenByDeleter.get(id) ?? new Set();
        for (const word of wordsOf(text)) seen.add(word);
        this.#seenByDeleter.set(id, seen);
        this.lines.push(`trash ${id} ${wordsOf(text).join(" ")}`);
    }

    /**
     * Returns a word of a deleted note that no deleting user had seen.
     * @param {string} id
     * @param {string} text
     */
    unseenWord(id, text) {
        return wordsOf(text).find((word) => this.has(word) && !this.#seenByDeleter.get(id)?.has(word));
    }

    /**
     * Returns an error text if a remaining word is missing, repeated or cut, else null.
     * @param {string[]} texts
     */
    problem(texts) {
        /** @type {Map<string, number>} */
        const found = new Map();
        for (const word of texts.flatMap(wordsOf)) found.set(word, (found.get(word) ?? 0) + 1);
        for (const word of this.written) {
            const count = found.get(word) ?? 0;
            // A removed word may survive twice, if two other users rewrote the text around it.
            if (this.#removed.has(word) ? count > 2 : count !== 1) {
                const where = texts.filter((text) => wordsOf(text).includes(word));
                return `the word ${word} occurs ${count} times: ${JSON.stringify(where)}`;
            }
        }
        const pieces = [...found.keys()].filter((each) => each.length >= minFragmentLength && !this.#all.has(each));
        for (const word of this.#uncertain) {
            const piece = pieces.find((each) => word.startsWith(each) || word.endsWith(each));
            if (piece) return `only ${piece} is left of the word ${word}`;
        }
        return null;
    }
}

/** @typedef {{ id: string, title: string, body: string, tags: string[], pinned: boolean }} Found */

/** @param {{ title: string, body: string }} text */
export const wholeText = ({ title, body }) => `${title}\n${body}`;

/**
 * Checks the final notes in the list and the trash; returns an error text, or null.
 * @param {WordLog} log
 * @param {TagLog} tags
 * @param {Found[]} listed
 * @param {Found[]} trashed
 */
export function problem(log, tags, listed, trashed) {
    for (const note of trashed) {
        const word = log.unseenWord(note.id, wholeText(note));
        if (word) return `${note.id} is in the trash with ${word}, which no deleting user had seen`;
    }
    const all = [...listed, ...trashed];
    return log.problem(all.map(wholeText)) ?? tags.problem(all);
}
