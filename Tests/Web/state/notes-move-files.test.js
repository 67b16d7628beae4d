import { attachmentsIn } from "../../../Sources/Web/notes/attachments/references.js";
import { exported } from "../../../Sources/Web/notes/move/export.js";
import { followingID } from "../../../Sources/Web/notes/move/found-files.js";
import { plan, readChosen } from "../../../Sources/Web/notes/move/import.js";
import { md5 } from "../../../Sources/Web/notes/move/md5.js";
import { addedFiles, contentOf } from "../../../Sources/Web/notes/move/moved-files.js";
import { readZip, writeZip } from "../../../Sources/Web/notes/move/zip.js";
import { equal } from "./checks.js";
import { known, record } from "./moving.js";

/** @import { FoundFile } from "../../../Sources/Web/notes/move/found-files.js" */
/** @import { PortableNote } from "../../../Sources/Web/notes/move/portable-notes.js" */

const bytesOf = (/** @type {string} */ name) =>
    Deno.readFileSync(new URL(`../moving/pictures/${name}`, import.meta.url));
const [png, jpg, webp] = ["photo-6.png", "photo-1.jpg", "plain.webp"].map(bytesOf);
const pdf = new TextEncoder().encode("%PDF-1.7 a bill");

/** @typedef {Record<string, string | Uint8Array<ArrayBuffer>>} Contents */

