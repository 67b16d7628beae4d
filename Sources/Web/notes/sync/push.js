/** Sends local changes, one action per note at a time, and applies their results. */

import { receiveOutcome } from "./received.js";
import * as records from "./record.js";
import { Refusal } from "./server.js";
import {
    encodedAction,
    outcome,
    cursor as readCursor,
    revisionToRead,
    UnexpectedAnswer,
    withTagsToRead,
} from "./wire.js";

/** @import { Action, NoteRecord, Outcome, Problem } from "./record.js" */
/** @import { NotesServer } from "./server.js" */
/** @import { NotesStore } from "./store.js" */
/** @import { View } from "./view.js" */
/** @import { Merge } from "./text.js" */
/** @import { Diff, Result } from "./wire.js" */

/** @typedef {{ record: NoteRecord, action: Action, text: string }} Sendable */

const maxActions = 100;
const maxWaiting = 1000;
const maxBytes = 1 << 20;

export class Push {
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
     * @param {(ids: Set<string>) => void} parts.announce receives the ids of the changed notes
     */
    constructor({ store, server, text, identifier, announce }) {
        this.#store = store;
        this.#server = server;
        this.#text = text;
        this.#identifier = identifier;
        this.#announce = announce;
    }

    /** Returns true if a note has unsent changes. */
    async hasMore() {
        return (await this.#store.read((view) => view.dirty(1))).length > 0;
    }

    /** @returns {Promise<boolean>} `true` if there was anything to send */
    async run() {
        const all = await this.#begin();
        /** @type {Sendable[]} */
        let batch = [];
        let size = 0;
        for (const each of all) {
            if (batch.length > 0 && (batch.length === maxActions || size + each.text.length > maxBytes)) {
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
     * Begins the next actions, saves them, and returns them together with those that have no result yet.
     * @returns {Promise<Sendable[]>}
     */
    async #begin() {
        const begun = await this.#store.write(async (view) => {
            // A short list avoids a long transaction; a longer one is needed only if none of the short one can begin.
            const batch = await this.#beginSome(view, maxActions);
            return batch.length > 0 ? batch : await this.#beginSome(view, maxWaiting);
        });
        return begun.flatMap((record) => {
            if (!record.action) return [];
            const text = JSON.stringify(encodedAction(record.action, record, this.#text.diff));
            return { record, action: record.action, text };
        });
    }

    /**
     * @param {View} view
     * @param {number} limit
     */
    async #beginSome(view, limit) {
        /** @type {NoteRecord[]} */
        const ready = [];
        /** @type {NoteRecord[]} */
        const begun = [];
        for (const record of await view.dirty(limit)) {
            if (!record.action) {
                if (!(await canBegin(view, record)) || !records.beginAction(record, this.#identifier())) continue;
                begun.push(record);
            }
            ready.push(record);
            if (ready.length === maxActions) break;
        }
        await Promise.all(begun.map((record) => view.save(record)));
        return ready;
    }

    /**
     * Sends a batch. A batch that is refused as a whole is sent in halves, down to the faulty action.
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
        /** @type {unknown} */
        let failure = null;
        /** @type {{ each: Sendable, result: Result }[]} */
        const results = [];
        for (const given of answer.results) {
            const each = sent.get(given?.action_id);
            if (!each) continue;
            const result = withTagsToRead(given, each.action.kind, answer.results);
            sent.delete(each.action.id);
            const revision = each.action.kind === "purge" ? null : revisionToRead(result);
            let note = null;
            try {
                // Results that would have been too long omit the text. If the text cannot be read now, the action is
                // sent again.
                if (revision !== null) note = await this.#server.note(each.record.id, revision);
            } catch (caught) {
                failure ??= caught;
            }
            results.push({ each, result: note ? { ...result, note } : result });
        }
        const lineage = readCursor(answer.cursor)?.lineage;
        if (lineage === undefined && !results.every(({ result }) => result.status === "rejected")) {
            throw new UnexpectedAnswer("the results have no cursor");
        }
        /** @type {(Sendable & { outcome: Outcome })[]} */
        const outcomes = [];
        for (const { each, result } of results) {
            try {
                outcomes.push({ ...each, outcome: outcome(result, each.action, lineage ?? "") });
            } catch (caught) {
                // The other outcomes count all the same.
                failure ??= caught;
            }
        }
        await this.#settle(outcomes);
        if (failure) throw failure;
        if (outcomes.length < batch.length) throw new UnexpectedAnswer("some actions have no result");
    }

    /**
     * Applies outcomes. An outcome that gets lost is safe because the server repeats it when the action is sent again.
     * @param {(Sendable & { outcome: Outcome })[]} outcomes
     */
    async #settle(outcomes) {
        /** @type {Set<string>} */
        const changed = new Set();
        await this.#store.write(async (view) => {
            changed.clear();
            const found = await view.existingNotes(outcomes.map(({ record }) => record.id));
            const known = new Map(found.map((record) => [record.id, record]));
            /** @type {Promise<void>[]} */
            const saves = [];
            for (const { record: sent, action, outcome } of outcomes) {
                const record = known.get(sent.id);
                if (!record) continue;
                const before = JSON.stringify(record);
                const disposition = receiveOutcome(record, outcome, action.id, this.#text.merge);
                if (disposition === "keep" && JSON.stringify(record) === before) continue;
                changed.add(record.id);
                saves.push(disposition === "remove" ? view.remove(record.id) : view.save(record));
            }
            await Promise.all(saves);
        }, "relaxed");
        this.#announce(changed);
    }
}

/**
 * Returns true if the note's next action can begin. A move waits until its target is synced, or is dropped if gone.
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
 * Returns the problem of a batch that is refused for its content, or null for any other refusal.
 * @param {Refusal} refusal
 * @returns {Problem | null}
 */
function refused({ status, problem, detail }) {
    // A proxy may have the lowest limit of all, and a different response body.
    if (status === 413) {
        return { type: problem || "body-too-large", detail: detail || "This note is too long to sync." };
    }
    return (status === 400 || status === 422) && problem ? { type: problem, detail } : null;
}
