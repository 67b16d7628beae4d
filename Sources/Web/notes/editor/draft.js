/**
 * One text of a note while it is edited, and what has come from elsewhere meanwhile.
 *
 * Two people write into it: whoever types, in a document that shows it, and others, as deltas on a text that was sent
 * before. A delta is carried over what was typed since, if that was elsewhere. What touches it, such as the rest of a word
 * behind which somebody wrote, is for the merge, which knows words; and while an input method composes, the document is
 * left alone. A delta that is refused comes again, as a part of one for a later text.
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
    /** @type {ChangeSet | null} what was typed since the text was taken */
    #since = null;
    /** @type {{ document: Text, text: string } | null} */
    #latest = null;

    /**
     * @param {Shown} shown
     * @param {Pick<typeof import("codemirror").ChangeSet, "of" | "empty">} changeSet
     */
    constructor(shown, changeSet) {
        this.#shown = shown;
        this.#changeSet = changeSet;
    }

    get text() {
        const document = this.#shown.text();
        if (this.#latest?.document !== document) this.#latest = { document, text: fit(document.toString()) };
        return this.#latest.text;
    }

    /**
     * Takes what was typed, after the document has it.
     * @param {ChangeSet} changes
     */
    typed(changes) {
        this.#since &&= this.#since.compose(changes);
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
     * Takes others' changes of the text that was taken, and shows them; false, and nothing is taken, where they and what
     * was typed since touch, or while something is being composed.
     * @param {Delta} delta
     */
    receive(delta) {
        const since = this.#since;
        this.#since = null;
        const changes = changesOf(delta);
        if (!since || changes.length === 0) return true;
        if (this.#shown.isComposing() || changes.some(({ from, to }) => since.touchesRange(from, to))) return false;
        this.#shown.show(this.#changeSet.of(changes, since.length, "\n").map(since));
        return true;
    }
}
