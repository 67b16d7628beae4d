/**
 * Sends what is only here and fetches what is new, until both sides are up to date; as AlmanacNotes does. One runs at a
 * time on a device: a lock of the page's sees to that.
 */

import * as progressOf from "./progress.js";
import * as records from "./record.js";
import { Refusal } from "./server.js";
import { outcome, cursor as readCursor, revisionToRead, UnexpectedAnswer, written } from "./wire.js";

/** @import { Merge, NoteRecord, Outcome } from "./record.js" */
/** @import { Progress } from "./progress.js" */
/** @import { NotesServer } from "./server.js" */
/** @import { NotesStore, View } from "./store.js" */
/** @import { Diff, Result } from "./wire.js" */

/** Many notes are gone on the server: whether they may go here too, only the user can say. */
export class DecisionNeeded extends Error {
    /**
     * @param {number} missing
     * @param {number} total
     */
    constructor(missing, total) {
        super(`${missing} of ${total} notes are not on the server any more`);
        this.missing = missing;
        this.total = total;
    }
}

/** @typedef {{ record: NoteRecord, action: records.Action, text: string }} Sendable */

const mostActions = 100;
const mostBytes = 1 << 20;
/** So many rounds end a sync even while its user goes on typing. */
const mostRounds = 20;
/** So often in one sync a history may be lost. */
const mostLosses = 4;

export class Sync {
    #store;
    #server;
    #text;
    #identifier;
    #announce;

    /**
     * @param {object} parts
     * @param {NotesStore} parts.store
     * @param {NotesServer} parts.server
     * @param {{ merge: Merge, diff: Diff }} parts.text
     * @param {() => string} parts.identifier makes the ids of actions
     * @param {(ids: Set<string>) => void} parts.announce is told which notes have changed
     */
    constructor({ store, server, text, identifier, announce }) {
        this.#store = store;
        this.#server = server;
        this.#text = text;
        this.#identifier = identifier;
        this.#announce = announce;
    }

    /** Throws why the two sides are not up to date; the next one begins where this one ended. */
    async run() {
        await this.#pull();
        // One action a note at a time: an edit of a new note takes two rounds.
        for (let round = 0; round < mostRounds; round += 1) {
            if (!(await this.#push())) return;
            await this.#pull();
        }
    }

    /**
     * Answers `DecisionNeeded`: notes that the server does not have any more go to the trash here too, or are sent again.
     * The next sync goes on with it.
     * @param {"moveToTrash" | "keep"} decision
     */
    async decide(decision) {
        const changed = await this.#store.write(async (view) => {
            const progress = await view.progress();
            if (progress.phase !== "deciding") return [];
            return await this.#settleMissing(view, progress, decision);
        });
        this.#announce(new Set(changed));
    }

    // From the server.

    async #pull() {
        for (let losses = 0; ; ) {
            const asked = await this.#store.read((view) => view.progress());
            const query = progressOf.query(asked);
            if (!query) throw await this.#store.read((view) => this.#decisionNeeded(view));
            let page;
            try {
                page = await this.#server.page(query);
            } catch (failure) {
                losses += 1;
                if (!(failure instanceof Refusal) || failure.status !== 410 || losses >= mostLosses) throw failure;
                await this.#store.write((view) => loseHistory(view, asked));
                continue;
            }
            if (await this.#receivePage(checkedPage(page), asked)) return;
        }
    }

