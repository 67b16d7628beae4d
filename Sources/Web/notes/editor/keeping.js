/** The life of an open note until all of it is on the disk: others' changes are taken in, refused writes tried again. */
import { Saving } from "./saving.js";

/** @import { Context } from "../frame.js" */
/** @import { NoteRecord } from "../sync/record.js" */
/** @import { Draft } from "./draft.js" */
/** @import { OpenNote } from "./note.js" */
/** @import { News } from "./saving.js" */

/** The time until a write that the device's storage refused is tried again, in milliseconds. */
const retryPause = 3000;
/**
 * The time without typing until what others changed is asked for, in milliseconds: before, what is typed is brought to
 * the disk, and comes back with it.
 */
const typingPause = 100;

export class Keeping {
    #context;
    #note;
    #show;
    #end;
    #closing = new AbortController();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #again;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #hearing;
    #typedAt = Number.NEGATIVE_INFINITY;
    #isClosed = false;
    /** The reason why the disk has refused what is here. @type {unknown} */
    failure = null;

    /**
     * @param {Pick<Context, "engine" | "texts" | "unsaved" | "fail">} context
     * @param {OpenNote} note
     * @param {object} parts
     * @param {NoteRecord} parts.record
     * @param {{ title: Draft, body: Draft }} parts.drafts
     * @param {() => void} parts.show shows how the note stands
     * @param {() => void} parts.end closes what the note consists of
     */
    constructor(context, note, { record, drafts, show, end }) {
        this.#context = context;
        this.#note = note;
        this.#show = show;
        this.#end = end;
        const { engine } = context;
        this.saving = new Saving({ disk: engine, record, drafts, tell: (news) => this.#tell(news) });
        const { signal } = this.#closing;
        engine.addEventListener(
            "changed",
            (event) => /** @type {CustomEvent<Set<string>>} */ (event).detail.has(record.id) && this.#hear(),
            { signal },
        );
        engine.addEventListener("lost", () => this.saving.lost(), { signal });
        // Only where nothing is typed afterwards: what is typed then has no base that has what was sent so.
        addEventListener("pagehide", ({ persisted }) => !persisted && this.saving.flush(), { signal });
        addEventListener("beforeunload", (event) => this.isRefused && event.preventDefault(), { signal });
    }

    /** Whether the disk has refused what is here. */
    get isRefused() {
        return this.failure !== null && this.saving.isDirty;
    }

    typed() {
        this.#typedAt = performance.now();
        this.saving.changed();
    }

    /** Is kept when all of it is on the disk; rejected where it cannot be. */
    async flush() {
        await this.saving.finished();
        if (this.saving.isDirty && this.saving.record) {
            this.saving.retry();
            await this.saving.finished();
        }
        if (this.saving.isDirty) throw this.failure ?? new Error(this.#context.texts.say("editor.unsaved"));
    }

    /** Brings to the disk what is here. Where the disk refuses it, it is tried again until it does not. */
    async close() {
        this.#isClosed = true;
        this.#context.unsaved.add(this.#note);
        await this.saving.finished();
        if (!this.#isClosed) return;
        if (!this.saving.isDirty) this.#finish();
        else if (!this.saving.record) await this.keepAsNew().catch(this.#context.fail);
    }

    /** Is shown again, before all of it was on the disk. */
    reopen() {
        this.#isClosed = false;
        if (!this.isRefused) this.#context.unsaved.delete(this.#note);
        this.#show();
    }

    /** Makes a note of what is here, where the one that was opened is gone. */
    async keepAsNew() {
        const record = await this.#context.engine.create(this.saving.text);
        this.saving.abandon();
        this.#finish();
        return record;
    }

    #finish() {
        if (this.#closing.signal.aborted) return;
        this.#closing.abort();
        this.#context.unsaved.delete(this.#note);
        clearTimeout(this.#again);
        clearTimeout(this.#hearing);
        this.#end();
    }

    /** The record was changed, here or elsewhere. */
    #hear() {
        clearTimeout(this.#hearing);
        const wait = this.#typedAt + typingPause - performance.now();
        if (wait <= 0) this.saving.moved();
        else this.#hearing = setTimeout(() => this.#hear(), wait);
    }

    /** @param {News} news */
    #tell({ saved, failure }) {
        this.failure = failure;
        clearTimeout(this.#again);
        if (failure && !saved) this.#again = setTimeout(() => this.saving.retry(), retryPause);
        if (this.#isClosed && saved) return this.#finish();
        const { unsaved } = this.#context;
        if (this.#isClosed || this.isRefused) unsaved.add(this.#note);
        else unsaved.delete(this.#note);
        if (!this.#isClosed) this.#show();
    }
}
