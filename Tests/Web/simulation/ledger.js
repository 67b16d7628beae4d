/**
 * Every word that somebody wrote and that stands nowhere else, and what became of it; as `WordLedger` of Tests/Support.
 *
 * The words look like words, of several scripts, and can each be found again in a text: only white space and punctuation
 * end them, and in Chinese a word is one rare character.
 */

const borders = /[\s[\](){}<>"'`,.;:!?*_/|=#-]/u;
/** In letters: no other word looks like a piece of one that is as long. */
const shortestPiece = 5;
/** A character that is a word of its own. */
const unit = /[\u{3001}-\u{9fff}\u{20000}-\u{10ffff}]/u;

const scripts = [
    ["bdfgklmnprstvz", "aeiou"],
    ["bdfgklmnprstvz", "áéíöü"],
    ["бвгдзклмнпрстх", "аеиоу"],
    ["βγδζκλμνπρστφχ", "αεηιο"],
    ["בגדזחטכלמנסעפצ", "אהויש"],
    ["bdfgklmnprstvz", "aeiou"],
].map(([consonants, vowels]) => [[...consonants], [...vowels]]);

/**
 * The word of a number: at least four syllables of a consonant and a vowel.
 * @param {number} number
 */
function wordOf(number) {
    if (number % 7 === 6) return String.fromCodePoint(0x20000 + Math.floor(number / 7));
    const [consonants, vowels] = scripts[number % 7];
    let word = "";
    for (let rest = Math.floor(number / 7); word.length < 8 || rest > 0; rest = Math.floor(rest / 70)) {
        word += consonants[rest % 14] + vowels[Math.floor(rest / 14) % 5];
    }
    // The last script has the letters of the first.
    return number % 7 === 5 ? `${word}x` : word;
}

/**
 * The words of a text, as a reader sees them, and where each begins.
 * @param {string} text
 */
function* placedWords(text) {
    let [word, place] = ["", 0];
    for (const each of text) {
        const isUnit = unit.test(each);
        if (isUnit || borders.test(each)) {
            if (word !== "") yield { word, place: place - word.length };
            word = "";
            if (isUnit) yield { word: each, place };
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
 * Where a word stands in a text, and not as a part of another one.
 * @param {string} text
 * @param {string} wanted
 */
export function placeOf(text, wanted) {
    for (const { word, place } of placedWords(text)) if (word === wanted) return place;
    return -1;
}

/** @param {string} character */
export const isOpen = (character) => /\s/u.test(character) || unit.test(character);

/** What somebody did to the tags and the pins of notes; as `TagLedger` of Tests/Support. */
export class TagLedger {
    /**
     * The tags that were added, each a new one, and the note of each.
     * @type {Map<string, string>}
     */
    #notes = new Map();
    /** @type {Set<string>} */
    #removed = new Set();
    /** Those of somebody who was killed over it. */
    #perhaps = new Set();
    /**
     * What was made of each note's pin, in whatever order.
     * @type {Map<string, Set<boolean>>}
     */
    #pins = new Map();
    #name;
    /**
     * What another ledger hears of this one, line by line.
     * @type {string[]}
     */
    said = [];

    /** @param {string} [name] what its tags begin with */
    constructor(name = "tag") {
        this.#name = name;
    }

    /**
     * A tag that no note has had yet, for a note.
     * @param {string} note
     */
    newTag(note) {
        const tag = `${this.#name} ${this.#notes.size}`;
        this.#notes.set(tag, note);
        this.said.push(`tag ${note} ${tag}`);
        return tag;
    }

    /**
     * Notes that a tag is to go, by somebody who has seen it.
     * @param {string} tag
     * @param {string} note
     */
    remove(tag, note) {
        this.#removed.add(tag);
        this.said.push(`untag ${note} ${tag}`);
    }

    /**
     * @param {string} note
     * @param {boolean} pinned
     */
    pin(note, pinned) {
        this.#pins.set(note, (this.#pins.get(note) ?? new Set()).add(pinned));
        this.said.push(`pin ${note} ${pinned}`);
    }

    /**
     * Takes in what another process has said of tags and pins, line by line; what it had begun when it was killed may be
     * there or not.
     * @param {string[]} lines
     */
    hear(lines) {
        for (const [index, line] of lines.entries()) {
            const [, what, id, value] = /^(tag|untag|pin) (\S+) (.+)$/.exec(line) ?? [];
            const isDone = lines[index + 1] === "done";
            if (what === "tag") this.#notes.set(value, id);
            if (what === "untag") this.remove(value, id);
            if (what === "pin") this.pin(id, value === "true");
            if (isDone || what === undefined) continue;
            if (what === "pin") this.pin(id, value !== "true");
            else this.#perhaps.add(value);
        }
    }

    /**
     * What is wrong with notes that should have each tag that nobody removed, and no other; null when nothing is.
     * @param {{ id: string, tags: string[], pinned: boolean }[]} found
     */
    problem(found) {
        const ids = new Set(found.map(({ id }) => id));
        // One that was empty when it went into the trash, before it was ever sent, is nobody's loss.
        for (const [tag, id] of this.#notes)
            if (!ids.has(id) && !this.#removed.has(tag)) return `${id} with ${tag} is nowhere`;
        for (const { id, tags, pinned } of found) {
            const expected = [...this.#notes].flatMap(([tag, note]) =>
                note === id && !this.#removed.has(tag) ? [tag] : [],
            );
            const sure = (/** @type {string[]} */ list) => String(list.filter((tag) => !this.#perhaps.has(tag)).sort());
            const [mine, theirs] = [sure(expected), sure(tags)];
            if (mine !== theirs) return `${id} has the tags ${theirs}, and not ${mine}`;
            const wanted = this.#pins.get(id) ?? new Set([false]);
            if (!wanted.has(pinned)) return `${id} is ${pinned ? "" : "not "}pinned, which nobody wanted`;
        }
        return null;
    }
}

export class WordLedger {
    /** @type {string[]} */
    written = [];
    /** The number of the next word; those that were not written after all count too: no word is given twice. */
    #next;
    /** @type {Set<string>} */
    #all = new Set();
    /** What somebody deleted or rewrote. */
    #removed = new Set();
    /** What somebody was writing who was killed over it. */
    #perhaps = new Set();
    /**
     * The words of each note that somebody saw who then deleted the note.
     * @type {Map<string, Set<string>>}
     */
    #seenByDeleter = new Map();
    /**
     * What another ledger hears of this one, line by line.
     * @type {string[]}
     */
    said = [];

    /** @param {number} [first] the number of its first word */
    constructor(first = 0) {
        this.#next = first;
    }

    newWord() {
        const word = wordOf(this.#next);
        this.#next += 1;
        this.written.push(word);
        this.#all.add(word);
        this.said.push(`insert ${word}`);
        return word;
    }

    /**
     * Knows the words of others, which may be deleted and rewritten too.
     * @param {string} text
     */
    learn(text) {
        for (const word of wordsOf(text)) this.#all.add(word);
    }

    /**
     * Takes out a word that was not written after all.
     * @param {string} word
     */
    unwrite(word) {
        this.written.splice(this.written.indexOf(word), 1);
        this.#all.delete(word);
    }

    /**
     * Takes in what another process has said of its words, line by line; what it had begun when it was killed may be
     * there or not.
     * @param {string[]} lines
     */
    hear(lines) {
        /** @type {string[]} */
        let begun = [];
        for (const line of lines) {
            const [what, word, ...more] = line.split(" ");
            if (what === "insert" || what === "type") begun.push(word);
            if (what === "delete") this.#removed.add(word);
            if (what === "trash") this.deleteNote(word, more.join(" "));
            if (what !== "done") continue;
            this.#take(begun);
            begun = [];
        }
        this.#take(begun);
        const typed = new Set(lines.flatMap((line) => (line.startsWith("type ") ? [line.slice(5)] : [])));
        for (const word of begun) {
            this.#removed.add(word);
            // Of what somebody types letter by letter the first may be there alone.
            if (!typed.has(word)) this.#perhaps.add(word);
        }
    }

    /** @param {string[]} words */
    #take(words) {
        for (const word of words) this.#all.add(word);
        this.written.push(...words);
    }

    /** @param {string} word */
    has(word) {
        return this.#all.has(word);
    }

    /**
     * Notes that all its words in a text are to go.
     * @param {string} text
     */
    remove(text) {
        // Those of other processes too, which are heard of later.
        for (const word of wordsOf(text)) {
            this.#removed.add(word);
            this.said.push(`delete ${word}`);
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
        this.said.push(`trash ${id} ${wordsOf(text).join(" ")}`);
    }

    /**
     * A word of a deleted note that nobody who deleted it had seen.
     * @param {string} id
     * @param {string} text
     */
    unseenWord(id, text) {
        return wordsOf(text).find((word) => this.has(word) && !this.#seenByDeleter.get(id)?.has(word));
    }

    /**
     * What is wrong with texts that should have each word once and whole that nobody removed; null when nothing is.
     * @param {string[]} texts
     */
    problem(texts) {
        /** @type {Map<string, number>} */
        const found = new Map();
        for (const word of texts.flatMap(wordsOf)) found.set(word, (found.get(word) ?? 0) + 1);
        for (const word of this.written) {
            const count = found.get(word) ?? 0;
            // What one removed may stay in what each of two others made of the text around it.
            if (this.#removed.has(word) ? count > 2 : count !== 1) {
                const where = texts.filter((text) => wordsOf(text).includes(word));
                return `the word ${word} is there ${count} times: ${JSON.stringify(where)}`;
            }
        }
        const pieces = [...found.keys()].filter((each) => each.length >= shortestPiece && !this.#all.has(each));
        for (const word of this.#perhaps) {
            const piece = pieces.find((each) => word.startsWith(each) || word.endsWith(each));
            if (piece) return `of the word ${word} there is only ${piece}`;
        }
        return null;
    }
}

/** @typedef {{ id: string, title: string, body: string, tags: string[], pinned: boolean }} Found */

/** @param {{ title: string, body: string }} text */
export const wholeText = ({ title, body }) => `${title}\n${body}`;

/**
 * What is wrong with the notes that all have in the end, in the list and in the trash; null when nothing is.
 * @param {WordLedger} ledger
 * @param {TagLedger} tags
 * @param {Found[]} listed
 * @param {Found[]} trashed
 */
export function problem(ledger, tags, listed, trashed) {
    for (const note of trashed) {
        const word = ledger.unseenWord(note.id, wholeText(note));
        if (word) return `${note.id} is in the trash with ${word}, which nobody who deleted it had seen`;
    }
    const all = [...listed, ...trashed];
    return ledger.problem(all.map(wholeText)) ?? tags.problem(all);
}
