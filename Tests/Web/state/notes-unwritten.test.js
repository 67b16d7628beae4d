import { Notes } from "../../../Sources/Web/notes/sync/notes.js";
import { nextAction } from "../../../Sources/Web/notes/sync/record.js";
import { empty } from "../../../Sources/Web/notes/sync/text.js";
import { equal } from "./checks.js";

/** @import { NoteRecord } from "../../../Sources/Web/notes/sync/record.js" */

/** Returns notes in memory, with their records by id. */
function newNotes() {
    /** @type {Map<string, NoteRecord>} */
    const stored = new Map();
    const view = /** @type {any} */ ({
        note: async (/** @type {string} */ id) => structuredClone(stored.get(id)) ?? null,
        existingNotes: async (/** @type {string[]} */ ids) =>
            ids.flatMap((id) => structuredClone(stored.get(id)) ?? []),
        save: async (/** @type {NoteRecord} */ record) => stored.set(record.id, record),
        remove: async (/** @type {string} */ id) => stored.delete(id),
    });
    let count = 0;
    const notes = new Notes({
        store: /** @type {any} */ ({
            read: (/** @type {any} */ body) => body(view),
            write: (/** @type {any} */ body) => body(view),
        }),
        now: () => 1000,
        identifier: () => `n${++count}`,
        merge: (_base, _theirs, mine) => mine,
        announce() {},
    });
    return { notes, stored };
}

Deno.test("a new note without words is not sent, and is removed when it is left or moved to the trash", async () => {
    const { notes, stored } = newNotes();
    for (const end of [() => notes.removeUnwritten("n1"), () => notes.moveAllToTrash(["n2"])]) {
        const record = await notes.create({ tags: ["home"] });
        equal(nextAction(record), null);
        await end();
        equal([...stored], []);
    }
});

Deno.test("a new note stays after its first change, also without words", async () => {
    for (const change of [{ body: "milk" }, { tags: ["home"] }, { pinned: true }]) {
        const { notes } = newNotes();
        const { id } = await notes.create({});
        const written = await notes.edit(id, empty, { ...empty, ...change });
        await notes.edit(id, written.text, empty);
        await notes.removeUnwritten(id);
        equal(nextAction(/** @type {NoteRecord} */ (await notes.note(id))), "create");
    }
});

Deno.test("an imported note without words is sent", async () => {
    const { notes } = newNotes();
    await notes.createAll([{ id: "a" }]);
    equal(nextAction(/** @type {NoteRecord} */ (await notes.note("a"))), "create");
});
