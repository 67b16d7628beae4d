/**
 * One text of a note while it is edited, and what has come from elsewhere meanwhile.
 *
 * Two people write into it: whoever types, in a document that shows it, and others, as deltas on a text that was sent
 * before. A delta is carried over what was typed since; while an input method composes, the document is left alone, and
 * the delta waits here. What is sent has it nevertheless.
 */

/** @import { ChangeSet, Text } from "codemirror" */
/** @typedef {(number | string)[]} Delta */

/**
 * The document that shows the text.
 * @typedef {object} Shown
 * @property {() => Text} text
 * @property {() => boolean} isComposing
 * @property {(changes: ChangeSet) => void} show changes of others
 */

/**
 * A delta's changes of a document.
 * @param {Delta} delta
 * @returns {{ from: number, to: number, insert: string }[]}
 */
function changesOf(delta) {
    const changes = [];
    let offset = 0;
    for (const part of delta) {
        if (typeof part === "string") changes.push({ from: offset, to: offset, insert: part });
        else if (part > 0) offset += part;
        else {
            changes.push({ from: offset, to: offset - part, insert: "" });
            offset -= part;
        }
    }
    return changes;
}

/**
 * A text that every server takes: what is no character is U+FFFD, at the same place.
 * @param {string} text
 */
export const fit = (text) => text.toWellFormed().replaceAll("\0", "\ufffd");

export class Draft {
    #shown;
    #changeSet;
    /** @type {ChangeSet | null} of others, not in the document yet */
    #held = null;
    /** @type {ChangeSet | null} what was typed since the text was taken, on top of what was held then */
    #since = null;
    /** @type {{ document: Text, held: ChangeSet | null, text: string } | null} */
    #latest = null;

    /**
     * @param {Shown} shown
     * @param {Pick<typeof import("codemirror").ChangeSet, "of" | "empty">} changeSet
     */
    constructor(shown, changeSet) {
        this.#shown = shown;
        this.#changeSet = changeSet;
    }

    /** The text with the changes of all. */
    get text() {
        const document = this.#shown.text();
        if (this.#latest?.document !== document || this.#latest.held !== this.#held) {
            const whole = this.#held ? this.#held.apply(document) : document;
            this.#latest = { document, held: this.#held, text: fit(whole.toString()) };
        }
        return this.#latest.text;
    }

    /**
     * Takes what was typed, after the document has it.
     * @param {ChangeSet} changes
     */
    typed(changes) {
        // Both sides agree on the order of two insertions at one place: others' first, as in a merge.
        const whole = this.#held ? changes.map(this.#held) : changes;
        this.#held &&= this.#held.map(changes, true);
        this.#since &&= this.#since.compose(whole);
    }

    /** The text as it is now, which the next delta is for. */
    take() {
        const { text } = this;
        this.#since = this.#changeSet.empty(text.length);
        return text;
    }

    /** No delta comes for the text that was taken. */
    forget() {
        this.#since = null;
    }

    /**
     * Takes others' changes of the text that was taken.
     * @param {Delta} delta
     */
    receive(delta) {
        const since = this.#since;
        this.#since = null;
        const changes = changesOf(delta);
        if (!since || changes.length === 0) return;
        const theirs = this.#changeSet.of(changes, since.length, "\n").map(since, true);
        this.#held = this.#held ? this.#held.compose(theirs) : theirs;
        this.settle();
    }

    /** Shows what was held, unless something is being composed. */
    settle() {
        const held = this.#held;
        if (!held || this.#shown.isComposing()) return;
        this.#held = null;
        this.#shown.show(held);
    }
}
