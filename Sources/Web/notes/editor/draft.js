/**
 * A text of a note during an edit, with changes that arrive meanwhile.
 *
 * Both the user and other devices change the document: the user by typing, other devices by deltas on a text that was
 * taken earlier. A delta is mapped over the user's later changes if the two do not touch. If they touch, such as at the
 * end of a word, the merge must decide, because it knows words. While an input method composes, no delta is applied. A
 * refused delta comes again as part of a delta on a later text.
 */

/** @import { ChangeSet, Text } from "codemirror" */
/** @typedef {(number | string)[]} Delta */

/**
 * The document that shows the text.
 * @typedef {object} Shown
 * @property {() => Text} text
 * @property {() => boolean} isComposing
 * @property {(changes: ChangeSet) => void} show shows changes by other devices
 */

/**
 * Converts a delta to changes of a document.
 * @param {Delta} delta
 * @returns {{ from: number, to: number, insert: string }[]}
 */
export function changesOf(delta) {
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

/** Replaces U+0000 and unpaired surrogates by U+FFFD, so that every server accepts the text. @param {string} text */
export const fit = (text) => text.toWellFormed().replaceAll("\0", "\ufffd");

export class Draft {
    #shown;
    #changeSet;
    /** @type {ChangeSet | null} the user's changes since the text was taken */
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

    /** Records the user's changes after the document has applied them. @param {ChangeSet} changes */
    recordTyping(changes) {
        this.#since &&= this.#since.compose(changes);
    }

    /** Returns the current text, which the next delta is based on. */
    snapshot() {
        const { text } = this;
        this.#since = this.#changeSet.empty(text.length);
        return text;
    }

    /** Discards the taken text, because no delta for it will come. */
    forget() {
        this.#since = null;
    }

    /**
     * Applies a delta of other devices to the taken text and shows the result. Returns false without any change if the
     * delta touches the user's later changes, or while an input method composes.
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
