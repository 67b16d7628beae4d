/**
 * Brings what is typed onto the disk, at once and one change at a time, and what comes from elsewhere into the draft.
 *
 * `read` is the last text that the draft and the engine both know. An edit sends it with the draft's text, so the engine
 * merges with what happened since; its answer says what others' changes mean for the text that was sent. Once the draft has
 * taken these in, `read` is the record's text; until then it is what was sent.
 */

import { empty, isSame, mergedText } from "../sync/text.js";

/** @import { NoteRecord } from "../sync/record.js" */
/** @import { Text } from "../sync/text.js" */
/** @import { Draft, Delta } from "./draft.js" */

/**
 * What it needs of the engine.
 * @typedef {object} Disk
 * @property {(id: string) => Promise<NoteRecord | null>} note
 * @property {(id: string, read: Text, text: Text) =>
 *     Promise<{ record: NoteRecord, fromMine: { title: Delta, body: Delta } }>} edit
 * @property {(from: string, to: string) => Promise<Delta>} diff
 */

/**
 * What became of the note: the record as it is now, or null where it was removed for good. `saved`: nothing is in this tab
 * alone.
 * @typedef {{ record: NoteRecord | null, saved: boolean, failure: unknown }} News
 */

/** @returns {string} */
const never = () => {
    throw new TypeError("texts are merged by the engine");
};

export class Saving {
    #disk;
    #drafts;
    #tell;
    #id;
    #read;
    #isDirty = false;
    #isStale = false;
    #isRunning = false;
    /** @type {Text | null} sent, and not answered yet */
    #sent = null;
    /** @type {Promise<void>} */
    #run = Promise.resolve();

    /**
     * @param {object} parts
     * @param {Disk} parts.disk
     * @param {NoteRecord} parts.record as the drafts show it
     * @param {{ title: Draft, body: Draft }} parts.drafts
     * @param {(news: News) => void} parts.tell
     */
    constructor({ disk, record, drafts, tell }) {
        this.#disk = disk;
        this.#drafts = drafts;
        this.#tell = tell;
        this.#id = record.id;
        this.#read = record.text;
        /** @type {NoteRecord | null} */
        this.record = record;
        this.tags = record.text.tags;
        this.pinned = record.text.pinned;
    }

    /** Whether something is in this tab alone. */
    get isDirty() {
        return this.#isDirty || this.#sent !== null;
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

    /** Something was typed. */
    changed() {
        this.#isDirty = true;
        this.#start();
    }

    /** @param {string[]} tags */
    setTags(tags) {
        this.tags = tags;
        this.changed();
    }

    /** @param {boolean} pinned */
    setPinned(pinned) {
        this.pinned = pinned;
        this.changed();
    }

    /** The record was changed by somebody. */
    moved() {
        this.#isStale = true;
        this.#start();
    }

    /**
     * The browser has taken away what was on the disk: what the server did not have by then is here alone. The record that
     * comes back from there is older than the draft.
     */
    lost() {
        if (!this.record) return;
        this.#read = this.record.shadow?.text ?? empty;
        if (!isSame(this.#read, this.text)) this.changed();
    }

    /**
     * Sends what is here without waiting for the answer to what was sent before: the page ends. What was sent is the base
     * then, since the engine takes one after the other.
     */
    flush() {
        if (!this.#sent || !this.#isDirty) return;
        this.#disk.edit(this.#id, this.#sent, this.text).catch(() => {});
    }

    /** What is here is kept elsewhere. */
    abandon() {
        this.#isDirty = false;
        this.#isStale = false;
    }

    /** Tries again what failed. */
    retry() {
        if (this.#isDirty && this.record) this.#start();
    }

    /** Is kept when all is on the disk, or cannot be. */
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
                this.#tell({ record: this.record, saved: !this.#isDirty, failure: null });
            }
        } catch (error) {
            failure = error;
        }
        this.#isRunning = false;
        if (failure) this.#tell({ record: this.record, saved: !this.#isDirty, failure });
    }

    async #edit() {
        const { title, body } = this.#drafts;
        const mine = { title: title.take(), body: body.take(), tags: this.tags, pinned: this.pinned };
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
        const mine = { title: title.take(), body: body.take(), tags: this.tags, pinned: this.pinned };
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
