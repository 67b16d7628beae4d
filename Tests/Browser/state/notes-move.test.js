import { exported } from "../../../deploy/www/notes/move/export.js";
import { scalar, split, time } from "../../../deploy/www/notes/move/front-matter.js";
import { plan, readChosen, readFiles } from "../../../deploy/www/notes/move/import.js";
import { dumped } from "../../../deploy/www/notes/move/joplin.js";
import { fileName, MoveFailure } from "../../../deploy/www/notes/move/notes.js";
import { readZip, writeZip } from "../../../deploy/www/notes/move/zip.js";
import { equal } from "./checks.js";

/** @import { ExportForm } from "../../../deploy/www/notes/move/export.js" */
/** @import { MovedFile, MovedNote } from "../../../deploy/www/notes/move/notes.js" */
/** @import { NoteRecord } from "../../../deploy/www/notes/sync/record.js" */

// The command line reads and writes the same; what both do is in these files.
const folder = new URL("../../Programs/AlmanacCommandTests/moving/", import.meta.url);
const vectors = (/** @type {string} */ name) => JSON.parse(Deno.readTextFileSync(new URL(name, folder)));
const expected = vectors("expected.json");
/** @type {["simplenote", "joplin"]} */
const forms = ["simplenote", "joplin"];

/**
 * @param {URL} place
 * @param {string} [base]
 * @returns {MovedFile[]}
 */
function tree(place, base = "") {
    const entries = [...Deno.readDirSync(place)].sort((one, other) => (one.name < other.name ? -1 : 1));
    return entries.flatMap(({ name, isDirectory }) => {
        const url = new URL(`${encodeURIComponent(name)}${isDirectory ? "/" : ""}`, place);
        return isDirectory ? tree(url, `${base}${name}/`) : [{ path: base + name, bytes: Deno.readFileSync(url) }];
    });
}

const contents = (/** @type {MovedFile[]} */ files) =>
    files.map(({ path, bytes }) => ({ path, text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes) }));
const byPath = (/** @type {{ path: string }[]} */ files) =>
    files.toSorted((one, other) => (one.path < other.path ? -1 : 1));

/**
 * @param {MovedNote} note
 * @returns {NoteRecord}
 */
const record = ({ id, title, body, tags, pinned, trashed, createdAt, updatedAt }, index = 0) =>
    /** @type {any} */ ({
        position: String(index).padStart(5, "0"),
        move: null,
        id,
        text: { title, body, tags, pinned },
        place: trashed ? "trash" : "list",
        createdAt,
        updatedAt,
    });
const known = (/** @type {MovedNote[]} */ notes) => new Map(notes.map((note) => [note.id, record(note)]));
const only = (/** @type {{ note: MovedNote }[]} */ found) => found.map(({ note }) => note);

for (const form of forms) {
    Deno.test(`an export of ${form} comes in, and goes out again unchanged`, async () => {
        const files = tree(new URL(`${form}/`, folder));
        const { notes, remarks } = await readFiles(files);
        equal({ notes, remarks }, { notes: expected[form].notes, remarks: expected[form].remarks });
        const records = only(notes).map(record);
        for (const other of /** @type {ExportForm[]} */ (["markdown", "simplenote", "joplin"]))
            equal(contents(exported(records, other)), expected[form][other]);
        const kept = contents(files).filter(({ path }) => !path.startsWith("_resources/"));
        equal(byPath(contents(exported(records, form))), byPath(kept));
    });

    Deno.test(`an export of ${form} is the same after it went through a zip of Markdown to another account`, async () => {
        const notes = only((await readFiles(tree(new URL(`${form}/`, folder)))).notes);
        const zip = await writeZip(exported(notes.map(record), "markdown"), new Date(2026, 0, 1));
        const again = await readChosen([new File([zip], "notes.zip")]);
        equal(again.remarks, []);
        const inOrder = (/** @type {MovedNote[]} */ list) =>
            list.toSorted((one, other) => (one.id < other.id ? -1 : 1));
        equal(inOrder(only(again.notes)), inOrder(notes));
        equal(plan(again, known(notes)), { add: [], same: notes.length, remarks: [] });
    });
}

Deno.test("other folders come in as the vectors say", async () => {
    for (const { name, files, notes, remarks, joplin } of vectors("trees.json")) {
        const written = Object.entries(files).map(([path, text]) => ({ path, bytes: new TextEncoder().encode(text) }));
        const found = await readFiles(written);
        equal([name, found.notes, found.remarks], [name, notes, remarks]);
        equal(contents(exported(only(found.notes).map(record), "joplin")), joplin);
    }
});

Deno.test("front matter, its texts and its times are read and written as the vectors say", () => {
    for (const { text, found } of vectors("front-matter.json")) equal([text, split(text)], [text, found]);
    for (const { text, ...want } of vectors("scalars.json")) {
        const found = {
            ours: scalar(text),
            inField: dumped(text, 2),
            inList: dumped(text, 4),
            fileName: fileName(text),
        };
        equal([text, found], [text, want]);
        for (const line of [found.ours, found.inField]) {
            equal(split(`---\na: ${line}\n---\n`)?.fields[0].value, text);
        }
        equal(split(`---\na:\n  - ${found.inList}\n---\n`)?.fields[0].value, [text]);
    }
    for (const { text, time: want } of vectors("times.json")) equal([text, time(text)], [text, want]);
});

