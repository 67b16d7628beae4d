import { droppedFiles } from "../../../Sources/Web/notes/move/dropped-files.js";
import { exported } from "../../../Sources/Web/notes/move/export.js";
import { readChosen, readFiles } from "../../../Sources/Web/notes/move/import.js";
import { writeZip } from "../../../Sources/Web/notes/move/zip.js";
import { equal } from "./checks.js";

/** @param {Record<string, string | Blob>} contents */
async function zipped(contents) {
    const files = Object.entries(contents).map(async ([path, content]) => ({
        path,
        bytes: new Uint8Array(await new Blob([content]).arrayBuffer()),
    }));
    return writeZip(await Promise.all(files), new Date(2026, 0, 1));
}

/** Returns a summary of the notes in the chosen files. @param {File[]} chosen */
async function inShort(chosen) {
    const { notes, remarks } = await readChosen(chosen);
    return [
        notes.map(({ note: { title, tags } }) => [title, ...tags]),
        remarks.map(({ source, what }) => [source, what]),
    ];
}

Deno.test("archives in an archive without notes are read, as Notion has them, and others are not", async () => {
    const parts = { "Part-1.zip": await zipped({ "a.md": "a" }), "Part-2.zip": await zipped({ "B/b.md": "b" }) };
    const read = async (/** @type {Record<string, string | Blob>} */ contents) =>
        inShort([new File([await zipped(contents)], "Export.zip")]);
    equal(await read(parts), [[["b", "/B"], ["a"]], []]);
    equal(await read({ ...parts, "Part-3.zip": "PK" }), [[["b", "/B"], ["a"]], [["Part-3.zip", "zip-damaged"]]]);
    equal(await read({ "note.md": "x", "files/source.zip": parts["Part-1.zip"] }), [
        [["note"]],
        [["files/source.zip", "not-a-note"]],
    ]);
    const failure = await read({ "deep.zip": await zipped(parts) }).catch((failure) => failure);
    equal(failure.what, "nothing");
});

Deno.test("an archive of 100,000 files is refused before they are read", async () => {
    // The end records of an archive in Zip64, whose list of files would come before.
    const end = new DataView(new ArrayBuffer(56 + 20 + 22));
    for (const [at, mark] of [
        [0, 0x06064b50],
        [56, 0x07064b50],
        [76, 0x06054b50],
    ])
        end.setUint32(at, mark, true);
    for (const at of [24, 32]) end.setBigUint64(at, 100_000n, true);
    const failure = await readChosen([new File([end], "notes.zip")]).catch((failure) => failure);
    equal(failure.what, "zip-large");
});

Deno.test("an archive with a list of files beyond 64 MiB is refused before the list is read", async () => {
    const end = new DataView(new ArrayBuffer(22));
    end.setUint32(0, 0x06054b50, true);
    for (const at of [8, 10]) end.setUint16(at, 1, true);
    end.setUint32(12, 65 << 20, true);
    const list = Array(65).fill(new Uint8Array(1 << 20));
    const failure = await readChosen([new File([...list, end], "notes.zip")]).catch((failure) => failure);
    equal(failure.what, "zip-large");
});

Deno.test("a dropped folder has more files than a call takes arguments", async () => {
    const file = { isDirectory: false, fullPath: "/a/b", file: (/** @type {(file: any) => void} */ take) => take({}) };
    const folder = (/** @type {any[]} */ inner) => ({
        isDirectory: true,
        createReader: () => ({ readEntries: (/** @type {(some: any[]) => void} */ take) => take(inner.splice(0)) }),
    });
    const item = { webkitGetAsEntry: () => folder([folder(Array(200_000).fill(file))]) };
    equal((await droppedFiles(/** @type {any} */ ({ items: [item] }))).length, 200_000);
});

