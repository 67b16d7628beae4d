import * as received from "../../../Sources/Web/notes/sync/received.js";
import * as records from "../../../Sources/Web/notes/sync/record.js";
import { empty } from "../../../Sources/Web/notes/sync/text.js";
import { encodedAction } from "../../../Sources/Web/notes/sync/wire.js";
import { apply, load } from "../../../Sources/Web/notes/text/textmerge.js";
import { equal } from "./checks.js";

const vectors = JSON.parse(
    Deno.readTextFileSync(new URL("../../Apps/AlmanacNotesTests/record-vectors.json", import.meta.url)),
);

/** Loads the page's own merge. */
async function textMerge() {
    const file = Deno.env.get("ALMANAC_TEXTMERGE");
    if (!file) throw new Error("ALMANAC_TEXTMERGE names the module that Sources/Web/wasm/build makes");
    const { merge, diff } = await load(Deno.readFileSync(file));
    const merged = (/** @type {string} */ base, /** @type {string} */ theirs, /** @type {string} */ mine) =>
        apply(mine, merge(base, theirs, mine).fromMine);
    return { merge: merged, diff };
}

Deno.test("a record goes through the situations of the vectors as the library does", async () => {
    const { merge, diff } = await textMerge();
    equal(vectors.length, 90);
    for (const [walk, { steps }] of vectors.entries()) {
        const isKnown = steps[0].step === "change" && walk % 3 !== 0;
        const text = isKnown ? steps[0].change.text : { ...empty, title: "Saturday" };
        const record = records.newRecord("n1", text, { createdAt: 1000, updatedAt: 1000 });
        /** @type {Record<string, unknown>} */
        let known = {};
        for (const [index, step] of steps.entries()) {
            const gives = take(record, step, merge);
            if (step.sends)
                equal(sorted([walk, index, encodedAction(gives, record, diff)]), sorted([walk, index, step.sends]));
            known = { ...known, ...step.then };
            const then = {
                ...record,
                next: records.nextAction(record),
                mayLeaveList: records.mayLeaveList(record),
                status: records.status(record),
            };
            equal(sorted([walk, index, step.step, gives, then]), sorted([walk, index, step.step, step.gives, known]));
        }
    }
});

/**
 * @param {records.NoteRecord} record
 * @param {any} step
 * @param {import("../../../Sources/Web/notes/sync/text.js").Merge} merge
 * @returns {any}
 */
function take(record, step, merge) {
    switch (step.step) {
        case "edit":
            return records.edit(record, step.text, step.time);
        case "trash":
            return records.moveToTrash(record);
        case "removeForGood":
            return records.removeForGood(record);
        case "takeOut":
            return records.takeOutOfTrash(record);
        case "move":
            return records.move(record, step.after, step.number);
        case "discard":
            return records.discardChange(record);
        case "begin":
            return records.beginAction(record, step.id);
        case "outcome":
            return received.receiveOutcome(record, step.outcome, step.id, merge);
        case "change":
            return received.receiveChange(record, step.change, merge);
        case "forget":
            return records.forgetHistory(record, step.before);
        case "leave":
            return records.mayLeaveList(record) ? records.leaveList(record) : undefined;
        case "stay":
            return records.mayLeaveList(record) ? records.stayInList(record) : undefined;
        default:
            throw new Error(`no step ${step.step}`);
    }
}

/**
 * Returns the value with the members of its objects sorted by name.
 * @param {any} value
 * @returns {any}
 */
function sorted(value) {
    if (Array.isArray(value)) return value.map(sorted);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(
        Object.keys(value)
            .sort()
            .map((name) => [name, sorted(value[name])]),
    );
}