    /**
     * @param {Page} page
     * @param {Progress} asked
     * @returns {Promise<boolean>} whether everything is here now
     */
    async #receivePage(page, asked) {
        /** @type {Set<string>} */
        const changed = new Set();
        const isUpToDate = await this.#store.write(async (view) => {
            changed.clear();
            const progress = await view.progress();
            if (!isSameProgress(progress, asked)) return false;
            if (progress.phase === "changes" && progress.cursor && progress.cursor.lineage !== page.cursor.lineage) {
                // An account that began after this device had asked for the first time.
                await changeAll(view, records.forgetHistory);
            }
            await this.#saveNotes(view, page, changed);
            if (asked.phase === "manifest") await view.addToManifest(page.manifest);
            const next = page.more || asked.phase === "manifest" ? page.next : null;
            const isLast = progressOf.receivePage(progress, page.cursor, next);
            if (isLast && asked.phase === "first") progress.phase = "changes";
            if (isLast && asked.phase === "manifest") {
                for (const id of await this.#compare(view, progress, page.cursor.lineage)) changed.add(id);
            }
            await view.saveProgress(progress);
            return isLast && asked.phase === "changes";
        });
        this.#announce(changed);
        return isUpToDate;
    }

    /**
     * @param {View} view
     * @param {Page} page
     * @param {Set<string>} changed
     */
    async #saveNotes(view, page, changed) {
        const { merge } = this.#text;
        const { lineage } = page.cursor;
        for (const { id, text, revision, position, createdAt, updatedAt } of page.notes) {
            const known = await view.note(id);
            const record = known ?? records.newRecord(id, text, { createdAt, updatedAt });
            const before = JSON.stringify(known);
            records.receiveChange(record, { cursor: { revision, lineage }, text, position }, merge);
            if (records.isClean(record)) Object.assign(record, { createdAt, updatedAt });
            if (JSON.stringify(record) === before) continue;
            await view.save(record);
            changed.add(id);
        }
        // A note that is gone has a revision of at most that of the page; one before its last is all that a page with
        // more to come says.
        const revision = page.cursor.revision + (page.next === null ? 0 : 1);
        for (const id of page.deleted) {
            const record = await view.note(id);
            if (!record) continue;
            const before = JSON.stringify(record);
            records.receiveChange(record, { cursor: { revision, lineage }, text: null, position: null }, merge);
            if (JSON.stringify(record) === before) continue;
            await view.save(record);
            changed.add(id);
        }
    }

    // When the histories have parted.

    /**
     * Compares the copy with the manifest that has been read.
     * @param {View} view
     * @param {Progress} progress
     * @param {string} lineage
     */
    async #compare(view, progress, lineage) {
        const manifest = await view.manifest();
        for (const record of await view.notes()) {
            const revision = manifest.get(record.id) ?? null;
            const shadow = record.shadow?.cursor ?? null;
            const isSame = shadow ? shadow.revision === revision && shadow.lineage === lineage : revision === null;
            if (isSame && record.lastReceived === revision) continue;
            records.forgetHistory(record);
            await view.save(record);
        }
        const { ids, total } = await missingNotes(view);
        if (ids.length * 5 <= total) return await this.#settleMissing(view, progress, "moveToTrash");
        progress.phase = "deciding";
        return [];
    }

    /**
     * @param {View} view
     * @param {Progress} progress
     * @param {"moveToTrash" | "keep"} decision
     */
    async #settleMissing(view, progress, decision) {
        const { ids } = await missingNotes(view);
        for (const id of ids) {
            const record = await view.note(id);
            if (!record) continue;
            if (decision === "keep") records.stayInList(record);
            else records.leaveList(record);
            await view.save(record);
        }
        await view.clearManifest();
        progressOf.restart(progress);
        await view.saveProgress(progress);
        return ids;
    }

    /** @param {View} view */
    async #decisionNeeded(view) {
        const { ids, total } = await missingNotes(view);
        return new DecisionNeeded(ids.length, total);
    }

    // To the server.

    /** @returns {Promise<boolean>} whether there was anything to send */
    async #push() {
        const all = await this.#begin();
        /** @type {Sendable[]} */
        let batch = [];
        let size = 0;
        for (const each of all) {
            if (batch.length > 0 && (batch.length === mostActions || size + each.text.length > mostBytes)) {
                await this.#send(batch);
                [batch, size] = [[], 0];
            }
            batch.push(each);
            size += each.text.length;
        }
        if (batch.length > 0) await this.#send(batch);
        return all.length > 0;
    }

    /**
     * Writes down what is about to be sent, and gives it with what has no result yet.
     * @returns {Promise<Sendable[]>}
     */
    async #begin() {
        const begun = await this.#store.write(async (view) => {
            /** @type {NoteRecord[]} */
            const ready = [];
            for (const record of await view.dirty(1000)) {
                if (!record.action) {
                    if (!(await canBegin(view, record)) || !records.beginAction(record, this.#identifier())) continue;
                    await view.save(record);
                }
                ready.push(record);
            }
            return ready;
        });
        return begun.flatMap((record) => {
            if (!record.action) return [];
            const text = JSON.stringify(written(record.action, record, this.#text.diff));
            return { record, action: record.action, text };
        });
    }

    /**
     * Sends a batch; one that is refused as a whole is sent in halves, down to the action at fault.
     * @param {Sendable[]} batch
     */
    async #send(batch) {
        let answer;
        try {
            answer = await this.#server.send(`[${batch.map((each) => each.text).join(",")}]`);
        } catch (failure) {
            const problem = failure instanceof Refusal ? refused(failure) : null;
            if (!problem) throw failure;
            const middle = Math.floor(batch.length / 2);
            if (middle === 0) {
                await this.#settle([{ ...batch[0], outcome: { kind: "rejected", problem } }]);
            } else {
                await this.#send(batch.slice(0, middle));
                await this.#send(batch.slice(middle));
            }
            return;
        }
        await this.#receiveResults(answer, batch);
    }

    /**
     * @param {any} answer
     * @param {Sendable[]} batch
     */
    async #receiveResults(answer, batch) {
        if (!Array.isArray(answer?.results)) throw new UnexpectedAnswer("there are no results");
        const sent = new Map(batch.map((each) => [each.action.id, each]));
        /** @type {{ each: Sendable, result: Result }[]} */
        const results = [];
        for (const result of answer.results) {
            const each = sent.get(result?.action_id);
            if (!each) continue;
            sent.delete(each.action.id);
            const revision = each.action.kind === "purge" ? null : revisionToRead(result);
            // Results that would have been too long leave the text out. One that can't be read now is sent again.
            const note = revision === null ? null : await this.#server.note(each.record.id, revision).catch(() => null);
            results.push({ each, result: note ? { ...result, note } : result });
        }
        const lineage = readCursor(answer.cursor)?.lineage;
        if (lineage === undefined && !results.every(({ result }) => result.status === "rejected")) {
            throw new UnexpectedAnswer("the results have no cursor");
        }
        /** @type {(Sendable & { outcome: Outcome })[]} */
        const outcomes = [];
        /** @type {unknown} */
        let failure = null;
        for (const { each, result } of results) {
            try {
                outcomes.push({ ...each, outcome: outcome(result, each.action, lineage ?? "") });
            } catch (caught) {
                // The others count all the same.
                failure = caught;
            }
        }
        await this.#settle(outcomes);
        if (failure) throw failure;
        if (outcomes.length < batch.length) throw new UnexpectedAnswer("some actions have no result");
    }

    /** @param {(Sendable & { outcome: Outcome })[]} outcomes */
    async #settle(outcomes) {
        /** @type {Set<string>} */
        const changed = new Set();
        await this.#store.write(async (view) => {
            changed.clear();
            for (const { record: sent, action, outcome } of outcomes) {
                const record = await view.note(sent.id);
                if (!record) continue;
                const before = JSON.stringify(record);
                if (records.receiveOutcome(record, outcome, action.id, this.#text.merge) === "remove") {
                    await view.remove(record.id);
                } else if (JSON.stringify(record) !== before) {
                    await view.save(record);
                } else {
                    continue;
                }
                changed.add(record.id);
            }
        });
        this.#announce(changed);
    }
}

