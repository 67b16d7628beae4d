/** The life of an open note until its text is on disk: applies other devices' changes and retries failed writes. */
import { forgetText, keepTexts } from "../account/closing-texts.js";
import { Saving } from "./saving.js";

/** @import { Context } from "../frame.js" */
/** @import { NoteRecord } from "../sync/record.js" */
/** @import { Draft } from "./draft.js" */
/** @import { OpenNote } from "./note.js" */
/** @import { SaveResult } from "./saving.js" */

/** The pause before a write that the device's storage refused is retried, in milliseconds. */
const retryPause = 3000;
/**
 * The idle time before other devices' changes are requested, in milliseconds; while the user types, the responses to
 * writes contain them.
 */
const typingPause = 100;

export class NoteLifetime {
    #context;
    #note;
    #show;
    #end;
    #closing = new AbortController();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #retryTimer;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #refreshTimer;
    #typedAt = Number.NEGATIVE_INFINITY;
    #isClosed = false;
    /** True while local storage may have text of this note. */
    #isKept = false;
    /** The reason why the storage refused the text. @type {unknown} */
    failure = null;

    /**
     * @param {Pick<Context, "engine" | "texts" | "unsaved" | "fail" | "device" | "environment" | "account">} context
     * @param {OpenNote} note
     * @param {object} parts
     * @param {NoteRecord} parts.record
     * @param {{ title: Draft, body: Draft }} parts.drafts
     * @param {() => void} parts.show shows the note's state
     * @param {() => void} parts.end closes the note's fields
     */
    constructor(context, note, { record, drafts, show, end }) {
        this.#context = context;
        this.#note = note;
        this.#show = show;
        this.#end = end;
        const { engine } = context;
        this.saving = new Saving({ disk: engine, record, drafts, onResult: (result) => this.#onSaveResult(result) });
        const { signal } = this.#closing;
        engine.addEventListener(
            "changed",
            (event) => /** @type {CustomEvent<Set<string>>} */ (event).detail.has(record.id) && this.#onRecordChange(),
            { signal },
        );
        engine.addEventListener("lost", () => this.saving.onStoreLost(), { signal });
        const onEnd = (/** @type {PageTransitionEvent} */ { persisted }) => {
            if (!this.#keepText()) return;
            // A kept page may never come back, and must not store texts that another page has stored meanwhile.
            if (persisted) engine.abandon();
            else this.saving.flush();
        };
        const onLeaving = (/** @type {BeforeUnloadEvent} */ event) => {
            if (this.isRefused) event.preventDefault();
            // Firefox often ends a page without `pagehide`.
            else this.#keepText();
        };
        addEventListener("pagehide", onEnd, { signal });
        addEventListener("beforeunload", onLeaving, { signal });
    }

    /** True if the storage refused the current text. */
    get isRefused() {
        return this.failure !== null && this.saving.isDirty;
    }

    onTyping() {
        this.#typedAt = performance.now();
        this.saving.save();
    }

    /** Resolves when the text is on disk; rejected if it cannot be written. */
    async flush() {
        await this.saving.finished();
        if (this.saving.isDirty && this.saving.record) {
            this.saving.retry();
            await this.saving.finished();
        }
        if (this.saving.isDirty) throw this.failure ?? new Error(this.#context.texts.say("editor.unsaved"));
    }

    /**
     * Saves the text and closes the note. A refused write is retried until it succeeds, and a new note without any
     * change is removed.
     */
    async close() {
        this.#isClosed = true;
        this.#context.unsaved.add(this.#note);
        await this.saving.finished();
        if (!this.#isClosed) return;
        const { isDirty, record } = this.saving;
        const { engine, fail } = this.#context;
        if (!isDirty) this.#finish();
        if (!isDirty && record?.isUnwritten) await engine.removeUnwritten(record.id).catch(fail);
        else if (isDirty && !record) await this.keepAsNew().catch(fail);
    }

    /** Shows the note again before its text was on disk. */
    reopen() {
        this.#isClosed = false;
        if (!this.isRefused) this.#context.unsaved.delete(this.#note);
        this.#show();
    }

    /** Creates a note from the text of a note that is gone. */
    async keepAsNew() {
        const record = await this.#context.engine.create(this.saving.text);
        this.saving.abandon();
        this.#finish();
        return record;
    }

    /** Keeps text that is not on disk for the next start. Returns false if all text is on disk. */
    #keepText() {
        const { unstored } = this.saving;
        if (unstored.length === 0) return false;
        keepTexts(this.#context.device.storage, this.#context, this.#note.id, unstored);
        this.#isKept = true;
        return true;
    }

    #finish() {
        if (this.#closing.signal.aborted) return;
        this.#closing.abort();
        this.#context.unsaved.delete(this.#note);
        clearTimeout(this.#retryTimer);
        clearTimeout(this.#refreshTimer);
        this.#end();
    }

    /** Schedules reading the record after a change. */
    #onRecordChange() {
        clearTimeout(this.#refreshTimer);
        const wait = this.#typedAt + typingPause - performance.now();
        if (wait <= 0) this.saving.onRecordChange();
        else this.#refreshTimer = setTimeout(() => this.#onRecordChange(), wait);
    }

    /** @param {SaveResult} result */
    #onSaveResult({ saved, failure }) {
        this.failure = failure;
        if (saved && this.#isKept) {
            forgetText(this.#context.device.storage, this.#context, this.#note.id);
            this.#isKept = false;
        }
        clearTimeout(this.#retryTimer);
        if (failure && !saved) this.#retryTimer = setTimeout(() => this.saving.retry(), retryPause);
        if (this.#isClosed && saved) return this.#finish();
        const { unsaved } = this.#context;
        if (this.#isClosed || this.isRefused) unsaved.add(this.#note);
        else unsaved.delete(this.#note);
        if (!this.#isClosed) this.#show();
    }
}
