import { checkedPage } from "../../../Sources/Web/notes/sync/page.js";
import * as progress from "../../../Sources/Web/notes/sync/progress.js";
import { receiveChange } from "../../../Sources/Web/notes/sync/received.js";
import { beginAction, edit, newRecord } from "../../../Sources/Web/notes/sync/record.js";
import { empty, mergedText, sortedTags } from "../../../Sources/Web/notes/sync/text.js";
import * as wire from "../../../Sources/Web/notes/sync/wire.js";
import { apply, load } from "../../../Sources/Web/notes/text/textmerge.js";
import { equal, random } from "./checks.js";

const lineage = "k3f9";

/** @param {() => unknown} body */
function failure(body) {
    try {
        body();
    } catch (error) {
        return /** @type {Error} */ (error).constructor.name;
    }
    return "none";
}

/** @returns {import("../../../Sources/Web/notes/sync/record.js").Action} */
const action = (kind = /** @type {const} */ ("update")) => ({
    id: "a1",
    kind: /** @type {any} */ (kind),
    text: { ...empty, title: "Saturday", body: "milk 🥛\n" },
    after: null,
    moveNumber: null,
});

Deno.test("an update holds a delta of what the server has, or spells its base", async () => {
    const file = Deno.env.get("ALMANAC_TEXTMERGE") ?? "";
    const { diff } = await load(Deno.readFileSync(file));
    const next = random(17);
    const lines = ["Milk, eggs and bread", "Zoë 🔑", "- [ ] water plants", "", "naïve café", "مفتاح"];
    const text = () => Array.from({ length: next(6) }, () => lines[next(lines.length)]).join("\n");
    for (let run = 0; run < 500; run += 1) {
        const before = { ...empty, title: "Saturday", body: text() };
        const record = newRecord("n1", before, { createdAt: 0, updatedAt: 0 });
        receiveChange(record, { cursor: { revision: 5, lineage }, text: before, position: "a0" }, () => "");
        const after = text();
        edit(record, { ...before, body: after }, 1);
        record.spellsBase = run % 2 === 1;
        const begun = beginAction(record, "a1");
        if (!begun) {
            equal(after, before.body);
            continue;
        }
        const [name, fields] = wire.encodedAction(begun, record, diff);
        equal([name, fields.title], ["updateNote", record.spellsBase ? [[0, "Saturday"]] : undefined]);
        if (record.spellsBase) {
            const pairs = /** @type {[number, string][]} */ (fields.body);
            const side = (/** @type {number} */ code) =>
                pairs.filter(([each]) => each === 0 || each === code).map((pair) => pair[1]);
            equal([side(-1).join(""), side(1).join("")], [before.body, after]);
            equal(fields.base, undefined);
        } else {
            const delta = /** @type {(number | string)[]} */ (fields.body);
            equal([apply(before.body, delta), wire.applied(before.body, delta)], [after, after]);
            equal(fields.base, "5.k3f9");
        }
    }
});

Deno.test("tags are sent as what was added and removed, and a pin as what it is now", () => {
    const text = { title: "", body: "milk", tags: ["a", "b"], pinned: false };
    const same = (/** @type {string} */ whole) => (whole === "" ? [] : [whole.length]);
    const record = newRecord("n1", text, { createdAt: 86_400_000, updatedAt: 86_400_123 });
    const creation = beginAction(record, "a0");
    if (!creation) throw new Error("nothing is sent");
    const noDiff = () => [];
    equal(wire.encodedAction(creation, record, noDiff), [
        "createNote",
        {
            action_id: "a0",
            id: "n1",
            title: "",
            body: "milk",
            tags: ["a", "b"],
        },
    ]);
    record.action = null;
    receiveChange(record, { cursor: { revision: 5, lineage }, text, position: "a0" }, () => "");
    for (const spells of [false, true]) {
        record.action = null;
        edit(record, { ...text, tags: ["b", "c"], pinned: true }, 1);
        record.spellsBase = spells;
        const begun = beginAction(record, "a1");
        if (!begun) throw new Error("nothing is sent");
        // Without a base revision, the action spells out the base texts.
        const base = spells ? { title: [[0, ""]], body: [[0, "milk"]] } : { base: "5.k3f9" };
        const change = { tags: { add: ["c"], remove: ["a"] }, pinned: true };
        equal(wire.encodedAction(begun, record, same), [
            "updateNote",
            { action_id: "a1", id: "n1", ...base, ...change },
        ]);
    }
});