Deno.test("archives and files that are chosen together come in together", async () => {
    const [one, other] = [await zipped({ "a.md": "a" }), await zipped({ "b.md": "b" })];
    const chosen = [new File([one], "one.zip"), new File(["PK"], "damaged.zip"), new File(["c"], "c.md")];
    equal(await inShort([...chosen, new File([other], "Backup.bear2bk")]), [
        [["a"], ["b"], ["c"]],
        [["damaged.zip", "zip-damaged"]],
    ]);
    const inFolder = (/** @type {string} */ path) =>
        Object.defineProperty(new File(["x"], "x"), "webkitRelativePath", { value: path });
    equal(await inShort([inFolder("Vault/a.md"), inFolder("Vault/B/b.md")]), [[["b", "/B"], ["a"]], []]);
    equal(await inShort([inFolder("One/a.md"), inFolder("Two/a.md")]), [
        [
            ["a", "/One"],
            ["a", "/Two"],
        ],
        [],
    ]);
    equal(await inShort([inFolder("Note.textbundle/text.md")]), [[["Note"]], []]);
});

Deno.test("a notes.json that is none of Simplenote's keeps no note away, and one that is comes in beside them", async () => {
    const list = '{"activeNotes": [{"id": "s", "content": "simple"}], "trashedNotes": null}';
    const read = async (/** @type {Record<string, string>} */ contents) =>
        inShort([new File([await zipped(contents)], "notes.zip")]);
    for (const content of ["[1]", "{", '{"activeNotes": 1}'])
        equal(await read({ "a.md": "a", "data/notes.json": content }), [[["a"]], [["data/notes.json", "not-a-note"]]]);
    equal(await read({ "a.md": "a", "Old/source/notes.json": list }), [[["simple"], ["a"]], []]);
    equal(await read({ "one/notes.json": list, "two/notes.json": list.replace("simple", "other"), "a.txt": "a" }), [
        [["simple"], ["other"]],
        [],
    ]);
});

Deno.test("an entry of Simplenote's that no note can hold keeps no other away", async () => {
    const deep = "[".repeat(50_000) + "]".repeat(50_000);
    const list = `{"activeNotes": [{"content": "a\\u0000b"}, {"content": "\\ud800"}, {"content": "fine", "x": ${deep}}]}`;
    equal(await inShort([new File([list], "notes.json")]), [
        [["fine"]],
        [
            ["activeNotes[0]", "unfit-text"],
            ["activeNotes[1]", "unfit-text"],
        ],
    ]);
});

Deno.test("texts of Windows in UTF-16 come in", async () => {
    const texts = {
        "big.md": [0xfe, 0xff, 0, 0x47, 0, 0xfc],
        "half.md": [0xff, 0xfe, 0, 0xd8],
        "little.md": [0xff, 0xfe, 0x47, 0, 0xfc, 0],
        "unmarked.md": [0x47, 0xfc],
    };
    const { notes, remarks } = await readFiles(
        Object.entries(texts).map(([path, bytes]) => ({ path, bytes: Uint8Array.from(bytes) })),
    );
    equal(
        notes.map(({ note: { title, body } }) => [title, body]),
        [
            ["big", "G\u00fc"],
            ["little", "G\u00fc"],
        ],
    );
    equal(
        remarks.map(({ source, what }) => [source, what]),
        [
            ["half.md", "not-text"],
            ["unmarked.md", "not-text"],
        ],
    );
});

Deno.test("an export has no names that do not come in again", async () => {
    const titles = ["._draft", ".hidden", "__MACOSX", "_resources", "a.textbundle", "text", ".obsidian"];
    const records = titles.map((title, index) => {
        const text = { title, body: "x", tags: [`/${title}`], pinned: false };
        const [id, position] = [`n${index}`, `${index}`];
        return /** @type {any} */ ({ id, position, move: null, text, place: "list", createdAt: 1, updatedAt: 1 });
    });
    for (const form of /** @type {const} */ (["markdown", "joplin"])) {
        const { notes, remarks } = await readFiles(exported(records, form));
        equal([form, notes.map(({ note: { title } }) => title).sort(), remarks], [form, titles.toSorted(), []]);
    }
});