/** Returns the files of a chosen folder. @param {Contents} contents */
const folder = (contents) =>
    Object.entries(contents).map(([path, content]) => {
        const file = new File([content], path.replace(/^.*\//, ""));
        Object.defineProperty(file, "webkitRelativePath", { value: `Folder/${path}` });
        return file;
    });

/** Returns the same files in an archive. @param {Contents} contents */
async function archive(contents, name = "notes.zip") {
    const files = Object.entries(contents).map(([path, content]) => ({
        path,
        bytes: typeof content === "string" ? new TextEncoder().encode(content) : content,
    }));
    return [new File([await writeZip(files, new Date(2026, 0, 1))], name)];
}

/** An account with its notes and files. */
class Account {
    /** @type {PortableNote[]} */
    notes = [];
    /** @type {Map<string, { sha256: string, state: string, bytes: Uint8Array }>} */
    files = new Map();

    /** Imports files. Returns the plan. @param {File[]} chosen @param {number | null} [maxBytes] the server's limit */
    async take(chosen, maxBytes = null) {
        const stored = async (/** @type {string} */ id) => this.files.get(id) ?? null;
        const made = await plan(await readChosen(chosen, maxBytes), known(this.notes), stored);
        for (const { id, sha256, read } of made.files)
            this.files.set(id, { sha256, state: "stored", bytes: await read() });
        this.notes.push(...made.add);
        return made;
    }

    /** Exports everything. @param {"markdown" | "joplin"} form @returns {Promise<Record<string, Uint8Array<ArrayBuffer>>>} */
    async export(form) {
        const files = exported(
            this.notes.map((note, index) => record(note, index)),
            form,
        );
        const contentOf = async (/** @type {string} */ id) => this.files.get(id)?.bytes ?? null;
        const zip = await writeZip(files, new Date(2026, 0, 1), () => {}, contentOf);
        const read = await readZip(zip, () => true);
        return Object.fromEntries(read.files.map(({ path, bytes }) => [path, new Uint8Array(bytes)]));
    }

    /** Returns the texts with the names of their files in place of ids. */
    bodies(/** @type {FoundFile[]} */ named) {
        const names = new Map(named.map(({ id, name }) => [id, name]));
        return this.notes.map(({ body }) =>
            body.replace(/attachments\/([a-z2-7]{26})/g, (_, id) => `→${names.get(id)}`),
        );
    }
}

const vault = {
    ".obsidian/app.json": "{}",
    "Bilder/Haus.png": png,
    "Bilder/Am See (1).jpg": jpg,
    "Bilder/nobody.webp": webp,
    "deep/er/Bilder/Haus.png": webp,
    "Rechnung März.pdf": pdf,
    "Reise.md": [
        "![[Haus.png]] ![[Bilder/Haus.png|300]] ![[Am See (1).jpg|vom Boot|300x200]] ![[Rechnung März.pdf#page=2]] [[Rechnung März.pdf|die Rechnung]]",
        '![See](Bilder/Am%20See%20\\(1\\).jpg) ![See|120](<./Bilder/Am See (1).jpg> "Titel") [![Haus](Bilder/Haus.png)](https://example.com)',
        '<img src="Bilder/Haus.png" width=40 alt="Haus &amp; Hof"> [pdf](Rechnung%20M%C3%A4rz.pdf)',
        "",
        "`![[Haus.png]]` ![[weg.png]] ![weg](Bilder/weg.jpg) ![fern](https://example.com/Haus.png) [[Anders]]",
        "",
        "```",
        "![](Bilder/Haus.png)",
        "```",
        "",
        "[h]: Bilder/Haus.png",
    ].join("\n"),
    "Tag/Anders.md": "![](../Bilder/Haus.png) ![](/Bilder/Haus.png) ![](Haus.png) ![[../Bilder/Haus.png]]",
};

Deno.test("pictures and files of a vault come in with its notes, once, from a folder or an archive", async () => {
    const account = new Account();
    const { add, files, remarks } = await account.take(folder(vault));
    equal(
        [add.length, files.map(({ name, type }) => [name, type]).sort()],
        [
            2,
            [
                ["Am See (1).jpg", "image/jpeg"],
                ["Haus.png", "image/png"],
                ["Rechnung März.pdf", "application/pdf"],
            ],
        ],
    );
    const [trip, other] = account.bodies(files);
    const [haus, see] = ["→Haus.png.png", "→Am See (1).jpg.jpg"];
    const bill = "→Rechnung März.pdf.pdf";
    equal(trip.split("\n"), [
        `![Haus](${haus}) ![Haus](${haus}) ![vom Boot](${see}) [Rechnung März.pdf](${bill}) [die Rechnung](${bill})`,
        `![See](${see}) ![See](${see} "Titel") [![Haus](${haus})](https://example.com)`,
        `![Haus & Hof](${haus}) [pdf](${bill})`,
        "",
        "`![[Haus.png]]` ![[weg.png]] ![weg](Bilder/weg.jpg) ![fern](https://example.com/Haus.png) " +
            `[Anders](notes/${add.find(({ title }) => title === "Anders")?.id})`,
        "",
        "```",
        "![](Bilder/Haus.png)",
        "```",
        "",
        `[h]: ${haus}`,
    ]);
    equal(other, `![](${haus}) ![](${haus}) ![](Haus.png) ![Haus](${haus})`);
    equal(
        remarks.map(({ source, what, detail }) => [source, what, detail]),
        [
            [".obsidian/app.json", "not-a-note", ""],
            ["Bilder/nobody.webp", "resource", ""],
            ["deep/er/Bilder/Haus.png", "resource", ""],
            ["Reise.md", "file-missing", "weg.png, Bilder/weg.jpg"],
            ["Tag/Anders.md", "file-missing", "Haus.png"],
        ],
    );
    for (const chosen of [folder(vault), await archive(vault)]) {
        const again = await account.take(chosen);
        equal([again.add, again.files, again.same], [[], [], 2]);
    }
    // Files that an import did not bring come with the next one.
    account.files.clear();
    const later = await account.take(folder(vault));
    equal([later.add, later.files.length, later.same], [[], 3, 2]);
});

Deno.test("an export with files comes in again unchanged, and equal in another account", async () => {
    const account = new Account();
    await account.take(folder(vault));
    for (const form of /** @type {const} */ (["markdown", "joplin"])) {
        const files = await account.export(form);
        // Every link to a file leads to one in the archive.
        for (const [path, bytes] of Object.entries(files).filter(([path]) => path.endsWith(".md"))) {
            const text = new TextDecoder().decode(bytes);
            equal([path, text.includes("](attachments/")], [path, form === "markdown"]);
            for (const [, target] of text.matchAll(/\]\(((?:\.\.\/)*(?:attachments|_resources)\/[^\s)]+)/g))
                equal(
                    [target, Object.keys(files).includes(new URL(target, `file:///${path}`).pathname.slice(1))],
                    [target, true],
                );
        }
        equal(Object.keys(files).length, 5);
        const other = new Account();
        const made = await other.take(await archive(files));
        const missing = form === "markdown" ? [] : ["weg.png, Bilder/weg.jpg", "Haus.png"];
        equal([made.add.length, made.files.length, made.remarks.map(({ detail }) => detail)], [2, 3, missing]);
        const bytes = (/** @type {Account} */ { files }) => [...files.values()].map(({ sha256 }) => sha256).sort();
        equal(bytes(other), bytes(account));
        equal(await other.export(form), files);
        equal((await other.take(folder(files))).same, 2);
    }
    const files = await account.export("markdown");
    const again = await account.take(await archive(files));
    equal([again.add, again.files, again.same, again.remarks], [[], [], 2, []]);
});

Deno.test("a file keeps its id where the account has the same bytes, and gets another one elsewhere", async () => {
    const [one, other] = ["abcdefghijklmnopqrstuvwxyz", "234567aaaaaaaaaaaaaaaaaaaa"];
    const contents = {
        "a.md": `---\ntitle: a\nid: n1\n---\n\n![Haus \\[alt\\]](attachments/${one}.png) \`attachments/${other}\` [Bill.md](attachments/${other}.md)`,
        [`attachments/${one}.png`]: png,
        [`attachments/${other}.md`]: "# no note",
        [`attachments/${other}`]: "# no note",
    };
    const account = new Account();
    const { add, files, remarks } = await account.take(folder(contents));
    equal([add.length, remarks, files.map(({ name }) => name)], [1, [], ["Haus [alt].png", "Bill.md"]]);
    const ids = [...attachmentsIn(add[0].body)];
    equal([ids.length, ids.includes(one), ids.includes(other)], [2, false, false]);
    // The same bytes are there under the same ids.
    const sha256 = files[0].sha256;
    const there = new Account();
    there.files.set(one, { sha256, state: "stored", bytes: png });
    there.files.set(other, { sha256, state: "stored", bytes: png });
    const kept = await there.take(folder(contents));
    equal([[...attachmentsIn(kept.add[0].body)][0], kept.files.map(({ name }) => name)], [one, ["Bill.md"]]);
    // An export in Joplin's form has the ids in the names of its files.
    const joplin = { "a.md": `---\ntitle: a\n---\n\n![x](_resources/${one}.png)`, [`_resources/${one}.png`]: png };
    for (const [taker, id] of /** @type {[Account, string][]} */ ([
        [new Account(), ids[0]],
        [there, one],
    ]))
        equal((await taker.take(folder(joplin))).add[0].body, `![x](attachments/${id}.png)`);
    // An id whose attachment was removed is never taken again.
    const removed = new Account();
    removed.files.set(ids[0], { sha256, state: "removed", bytes: png });
    const { files: anew } = await removed.take(folder(contents));
    equal(anew[0].id, await followingID(ids[0]));
    equal((await removed.take(folder(contents))).same, 1);
    // A text that names a file which is neither here nor in the account says so.
    const missing = await new Account().take(folder({ "a.md": `attachments/${one}` }));
    equal(missing.remarks, [{ source: "a.md", what: "file-missing", detail: `attachments/${one}` }]);
});

Deno.test("files of bundles and of Joplin come in by their paths", async () => {
    const account = new Account();
    const bundle = {
        "Garten.textbundle/text.md": "# Garten\n![](assets/Foto%201.jpg)",
        "Garten.textbundle/info.json": "{}",
    };
    const { files, remarks } = await account.take([
        ...(await archive({ ...bundle, "Garten.textbundle/assets/Foto 1.jpg": jpg }, "Garten.textpack")),
        ...(await archive(
            { "_resources/0a1b.png": png, "Haus/Plan.md": "---\ntitle: Plan\n---\n\n![x](../_resources/0a1b.png)" },
            "j.zip",
        )),
    ]);
    equal([account.bodies(files), remarks], [["![](→Foto 1.jpg.jpg)", "![x](→0a1b.png.png)"], []]);
});

Deno.test("files beyond the limits, empty and damaged ones are left out and named", async () => {
    const large = new File([png, "\0"], "large.png");
    const chosen = [large, ...folder({}), new File([""], "empty.png"), new File([png], "good.png")];
    const text = "![[large.png]] ![[empty.png]] ![[good.png]]";
    const found = await new Account().take([...chosen, new File([text], "a.md")], png.length);
    equal(
        [found.files.map(({ name }) => name), found.remarks.map(({ source, what }) => [source, what])],
        [
            ["good.png"],
            [
                ["large.png", "file-too-large"],
                ["empty.png", "file-empty"],
            ],
        ],
    );
    const resource = `<resource><data>${btoa("too large")}</data><mime>text/plain</mime></resource>`;
    const enex = `<en-export><note><title>E</title><content>&lt;en-note/></content>${resource}</note></en-export>`;
    const evernote = (/** @type {number} */ maxBytes) => new Account().take([new File([enex], "e.enex")], maxBytes);
    equal([(await evernote(8)).files, (await evernote(8)).remarks.map(({ what }) => what)], [[], ["file-too-large"]]);
    equal((await evernote(9)).files.length, 1);
    const zip = new Uint8Array(await (await archive({ "b.md": "![](x.webp)", "x.webp": webp }))[0].arrayBuffer());
    // The note names the file too.
    const [, { index: at }] = [...new TextDecoder("latin1").decode(zip).matchAll(/x\.webp/g)];
    for (let place = at + 6; place < at + 20; place += 1) zip[place] ^= 0x55;
    const damaged = await new Account().take([new File([zip], "notes.zip")]);
    equal([damaged.files, damaged.remarks], [[], [{ source: "x.webp", what: "zip-damaged", detail: "" }]]);
    const ids = Array.from(
        { length: 1001 },
        (_, index) =>
            `attachments/${"a".repeat(22)}${index
                .toString(6)
                .padStart(4, "0")
                .replace(/[01]/g, (digit) => "67"[Number(digit)])}`,
    );
    const full = await new Account().take([new File([ids.join("\n")], "a.md"), new File(["b"], "b.md")]);
    equal([full.add.length, full.remarks], [1, [{ source: "a.md", what: "too-many-files", detail: "" }]]);
});

Deno.test("files of Evernote stand where the text names them, others below, and damaged ones are named", async () => {
    const base64 = (/** @type {Uint8Array} */ bytes) => btoa(String.fromCharCode(...bytes)).replace(/.{76}/g, "$&\n");
    const resource = (/** @type {string} */ data, /** @type {string} */ type, name = "") =>
        `<resource><data encoding="base64">${data}</data><mime>${type}</mime><resource-attributes>` +
        `<file-name>${name}</file-name></resource-attributes></resource>`;
    const note = (/** @type {string} */ content, /** @type {string[]} */ ...resources) =>
        `<note><title>a</title><content><![CDATA[<en-note>${content}</en-note>]]></content>${resources.join("")}</note>`;
    const media = (/** @type {Uint8Array} */ bytes) => `<en-media hash="${md5(bytes)}" type="x"/>`;
    const text =
        `<en-export>${note(`<div>one ${media(jpg)} two</div><div>${media(pdf)}</div>`, resource(base64(jpg), "image/jpeg", "See.jpg"), resource(base64(pdf), "application/pdf"), resource(base64(webp), "image/webp"))}` +
        `${note("b", resource("YWJj*A==", "text/plain", "odd.txt"), resource("YWJ", "text/plain", "cut.txt"))}</en-export>`;
    const account = new Account();
    const { files, remarks } = await account.take([new File([text], "N.enex")]);
    equal(account.bodies(files), [
        "one ![See](→See.jpg.jpg) two  \n[file.pdf](→file.pdf.pdf)\n\n![file.webp](→file.webp.webp)",
        "b",
    ]);
    equal(
        remarks.map(({ source, what }) => [source, what]),
        [
            ["N.enex: a: odd.txt", "file-unread"],
            ["N.enex: a: cut.txt", "file-unread"],
        ],
    );
    equal(md5(new TextEncoder().encode("a".repeat(1000))), "cabe45dcc9ae5b66ba86600cca6b8ba8");
});

Deno.test("files that cannot be read, or not now, are named, and the others are there", async () => {
    const [one, other] = ["abcdefghijklmnopqrstuvwxyz", "234567aaaaaaaaaaaaaaaaaaaa"];
    const gone = async () => {
        throw new DOMException("the file has changed", "NotReadableError");
    };
    /** @type {Map<string, ArrayBuffer>} */
    const kept = new Map();
    /** @type {any} */
    const engine = {
        attach: async (/** @type {{ id: string, file: ArrayBuffer }} */ { id, file }) => kept.set(id, file),
        attachment: async (/** @type {string} */ id) => (kept.has(id) ? { name: id, type: "x" } : null),
        attachmentContent: async (/** @type {string} */ id) => ({ part: "file", pieces: [kept.get(id)] }),
    };
    const file = { id: one, name: "a.jpg", type: "image/jpeg", sha256: "", isPicture: true };
    /** @type {number[]} */
    const done = [];
    const broken = Uint8Array.of(0xff, 0xd8, 0xff, 0xe1);
    const remarks = await addedFiles(
        engine,
        [
            { ...file, read: async () => broken },
            { ...file, id: other, read: gone },
        ],
        (count) => done.push(count),
    );
    equal([remarks.map(({ what }) => what), done, [...kept.keys()]], [["file-as-is", "file-unread"], [1, 2], [one]]);
    /** @type {import("../../../Sources/Web/notes/move/portable-notes.js").Remark[]} */
    const lost = [];
    const note = { id: "n", title: "n", body: `attachments/${one}.jpg attachments/${other}.pdf`, tags: [] };
    const files = exported(
        [record({ ...note, pinned: false, trashed: false, createdAt: 0, updatedAt: 0 })],
        "markdown",
    );
    const zip = await writeZip(files, new Date(2026, 0, 1), () => {}, contentOf(engine, lost));
    const read = await readZip(zip, () => true);
    equal(
        [read.files.map(({ path, bytes }) => [path, bytes.length]).slice(1), lost.map(({ source }) => source)],
        [[[`attachments/${one}.jpg`, broken.length]], [`attachments/${other}.pdf`]],
    );
});