Deno.test("the server is told the times of an imported note, and says itself when others were made", () => {
    const record = newRecord("n1", { ...empty, body: "milk" }, { createdAt: 86_400_000, updatedAt: 86_400_123 });
    const creation = beginAction(record, "a0");
    if (!creation) throw new Error("nothing is sent");
    const times = (/** @type {object} */ change) => {
        const [, fields] = wire.encodedAction(creation, { ...record, ...change }, () => []);
        return [fields.created_at, fields.updated_at];
    };
    equal(times({}), [undefined, undefined]);
    equal(times({ imported: 0 }), ["1970-01-02T00:00:00.000Z", "1970-01-02T00:00:00.123Z"]);
    // Another program may have stored any number; a time that the server would refuse is not sent.
    for (const odd of [0, -1, 253402300800000, 8.64e15]) {
        equal(times({ imported: 0, createdAt: odd, updatedAt: odd }), [undefined, undefined]);
    }
});

Deno.test("a note has the time of its last edit, or of its last change from an older server", () => {
    const [created_at, edited_at, updated_at] = ["01", "02", "03"].map((day) => `2020-01-${day}T00:00:00.000Z`);
    const times = (/** @type {object} */ given) => {
        const details = { n1: { title: "", body: "", revision: 1, ...given } };
        const [note] = checkedPage({ cursor: "1.k3f9", order: ["n1"], details }).notes;
        return [note.createdAt, note.updatedAt];
    };
    equal(times({ created_at, updated_at, edited_at }), [Date.parse(created_at), Date.parse(edited_at)]);
    equal(times({ created_at, updated_at }), [Date.parse(created_at), Date.parse(updated_at)]);
    equal(times({ created_at }), [Date.parse(created_at), Date.parse(created_at)]);
});

Deno.test("tags are merged as sets, byte by byte, and a pin is the last one that was changed", () => {
    const text = (/** @type {string[]} */ tags, pinned = false) => ({ ...empty, tags, pinned });
    const merged = (/** @type {any[]} */ ...texts) =>
        mergedText(texts[0], texts[1], texts[2], () => {
            throw new Error("no words have changed");
        });
    equal(merged(text(["a", "b"]), text(["a", "b", "c"]), text(["b"])), text(["b", "c"]));
    equal(merged(text(["a", "b"]), text(["b"]), text(["a", "b", "a2"])), text(["a2", "b"]));
    equal(merged(text([]), text(["a"], true), text(["a"])), text(["a"], true));
    equal(merged(text([], true), text([], true), text([], false)), text([], false));
    equal(sortedTags(["🔑", "\u{FB01}", "caf\u{e9}", "cafe\u{301}", "🔑", "a"]), [
        "a",
        "cafe\u{301}",
        "caf\u{e9}",
        "\u{FB01}",
        "🔑",
    ]);
});

Deno.test("results mean what the server says", () => {
    const cursor = { revision: 7, lineage };
    const accepted = { kind: "accepted", cursor, text: null, isInTrash: false, isPurged: false };
    const given = (/** @type {any} */ result, kind = "update") =>
        wire.outcome(result, action(/** @type {any} */ (kind)), lineage);
    equal(given({ status: "applied", revision: 7 }), accepted);
    equal(given({ status: "applied", revision: 7, deleted: true }, "delete"), { ...accepted, isInTrash: true });
    equal(given({ status: "merged", revision: 7, body: [8, "bread"] }), {
        ...accepted,
        text: { ...empty, title: "Saturday", body: "milk 🥛\nbread" },
    });
    equal(
        given({
            status: "duplicate",
            revision: 7,
            note: { title: "", body: "b", revision: 9, deleted_at: "2026-01-01T00:00:00.000Z" },
        }),
        {
            ...accepted,
            cursor: { revision: 9, lineage },
            text: { ...empty, body: "b" },
            isInTrash: true,
        },
    );
    equal(given({ status: "duplicate" }), { ...accepted, cursor: { revision: 0, lineage }, isPurged: true });
    equal(given({ status: "applied" }, "purge"), { ...accepted, cursor: { revision: 0, lineage } });
    equal(
        given({ status: "rejected", problem: { type: "urn:almanac:problem:note-gone", title: "Gone", status: 410 } }),
        {
            kind: "rejected",
            problem: { type: "note-gone", detail: "Gone" },
        },
    );
    const sent = action().text;
    equal(given({ status: "applied", revision: 7, tags: ["b", "a"], pinned: true }), {
        ...accepted,
        text: { ...sent, tags: ["a", "b"], pinned: true },
    });
    // The result of a rejected deletion omits the text; the next change contains it.
    equal(given({ status: "applied", revision: 7, tags: ["a"], pinned: true }, "delete"), accepted);
    equal(wire.revisionToRead({ status: "merged", revision: 7 }), 7);
    equal(wire.revisionToRead({ status: "merged", revision: 7, tags: [] }), 7);
});