/**
 * Lets a move wait until the server knows the note that it goes behind, and drops it where it never will.
 * @param {View} view
 * @param {NoteRecord} record
 */
async function canBegin(view, record) {
    const after = record.move?.after ?? null;
    if (records.nextAction(record) !== "move" || after === null) return true;
    const other = await view.note(after);
    if (other?.shadow) return true;
    if (other && records.isDirty(other)) return false;
    record.move = null;
    await view.save(record);
    return false;
}

/**
 * Why a batch is refused for what is in it; null where it was refused for anything else.
 * @param {Refusal} refusal
 * @returns {records.Problem | null}
 */
function refused({ status, problem, detail }) {
    // Something between here and the server may have the lowest limit of all, and other words for it.
    if (status === 413) {
        return { type: problem || "body-too-large", detail: detail || "The note is too long to be sent." };
    }
    return (status === 400 || status === 422) && problem ? { type: problem, detail } : null;
}

/**
 * @param {View} view
 * @param {Progress} asked
 */
async function loseHistory(view, asked) {
    // Another tab may have gone on meanwhile.
    const progress = await view.progress();
    if (!isSameProgress(progress, asked)) return;
    progressOf.loseHistory(progress);
    await view.clearManifest();
    await view.saveProgress(progress);
}

/**
 * @param {View} view
 * @param {(record: NoteRecord) => void} change
 */
