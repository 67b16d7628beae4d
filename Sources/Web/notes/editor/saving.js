/**
 * Writes the user's changes to disk, immediately and one at a time, and applies other devices' changes to the draft.
 *
 * `read` is the last text that both the draft and the engine know. An edit sends `read` with the draft's text, so that
 * the engine merges all changes since; the response contains others' changes as deltas on the sent text. `read` then
 * becomes the record's text if the draft has applied the deltas, and the sent text if not.
 */

import { empty, isSame, mergedText } from "../sync/text.js";

/** @import { NoteRecord } from "../sync/record.js" */
/** @import { Text } from "../sync/text.js" */
/** @import { Draft, Delta } from "./draft.js" */

/**
 * The required methods of the engine.
 * @typedef {object} Disk
 * @property {(id: string) => Promise<NoteRecord | null>} note
 * @property {(id: string, read: Text, text: Text) =>
 *     Promise<{ record: NoteRecord, fromMine: { title: Delta, body: Delta } }>} edit
 * @property {(from: string, to: string) => Promise<Delta>} diff
 */

/**
 * The result of a write or read. `record` is null if the note was removed permanently; `saved` is true if the text is on
 * disk.
 * @typedef {{ record: NoteRecord | null, saved: boolean, failure: unknown }} SaveResult
 */

/** @returns {string} */
const never = () => {
    throw new TypeError("texts are merged by the engine");
};

export class Saving {
    #disk;
    #drafts;
    #onResult;
    #id;
    #read;
    #isDirty = false;
    #isStale = false;
    #isRunning = false;
    /** @type {Text | null} the text that was sent and has no response yet */
    #sent = null;
    /** @type {Promise<void>} */
    #run = Promise.resolve();

    /**
     * @param {object} parts
     * @param {Disk} parts.disk
     * @param {NoteRecord} parts.record the record that the drafts show
     * @param {{ title: Draft, body: Draft }} parts.drafts
     * @param {(result: SaveResult) => void} parts.onResult
     */
    constructor({ disk, record, drafts, onResult }) {
        this.#disk = disk;
        this.#drafts = drafts;
        this.#onResult = onResult;
        this.#id = record.id;
        this.#read = record.text;
        /** @type {NoteRecord | null} */
        this.record = record;
        this.tags = record.text.tags;
        this.pinned = record.text.pinned;
    }

    /** True if the text is not on disk. */
    get isDirty() {
        return this.#isDirty || this.#sent !== null;
    }

    /** The texts that a closing page keeps: the last known, the sent and the current one; none if all is on disk. */
    get unstored() {
        return this.isDirty ? [this.#read, this.#sent ?? this.#read, this.text] : [];
    }

    /** @returns {Text} */
    get text() {
        return {
            title: this.#drafts.title.text,
            body: this.#drafts.body.text,
            tags: this.tags,
            pinned: this.pinned,
        };
    }

    /** Saves a change by the user. */
    save() {
        this.#isDirty = true;
        this.#start();
    }

    /** @param {string[]} tags */
    setTags(tags) {
        this.tags = tags;
        this.save();
    }

    /** @param {boolean} pinned */
    setPinned(pinned) {
        this.pinned = pinned;
        this.save();
    }

    /** Reads the record after it was changed elsewhere. */
    onRecordChange() {
        this.#isStale = true;
        this.#start();
    }

    /**
     * Handles the loss of the database: text that the server lacks now exists only in this draft. A record that comes
     * back from the server is older than the draft.
     */
    onStoreLost() {
        if (!this.record) return;
        this.#read = this.record.shadow?.text ?? empty;
        if (!isSame(this.#read, this.text)) this.save();
    }

    /**
     * Sends the current text without waiting for the pending response, because the page closes. The sent text is a
     * valid base because the engine handles edits in order.
     */
    flush() {
        if (!this.#sent || !this.#isDirty) return;
        this.#disk.edit(this.#id, this.#sent, this.text).catch(() => {});
    }

    /** Stops saving, because the text was saved as another note. */
    abandon() {
        this.#isDirty = false;
        this.#isStale = false;
    }

    /** Retries a failed write. */
    retry() {
        if (this.#isDirty && this.record) this.#start();
    }

    /** Resolves when the text is on disk or the write has failed. */
    finished() {
        return this.#run;
    }

    #start() {
        if (this.#isRunning) return;
        this.#isRunning = true;
        this.#run = this.#work();
    }

    async #work() {
        /** @type {unknown} */
        let failure = null;
        try {
            while (this.#isDirty || this.#isStale) {
                if (this.#isDirty) await this.#edit();
                else await this.#refresh();
                this.#onResult({ record: this.record, saved: !this.#isDirty, failure: null });
            }
        } catch (error) {
            failure = error;
        }
        this.#isRunning = false;
        if (failure) this.#onResult({ record: this.record, saved: !this.#isDirty, failure });
    }

    async #edit() {
        const { title, body } = this.#drafts;
        const mine = { title: title.snapshot(), body: body.snapshot(), tags: this.tags, pinned: this.pinned };
        this.#isDirty = false;
        this.#sent = mine;
        try {
            const { record, fromMine } = await this.#disk.edit(this.#id, this.#read, mine);
            this.#accept(record, fromMine, mine);
        } catch (error) {
            this.#isDirty = true;
            this.record = await this.#disk.note(this.#id).catch(() => this.record);
            title.forget();
            body.forget();
            throw error;
        } finally {
            this.#sent = null;
        }
    }

    async #refresh() {
        this.#isStale = false;
        const read = this.#read;
        const { title, body } = this.#drafts;
        const mine = { title: title.snapshot(), body: body.snapshot(), tags: this.tags, pinned: this.pinned };
        try {
            const record = await this.#disk.note(this.#id);
            if (!record) {
                this.record = null;
                return;
            }
            this.#accept(
                record,
                {
                    title: await this.#difference(read.title, record.text.title),
                    body: await this.#difference(read.body, record.text.body),
                },
                mine,
            );
        } finally {
            title.forget();
            body.forget();
        }
    }

    /**
     * @param {string} from
     * @param {string} to
     * @returns {Promise<Delta>}
     */
    async #difference(from, to) {
        return from === to ? [] : await this.#disk.diff(from, to);
    }

    /**
     * @param {NoteRecord} record
     * @param {{ title: Delta, body: Delta }} fromMine
     * @param {Text} mine
     */
    #accept(record, fromMine, mine) {
        this.record = record;
        const now = { ...mine, tags: this.tags, pinned: this.pinned };
        ({ tags: this.tags, pinned: this.pinned } = mergedText(mine, record.text, now, never));
        const { title, body } = this.#drafts;
        this.#read = {
            ...record.text,
            title: title.receive(fromMine.title) ? record.text.title : mine.title,
            body: body.receive(fromMine.body) ? record.text.body : mine.body,
        };
    }
}
