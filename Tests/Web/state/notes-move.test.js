import { exported } from "../../../Sources/Web/notes/move/export.js";
import { scalar, split, time } from "../../../Sources/Web/notes/move/front-matter.js";
import { plan, readChosen, readFiles } from "../../../Sources/Web/notes/move/import.js";
import { yamlScalar } from "../../../Sources/Web/notes/move/joplin.js";
import { fileName, MoveFailure, maxFileBytes } from "../../../Sources/Web/notes/move/portable-notes.js";
import { tagsIn } from "../../../Sources/Web/notes/move/text-tags.js";
import { splitTOML } from "../../../Sources/Web/notes/move/toml.js";
import { readZip, writeZip } from "../../../Sources/Web/notes/move/zip.js";
import { equal } from "./checks.js";
import { known, only, record, tree } from "./moving.js";

/** @import { ExportForm } from "../../../Sources/Web/notes/move/export.js" */
/** @import { PortableFile, PortableNote } from "../../../Sources/Web/notes/move/portable-notes.js" */

// The tests of the command line use the Markdown form of these cases too.
const folder = new URL("../moving/", import.meta.url);
const vectors = (/** @type {string} */ name) => JSON.parse(Deno.readTextFileSync(new URL(name, folder)));
const expected = vectors("expected.json");
/** @type {["simplenote", "joplin"]} */
const forms = ["simplenote", "joplin"];

const contents = (/** @type {PortableFile[]} */ files) =>
    files.map(({ path, bytes }) => ({ path, text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes) }));
const byPath = (/** @type {{ path: string }[]} */ files) =>
    files.toSorted((one, other) => (one.path < other.path ? -1 : 1));

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
        const inOrder = (/** @type {PortableNote[]} */ list) =>
            list.toSorted((one, other) => (one.id < other.id ? -1 : 1));
        equal(inOrder(only(again.notes)), inOrder(notes));
        equal(await plan(again, known(notes)), { add: [], same: notes.length, files: [], remarks: [] });
    });
}

Deno.test("other folders come in as the vectors say", async () => {
    for (const { name, files, notes, remarks, joplin } of [...vectors("trees.json"), ...vectors("programs.json")]) {
        const written = Object.entries(files).map(([path, text]) => ({ path, bytes: new TextEncoder().encode(text) }));
        const found = await readFiles(written);
        equal([name, found.notes, found.remarks], [name, notes, remarks]);
        equal(contents(exported(only(found.notes).map(record), "joplin")), joplin);
    }
});