Deno.test("tags that were left out of a long answer are read, and an older server says nothing of any", () => {
    const [bare, tagged] = [
        { status: "applied", revision: 7 },
        { status: "applied", revision: 8, tags: [], pinned: false },
    ];
    equal(wire.revisionToRead(wire.withTagsToRead(bare, "update", [tagged, bare])), 7);
    equal(wire.revisionToRead(wire.withTagsToRead(bare, "create", [bare, tagged])), 7);
    for (const [result, kind, all] of /** @type {[any, any, any[]][]} */ ([
        [bare, "update", [bare]],
        [bare, "delete", [bare, tagged]],
        [bare, "purge", [bare, tagged]],
        [tagged, "update", [bare, tagged]],
    ])) {
        equal(wire.withTagsToRead(result, kind, all), result);
    }
});

Deno.test("an answer that no server of this kind gives is none, and what may pass later is no refusal", () => {
    const broken = [
        {},
        { status: "applied" },
        { status: "applied", revision: -1 },
        { status: "applied", revision: 1.5 },
        { status: "applied", revision: "7" },
        { status: "rejected" },
        { status: "merged", revision: 7 },
        { status: "merged", revision: 7, body: "text" },
        { status: "merged", revision: 7, body: [99] },
        { status: "merged", revision: 7, body: [7] },
        { status: "merged", revision: 7, body: [6, -2] },
        { status: "merged", revision: 7, body: [0, 8] },
        { status: "merged", revision: 7, body: [8, null] },
        { status: "merged", revision: 7, body: [8, "\0"] },
        { status: "applied", revision: 7, tags: "work" },
        { status: "applied", revision: 7, tags: [1] },
        { status: "applied", revision: 7, tags: ["\0"] },
        { status: "applied", revision: 7, tags: [], pinned: "yes" },
        { status: "duplicate", revision: 7, note: { title: "a", revision: 7 } },
        { status: "duplicate", revision: 7, note: { title: "a\ud800", body: "", revision: 7 } },
        { status: "?", revision: 7 },
    ];
    for (const result of broken) {
        equal(
            [result, failure(() => wire.outcome(/** @type {any} */ (result), action(), lineage))],
            [result, "UnexpectedAnswer"],
        );
    }
    for (const status of [429, 500, 503]) {
        const later = { status: "rejected", problem: { type: "urn:almanac:problem:busy", status } };
        equal(
            failure(() => wire.outcome(later, action(), lineage)),
            "TemporaryRefusal",
        );
    }
    for (const text of ["", "7", "7.", "7.K", ".k3f9", "-7.k3f9", "7.k3f9 ", "7e3.k3f9", 7, null])
        equal(wire.cursor(text), null);
    equal(wire.cursor("7.k3f9abcd"), { revision: 7, lineage: "k3f9abcd" });
});

Deno.test("a device reads all, then what changes, and compares when histories have parted", () => {
    const state = progress.newProgress();
    equal(progress.query(state), { newest: "true", limit: "100" });
    equal(progress.receivePage(state, { revision: 9, lineage }, "p2"), false);
    equal(progress.query(state), { next: "p2" });
    // Changes made during paging are requested again, because the pages have the state of the first one.
    equal(progress.receivePage(state, { revision: 12, lineage }, null), true);
    state.phase = "changes";
    equal(progress.query(state), { since: "9.k3f9" });
    equal(progress.receivePage(state, { revision: 15, lineage }, "p2"), false);
    equal(state.cursor, { revision: 15, lineage });
    equal(progress.receivePage(state, { revision: 14, lineage }, null), true);
    // A stale response from a cache must not move the cursor back.
    equal(state.cursor, { revision: 15, lineage });
    progress.loseHistory(state);
    equal(progress.query(state), { form: "manifest" });
    equal(progress.receivePage(state, { revision: 2, lineage: "other" }, null), true);
    equal(state.cursor, { revision: 15, lineage });
    state.phase = "deciding";
    equal(progress.query(state), null);
    progress.restart(state);
    equal([state.phase, state.next, state.destination], ["first", null, null]);
    const fresh = progress.newProgress();
    progress.loseHistory(fresh);
    equal(fresh.phase, "first");
});