Deno.test("archives are read or refused as the vectors say", async () => {
    for (const { name, bytes, page } of vectors("archives.json")) {
        const blob = new Blob([Uint8Array.from(bytes.match(/../g), (digits) => Number.parseInt(digits, 16))]);
        /** @type {any} */
        let found;
        try {
            const isRead = (/** @type {string} */ path) => path.endsWith(".md");
            const files = (await readZip(blob, isRead)).map(({ path, bytes: read }) => [
                path,
                isRead(path) ? new TextDecoder().decode(read) : null,
            ]);
            found = { files: Object.fromEntries(files) };
        } catch (failure) {
            found = { failure: failure instanceof MoveFailure ? failure.what : String(failure) };
        }
        equal([name, found], [name, page]);
    }
});

Deno.test("an archive of the page holds what was put into it", async () => {
    const files = Array.from({ length: 300 }, (_, index) => ({
        path: `${index % 2 ? "Grün" : "日本"}/${index}.md`,
        bytes: new TextEncoder().encode("milk ".repeat(index * 7)),
    }));
    equal(contents(await readZip(await writeZip(files, new Date(2026, 0, 1)), () => true)), contents(files));
});

Deno.test("what an account cannot take is named and left out, and what is there stays", async () => {
    const note = (/** @type {string} */ id, /** @type {Partial<MovedNote>} */ more) => ({
        source: id,
        note: { id, title: id, body: "", tags: [], pinned: false, trashed: false, createdAt: 1, updatedAt: 1, ...more },
    });
    const { notes } = {
        notes: [
            note("fits", { title: "ä".repeat(512), body: "ä".repeat(1 << 19), tags: ["😀".repeat(64)] }),
            note("long-title", { title: `${"ä".repeat(512)}a` }),
            note("long-body", { body: `${"ä".repeat(1 << 19)}a` }),
            note("nul", { body: "a\0b" }),
            note("empty", { title: "", trashed: true }),
            note("tags", { tags: ["", "a", "b\u0085", "😀".repeat(65)] }),
            note("many-tags", { tags: Array.from({ length: 34 }, (_, index) => `t${index + 10}`) }),
            note("there", { title: "other" }),
            note("same", {}),
            note("fits", {}),
            note("last", {}),
            note("too-many", {}),
        ],
    };
    const others = Array.from({ length: 9994 }, (_, index) => note(`x${index}`, {}).note);
    const found = plan({ notes, remarks: [] }, known([...others, note("there", {}).note, note("same", {}).note]));
    equal(
        found.add.map(({ id, tags }) => [id, tags.length]),
        [
            ["fits", 1],
            ["tags", 1],
            ["many-tags", 32],
            ["last", 0],
        ],
    );
    equal(found.same, 1);
    equal(
        found.remarks.map(({ source, what }) => [source, what]),
        [
            ["long-title", "title-too-long"],
            ["long-body", "body-too-long"],
            ["nul", "unfit-text"],
            ["empty", "empty"],
            ["tags", "tag"],
            ["tags", "tag"],
            ["tags", "tag"],
            ["many-tags", "too-many-tags"],
            ["many-tags", "too-many-tags"],
            ["there", "different"],
            ["fits", "different"],
            ["too-many", "too-many-notes"],
        ],
    );
});

Deno.test("files that are no export are refused", async () => {
    const failure = async (/** @type {string} */ name, /** @type {string} */ text) => {
        try {
            await readChosen([new File([text], name)]);
        } catch (failure) {
            if (failure instanceof MoveFailure) return failure.what;
        }
        return null;
    };
    equal(await failure("notes.json", "{"), "not-json");
    equal(await failure("notes.json", "[1]"), "not-simplenote");
    equal(await failure("notes.json", "null"), "not-simplenote");
    equal(await failure("notes.json", '{"activeNotes": {}}'), "not-simplenote");
    equal(await failure("notes.json", '{"activeNotes": [{"content": "a\\u0000b"}]}'), "unfit-json");
    equal(await failure("notes.json", '{"activeNotes": [{"content": "a\\ud800b"}]}'), "unfit-json");
    equal(await failure("notes.zip", "PK\x03\x04"), "zip-damaged");
    equal(await failure("picture.png", "\x89PNG"), "nothing");
    const { notes, remarks } = await readChosen([
        new File(['{"activeNotes": [{"content": "a\\nb", "tags": 7}, {"id": "x"}, null, [], "x"]}'], "Backup.JSON"),
    ]);
    equal(
        only(notes).map(({ title, body, tags }) => [title, body, tags]),
        [["a", "b", []]],
    );
    equal(remarks.length, 4);
});