Deno.test("front matter, its texts and its times are read and written as the vectors say", () => {
    for (const { text, found } of vectors("front-matter.json")) equal([text, split(text)], [text, found]);
    for (const { text, found } of vectors("toml.json")) equal([text, splitTOML(text)], [text, found]);
    for (const { text, ...want } of vectors("scalars.json")) {
        const found = {
            ours: scalar(text),
            inField: yamlScalar(text, 2),
            inList: yamlScalar(text, 4),
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

Deno.test("tags in texts are found as the vectors say", () => {
    for (const { text, tags } of vectors("text-tags.json")) equal([text, tagsIn(text)], [text, tags]);
});

Deno.test("archives are read or refused as the vectors say", async () => {
    for (const { name, bytes, page } of [...vectors("archives.json"), ...vectors("archive-names.json")]) {
        const blob = new Blob([Uint8Array.from(bytes.match(/../g), (digits) => Number.parseInt(digits, 16))]);
        /** @type {any} */
        let found;
        try {
            const isRead = (/** @type {string} */ path) => path.endsWith(".md");
            const { files, remarks } = await readZip(blob, isRead);
            found = {
                files: files.map(({ path, bytes: read }) => [
                    path,
                    isRead(path) ? new TextDecoder().decode(read) : null,
                ]),
                remarks: remarks.map(({ source, what }) => [source, what]),
            };
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
    const read = await readZip(await writeZip(files, new Date(2026, 0, 1)), () => true);
    equal([contents(read.files), read.remarks], [contents(files), []]);
});

Deno.test("an archive is refused where no file of it can be read", async () => {
    const bytes = (/** @type {string} */ name) =>
        vectors("archives.json")
            .find((/** @type {{ name: string }} */ vector) => vector.name === name)
            .bytes.match(/../g);
    const file = (/** @type {string} */ name) =>
        new File([Uint8Array.from(bytes(name), (digits) => Number.parseInt(digits, 16))], "notes.zip");
    for (const [name, what] of [
        ["encrypted", "zip-encrypted"],
        ["a compression that is not known", "zip-method"],
        ["another checksum", "zip-damaged"],
        ["no file at all", "nothing"],
    ]) {
        const failure = await readChosen([file(name)]).catch((failure) => failure);
        equal([name, failure.what], [name, what]);
    }
    const { notes, remarks } = await readChosen([file("odd files among good ones")]);
    equal(
        only(notes).map(({ title }) => title),
        ["a", "z"],
    );
    equal(remarks.length, 3);
});

Deno.test("a chosen file that is too large is left out, and the others come in", async () => {
    const large = new File(["x"], "large.md");
    Object.defineProperty(large, "size", { value: maxFileBytes + 1 });
    const { notes, remarks } = await readChosen([large, new File(["y"], "small.md")]);
    equal(
        only(notes).map(({ title }) => title),
        ["small"],
    );
    equal(remarks, [{ source: "large.md", what: "too-large", detail: "" }]);
});

Deno.test("chosen files are refused beyond 256 MiB in total", async () => {
    const chosen = Array.from({ length: 5 }, (_, index) =>
        Object.defineProperties(new File([], `${index}.md`), {
            size: { value: maxFileBytes },
            arrayBuffer: { value: async () => new ArrayBuffer(0) },
        }),
    );
    const failure = await readChosen(chosen).catch((failure) => failure);
    equal([failure.what, (await readChosen(chosen.slice(1))).notes.length], ["zip-large", 4]);
});

Deno.test("a note of another program has its file's time where its text says none", async () => {
    const texts = {
        "plain.md": "milk",
        "made.md": "---\ncreated: 2024-03-01T00:00:00Z\n---\n\nmilk",
        "late.md": "---\ncreated: 2025-06-01T00:00:00Z\n---\n\nmilk",
        "changed.md": "---\nupdated: 2023-01-01T00:00:00Z\n---\n\nmilk",
        "ours.md": "---\ntitle: ours\nid: n1\n---\n\nmilk",
    };
    const fileTime = new Date(2024, 4, 1, 12, 30, 10);
    const [file, made, late, changed] = [
        fileTime.getTime(),
        ...["2024-03-01", "2025-06-01", "2023-01-01"].map((day) => Date.parse(day)),
    ];
    const files = Object.entries(texts).map(([path, text]) => ({ path, bytes: new TextEncoder().encode(text) }));
    const chosen = Object.entries(texts).map(([name, text]) => new File([text], name, { lastModified: file }));
    for (const found of [
        await readChosen(chosen),
        await readChosen([new File([await writeZip(files, fileTime)], "notes.zip", { lastModified: 7 })]),
    ]) {
        equal(
            only(found.notes).map(({ title, createdAt, updatedAt }) => [title, createdAt, updatedAt]),
            [
                ["changed", changed, changed],
                ["late", late, late],
                ["made", made, file],
                ["ours", null, null],
                ["plain", file, file],
            ],
        );
    }
});

Deno.test("a second vault's file of the same name comes in as another note, once", async () => {
    const read = async (/** @type {string} */ body) =>
        plan(await readFiles([{ path: "Ideas.md", bytes: new TextEncoder().encode(body) }]), known(added));
    /** @type {PortableNote[]} */
    const added = [];
    added.push(...(await read("of the first vault")).add);
    const second = await read("of the second vault");
    equal(
        second.remarks.map(({ source, what }) => [source, what]),
        [["Ideas.md", "another"]],
    );
    added.push(...second.add);
    equal(
        added.map(({ title, body }) => [title, body]),
        [
            ["Ideas", "of the first vault"],
            ["Ideas", "of the second vault"],
        ],
    );
    equal(new Set(added.map(({ id }) => id)).size, 2);
    for (const body of ["of the first vault", "of the second vault"])
        equal(await read(body), { add: [], same: 1, files: [], remarks: [] });
    // A note in the trash or with other tags is still the same note.
    added[0] = { ...added[0], trashed: true };
    equal(
        (await read("of the first vault")).remarks.map(({ what }) => what),
        ["different"],
    );
});

Deno.test("tags come in composed, and as the account spells them", async () => {
    const note = (/** @type {string} */ id, /** @type {string[]} */ tags) => ({
        source: id,
        note: { id, title: id, body: "", tags, pinned: false, trashed: false, createdAt: 1, updatedAt: 1 },
    });
    const there = [note("x", ["work", "Home", "home", "nai\u0308ve"]).note];
    const notes = [
        note("a", ["Work", "WORK", "HOME", "Home"]),
        note("b", ["cafe\u0301", "caf\u00e9"]),
        note("c", ["na\u00efve", "New"]),
    ];
    equal(
        (await plan({ notes, remarks: [] }, known(there))).add.map(({ tags }) => tags),
        [["Home", "home", "work"], ["caf\u00e9"], ["New", "nai\u0308ve"]],
    );
});

Deno.test("files of an export have names that are different on every system", () => {
    const titles = [
        "Caf\u00e9",
        "Cafe\u0301",
        "CAF\u00c9",
        "nul",
        "NUL",
        "Stra\u00dfe",
        "STRASSE",
        "\u03c3\u03bf\u03c6\u03cc\u03c2",
        "\u03a3\u039f\u03a6\u038c\u03a3",
    ];
    const records = titles.map((title, index) =>
        record(
            { id: `n${index}`, title, body: "", tags: [], pinned: false, trashed: false, createdAt: 1, updatedAt: 1 },
            index,
        ),
    );
    for (const form of /** @type {ExportForm[]} */ (["markdown", "joplin", "simplenote"])) {
        const paths = exported(records, form).map(({ path }) => path.normalize().toUpperCase());
        equal([form, new Set(paths).size], [form, paths.length]);
    }
});

Deno.test("what an account cannot take is named and left out, and what is there stays", async () => {
    const note = (/** @type {string} */ id, /** @type {Partial<PortableNote>} */ more) => ({
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
    const found = await plan({ notes, remarks: [] }, known([...others, note("there", {}).note, note("same", {}).note]));
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
    equal(await failure("notes.tgz", "\x1f\x8b"), "zip-damaged");
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
