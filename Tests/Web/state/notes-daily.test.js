import { dailyId } from "../../../Sources/Web/notes/list/new-notes.js";
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
    equal(new Set([id, ...others]).size, 4);
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
