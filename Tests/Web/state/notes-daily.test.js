import { dailyId, openDailyNote } from "../../../Sources/Web/notes/list/new-notes.js";
import * as received from "../../../Sources/Web/notes/sync/received.js";
import * as records from "../../../Sources/Web/notes/sync/record.js";
import { empty } from "../../../Sources/Web/notes/sync/text.js";
import { apply, load } from "../../../Sources/Web/notes/text/textmerge.js";
import { equal } from "./checks.js";

Deno.test("the note of a day has one id for each account and date", async () => {
    const account = { environment: "development", account: "ada" };
    const id = await dailyId(account, new Date(2026, 10, 30, 0, 1));
    equal(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id), true);
    equal(await dailyId(account, new Date(2026, 10, 30, 23, 59)), id);
    const others = [
        await dailyId(account, new Date(2026, 10, 29)),
        await dailyId({ ...account, account: "zoë" }, new Date(2026, 10, 30)),
        await dailyId({ ...account, environment: "live" }, new Date(2026, 10, 30)),
    ];
    others.push(await dailyId(account, new Date(2026, 10, 30), 1), await dailyId(account, new Date(2026, 10, 30), 2));
    equal(new Set([id, ...others]).size, 6);
});

Deno.test("the note of today is made again with another id after it was removed for good", async () => {
    const merge = () => "";
    /** @type {Map<string, records.NoteRecord>} */
    const stored = new Map();
    const shown = (/** @type {string} */ id) => (stored.get(id)?.place === "removed" ? null : (stored.get(id) ?? null));
    /** @type {string[]} */
    const opened = [];
    const context = /** @type {any} */ ({
        environment: "development",
        account: "ada",
        texts: { now: () => new Date(2026, 10, 30, 12).getTime(), locale: "en" },
        engine: {
            note: async (/** @type {string} */ id) => shown(id),
            createAll: async (/** @type {{ id: string, title: string }[]} */ [{ id, title }]) => {
                if (stored.has(id)) return { made: 0 };
                stored.set(id, records.newRecord(id, { ...empty, title }, { createdAt: 1000, updatedAt: 1000 }));
                return { made: 1 };
            },
        },
        navigate: (/** @type {{ note: string }} */ { note }) => opened.push(note),
        fail: (/** @type {unknown} */ failure) => {
            throw failure;
        },
    });
    const receive = (/** @type {records.NoteRecord} */ record, /** @type {records.Outcome} */ outcome) => {
        records.beginAction(record, "a1");
        if (received.receiveOutcome(record, outcome, "a1", merge) === "remove") stored.delete(record.id);
    };
    /** @type {(revision: number, isInTrash?: boolean) => records.Outcome} */
    const accepted = (revision, isInTrash = false) => {
        const cursor = { lineage: "k3f9", revision };
        return { kind: "accepted", cursor, text: null, isInTrash, isPurged: false };
    };
    const refused = /** @type {records.Outcome} */ ({ kind: "rejected", problem: { type: "note-gone", detail: "" } });
    const today = async () => {
        await openDailyNote(context);
        return /** @type {records.NoteRecord} */ (stored.get(opened.at(-1) ?? ""));
    };

    const first = await today();
    receive(first, accepted(1));
    equal([await today(), opened.length], [first, 2]);
    records.removeForGood(first);
    // The server does not know yet, then moves the note to the trash, and then removes it.
    const second = await today();
    receive(first, accepted(2, true));
    receive(first, accepted(3));
    equal([await today(), second === first, second.text.title], [second, false, "Monday, November 30, 2026"]);
    equal([records.isDirty(first), first.text], [false, empty]);
    // Another device has removed the second note for good.
    receive(second, refused);
    equal([records.status(second), records.discardChange(second)], ["needsAttention", "keep"]);
    const third = await today();
    equal([new Set(opened).size, third.problem, records.nextAction(third)], [3, null, "create"]);
    // A random id is forgotten.
    const random = records.newRecord("n1", { ...empty, body: "milk" }, { createdAt: 1000, updatedAt: 1000 });
    equal(records.forget(random), "remove");
});

Deno.test("a note of today that another device made first keeps the words of both", async () => {
    const { merge } = await load(Deno.readFileSync(/** @type {string} */ (Deno.env.get("ALMANAC_TEXTMERGE"))));
    const merged = (/** @type {string} */ base, /** @type {string} */ theirs, /** @type {string} */ mine) =>
        apply(mine, merge(base, theirs, mine).fromMine);
    const id = await dailyId({ environment: "development", account: "ada" }, new Date(2026, 10, 30));
    const text = (/** @type {string} */ body) => ({ ...empty, title: "Monday, November 30, 2026", body });
    const record = records.newRecord(id, text("bread"), { createdAt: 1000, updatedAt: 1000 });
    records.beginAction(record, "a1");
    const cursor = { lineage: "k3f9", revision: 4 };
    received.receiveChange(record, { cursor, text: text("milk"), position: "a0" }, merged);
    const problem = { type: "note-exists", detail: "the note exists already" };
    received.receiveOutcome(record, { kind: "rejected", problem }, "a1", merged);
    equal(record.text.title, "Monday, November 30, 2026");
    equal([record.text.body.includes("bread"), record.text.body.includes("milk"), record.problem], [true, true, null]);
});
