/** An environment's draft, stored in the browser and shared by its tabs. */
import { InvalidTexts } from "./invalid-texts.js";
import {
    changeOf,
    conflicts,
    edit,
    editAll,
    noDraft,
    patchBody,
    readDraft,
    restored,
    sameContent,
    undo,
    withoutSaved,
    writeDraft,
} from "./state/draft.js";
import { rebase } from "./state/rebase.js";

/** @typedef {import("./state/draft.js").Content} Content */

/** The debounce before the draft is stored, in milliseconds. */
const storeDebounce = 250;

/** Events: `change` (detail: the changed keys, or null for all); `full` when storing the draft fails. */
export class DraftStore extends EventTarget {
    /**
     * @param {string} environment
     * @param {Storage} storage
     * @param {Storage} tabStorage
     */
    constructor(environment, storage, tabStorage) {
        super();
        /** Typed texts that the draft cannot contain; they block its review. */
        this.invalid = new InvalidTexts(environment, tabStorage);
        /** The entry whose first invalid field gets the focus once its form exists. */
        this.wantedKey = "";
        this.storageKey = `almanac.draft.${environment}`;
        this.storage = storage;
        this.draft = this.read();
        /** False while the draft does not fit into the browser's storage. */
        this.isStored = true;
        this.written = true;
        /** @type {ReturnType<typeof setTimeout> | undefined} */
        this.timer = undefined;
        this.closing = new AbortController();
        const { signal } = this.closing;
        addEventListener("storage", (event) => this.onStorage(event), { signal });
        addEventListener("pagehide", () => this.write(), { signal });
        addEventListener("beforeunload", (event) => this.onUnload(event), { signal });
    }

    read() {
        try {
            return readDraft(this.storage.getItem(this.storageKey));
        } catch {
            return noDraft;
        }
    }

    get changes() {
        return this.draft.changes;
    }

    get size() {
        return Object.keys(this.draft.changes).length;
    }

    get conflicts() {
        return conflicts(this.draft.changes);
    }

    get body() {
        return patchBody(this.draft.changes);
    }

    /** @param {string} key */
    change(key) {
        return changeOf(this.draft.changes, key);
    }

    /**
     * @param {string} key
     * @param {Content | null} before
     * @param {Content | null} after
     */
    edit(key, before, after) {
        if (after === null) this.invalid.clear(key);
        this.replace(edit(this.draft, key, before, after), [key]);
    }

    /**
     * Applies edits as one step, and returns a function that undoes them.
     * @param {import("./state/draft.js").Edit[]} edits
     */
    editAll(edits) {
        const before = this.draft;
        const keys = edits.map(([key]) => key);
        for (const [key, , after] of edits) if (after === null) this.invalid.clear(key);
        this.replace(editAll(before, edits), keys);
        return () => this.replace(restored(this.draft, before, keys), keys);
    }

    /**
     * Keeps a field's typed text while it is invalid.
     * @param {string} key
     * @param {string} field
     * @param {import("./invalid-texts.js").InvalidText | null} text
     */
    setInvalid(key, field, text) {
        if (this.invalid.set(key, field, text)) this.dispatchEvent(new CustomEvent("change", { detail: [key] }));
    }

    /** @param {string} key */
    undo(key) {
        this.invalid.clear(key);
        const gone = this.change(key);
        this.drop(key);
        return gone;
    }

    /**
     * Removes a change, but keeps the texts of invalid fields.
     * @param {string} key
     */
    drop(key) {
        this.replace(undo(this.draft, key), [key]);
    }

    /**
     * Restores a change that was undone.
     * @param {string} key
     * @param {import("./state/draft.js").Change} change
     */
    redo(key, change) {
        this.replace({ ...this.draft, changes: { ...this.draft.changes, [key]: change } }, [key]);
    }

    clear() {
        const keys = [...Object.keys(this.draft.changes), ...this.invalid.all.keys()];
        this.invalid.clearAll();
        this.replace(noDraft, keys);
    }

    /** @param {string} message */
    setMessage(message) {
        this.replace({ ...this.draft, message }, []);
    }

    /** @param {import("./state/draft.js").Changes} sent */
    saved(sent) {
        this.replace(withoutSaved(this.draft, sent), Object.keys(sent));
    }

    /**
     * Rebases a change onto the entry's present content.
     * @param {string} key
     * @param {Content | null} theirs
     * @param {string} [by]
     */
    rebase(key, theirs, by) {
        const change = this.change(key);
        if (!change) return;
        const next = rebase(change, theirs, by);
        if (next === null) this.drop(key);
        else if (JSON.stringify(next) !== JSON.stringify(change)) this.redo(key, next);
    }

    /**
     * Resolves a conflict with the user's content or with the saved content.
     * @param {string} key
     * @param {Content | null} after
     */
    resolve(key, after) {
        const change = this.change(key);
        if (change?.theirs === undefined) return;
        if (!sameContent(after, change.after)) this.invalid.clear(key);
        const next = rebase({ before: change.theirs, after }, change.theirs);
        if (next === null) this.drop(key);
        else this.redo(key, next);
    }

    /**
     * @param {import("./state/draft.js").Draft} draft
     * @param {string[]} keys
     */
    replace(draft, keys) {
        this.draft = draft;
        this.written = false;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.write(), storeDebounce);
        this.dispatchEvent(new CustomEvent("change", { detail: keys }));
    }

    write() {
        clearTimeout(this.timer);
        if (this.written) return;
        this.written = true;
        try {
            if (this.size === 0 && this.draft.message === "") this.storage.removeItem(this.storageKey);
            else this.storage.setItem(this.storageKey, writeDraft(this.draft));
            this.isStored = true;
        } catch {
            const was = this.isStored;
            this.isStored = false;
            if (was) this.dispatchEvent(new Event("full"));
        }
    }

    /**
     * Asks for confirmation before an unstored draft is lost.
     * @param {BeforeUnloadEvent} event
     */
    onUnload(event) {
        this.write();
        if (!this.isStored && this.size > 0) event.preventDefault();
    }

    /**
     * Takes over the draft of another tab. Changes that this tab has not stored yet override it, key by key.
     * @param {StorageEvent} event
     */
    onStorage(event) {
        if (event.key !== this.storageKey || event.storageArea !== this.storage) return;
        const theirs = readDraft(event.newValue);
        if (this.written) this.draft = theirs;
        else {
            const base = readDraft(event.oldValue).changes;
            const changes = { ...theirs.changes };
            for (const key of new Set([...Object.keys(this.changes), ...Object.keys(base)])) {
                const mine = changeOf(this.changes, key);
                if (JSON.stringify(mine) === JSON.stringify(changeOf(base, key))) continue;
                if (mine) changes[key] = mine;
                else delete changes[key];
            }
            this.draft = { message: this.draft.message || theirs.message, changes };
        }
        this.dispatchEvent(new CustomEvent("change", { detail: null }));
    }

    close() {
        this.write();
        this.closing.abort();
    }
}