async function changeAll(view, change) {
    for (const record of await view.notes()) {
        change(record);
        await view.save(record);
    }
}

/** @param {View} view */
async function missingNotes(view) {
    const [manifest, all] = [await view.manifest(), await view.notes()];
    const known = all.filter((record) => !records.isInTrash(record) && record.shadow);
    const missing = known.filter((record) => records.mayLeaveList(record) && !manifest.has(record.id));
    return { ids: missing.map((record) => record.id), total: known.length };
}

/**
 * @param {Progress} one
 * @param {Progress} other
 */
const isSameProgress = (one, other) =>
    one.phase === other.phase &&
    one.next === other.next &&
    JSON.stringify([one.cursor, one.destination]) === JSON.stringify([other.cursor, other.destination]);

/**
 * @typedef {object} Page
 * @property {records.Cursor} cursor
 * @property {{ id: string, text: records.Text, revision: number, position: string | null, createdAt: number,
 *     updatedAt: number }[]} notes
 * @property {string[]} deleted
 * @property {{ id: string, revision: number }[]} manifest
 * @property {boolean} more
 * @property {string | null} next
 */

/**
 * A page of notes, if a server of this kind can have sent it.
 * @param {any} page
 * @returns {Page}
 */
function checkedPage(page) {
    const cursor = readCursor(page?.cursor);
    if (!cursor) throw new UnexpectedAnswer("the notes have no cursor");
    const [order, deleted, manifest] = [page.order ?? [], page.deleted ?? [], page.manifest ?? []];
    if (![order, deleted, manifest].every(Array.isArray)) throw new UnexpectedAnswer("the notes are no lists");
    const ids = [...order, ...deleted, ...manifest.map((/** @type {any} */ each) => each?.id)];
    if (!ids.every((id) => typeof id === "string" && /^[A-Za-z0-9_-]{1,64}$/.test(id))) {
        throw new UnexpectedAnswer("a note has an id that no note can have");
    }
    if (!manifest.every((/** @type {any} */ each) => isRevision(each.revision))) {
        throw new UnexpectedAnswer("a note has no revision");
    }
    const next = typeof page.next === "string" ? page.next : null;
    if (page.more === true && next === null) throw new UnexpectedAnswer("there are more notes, and no way to them");
    const notes = order.map((/** @type {string} */ id) => checkedNote(id, page.details?.[id]));
    return { cursor, notes, deleted, manifest, more: page.more === true, next };
}

/**
 * @param {string} id
 * @param {any} note
 */
function checkedNote(id, note) {
    const { title, body, revision } = note ?? {};
    const isKept = [title, body].every(
        (each) => typeof each === "string" && each.isWellFormed() && !each.includes("\0"),
    );
    if (!isKept || !isRevision(revision)) throw new UnexpectedAnswer("a note cannot be kept");
    const time = (/** @type {unknown} */ text) => (typeof text === "string" ? Date.parse(text) || 0 : 0);
    const createdAt = time(note.created_at);
    const position = typeof note.position === "string" ? note.position : null;
    return { id, text: { title, body }, revision, position, createdAt, updatedAt: time(note.updated_at) || createdAt };
}

/** @param {unknown} value */
const isRevision = (value) => Number.isSafeInteger(value) && /** @type {number} */ (value) >= 0;
