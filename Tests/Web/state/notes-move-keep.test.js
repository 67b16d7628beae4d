import { plan, readChosen, readFiles } from "../../../Sources/Web/notes/move/import.js";
import { writeZip } from "../../../Sources/Web/notes/move/zip.js";
import { equal } from "./checks.js";
import { known, only, tree } from "./moving.js";

const takeout = tree(new URL("../moving/keep/", import.meta.url));
const zip = async () => new File([await writeZip(takeout, new Date(2026, 0, 1))], "takeout-20260101T120000Z-001.zip");

Deno.test("an archive by Takeout comes in with tasks, labels, links, pins, times and the trash of Keep", async () => {
    const { notes, remarks } = await readChosen([await zip()]);
    const inShort = only(notes).map(({ title, body, tags, pinned, trashed }) => [title, body, tags, pinned, trashed]);
    const links = "[Books \\[2nd hand\\]](https://example.com/b_(1)?q=a%20b)\nOdd: javascript:alert(1)";
    const tasks = "- [x] Äpfel 🍎\n- [ ] Brot\n  mit Körnern\n- [ ] ";
    equal(inShort, [
        ["", "no title, and no time of creation", [], false, false],
        ["", "![19a](attachments/wkzht6og2dhzakaz643hxettya.png)", [], false, false],
        ["Einkauf für Samstag", tasks, ["Haushalt", "to do"], true, false],
        ["Old plan", "---\n---\n\n---\ntags: no\n---\nnot front matter", [], false, true],
        ["Reading", "another note of the same title", [], false, false],
        ["Reading", `Read this weekend:\nhttps://example.com/essay\n\n${links}`, [], false, false],
        ["Twin", "two", [], false, false],
        ["Twin", "one", [], false, false],
        ["Whiteboard", "from the meeting\n\n![18f](attachments/gg5vjd76tnukknaduqtutyg4je.jpg)", [], false, false],
        ["مواعيد", "الثلاثاء: طبيب الأسنان 🦷", ["archived", "صحة"], false, false],
    ]);
    const [untitled, list] = only(notes);
    equal([untitled.createdAt, untitled.updatedAt], [1_600_000_000_000, 1_600_000_000_000]);
    equal([list.createdAt, list.updatedAt], [1_709_294_400_000, 1_717_236_610_123]);
    equal(
        remarks.map(({ source, what, detail }) => [source.replace("Takeout/Keep/", ""), what, detail]),
        [
            ["Empty.json", "damaged", ""],
            ["Twin.json", "details", "color, sharing, formatting"],
            ["مواعيد.json", "archived", ""],
            ["Takeout/Tasks/Tasks.json", "not-a-note", ""],
            ["voice.3gp", "file-empty", ""],
        ],
    );
});

Deno.test("an archive by Takeout adds nothing the second time, and only what is new later", async () => {
    const found = await readChosen([await zip()]);
    const first = await plan(found, known([]));
    equal([first.add.length, first.same], [10, 0]);
    equal(new Set(first.add.map(({ id }) => id)).size, 10);
    const again = await plan(await readChosen([await zip()]), known(first.add));
    equal([again.add, again.same], [[], 10]);
    // A note that changed in Keep is the same note.
    const changed = known(first.add);
    for (const record of changed.values()) if (record.text.title === "Whiteboard") record.text.body = "edited here";
    const later = await plan(found, changed);
    equal([later.add, later.same, later.remarks.filter(({ what }) => what === "different").length], [[], 9, 1]);
});

Deno.test("a file of Keep comes in alone, from its folder, and beside other files", async () => {
    const bytes = (/** @type {string} */ name) => {
        const found = takeout.find(({ path }) => path.endsWith(`/${name}`))?.bytes ?? new Uint8Array(0);
        return new Uint8Array(found);
    };
    const titles = async (/** @type {File[]} */ files) => {
        const { notes, remarks } = await readChosen(files);
        return [only(notes).map(({ title }) => title), remarks.map(({ what }) => what)];
    };
    const inFolder = (/** @type {string} */ path, /** @type {BlobPart} */ content) =>
        Object.defineProperty(new File([content], "x"), "webkitRelativePath", { value: path });
    equal(await titles([new File([bytes("Reading(1).json")], "Reading.json")]), [["Reading"], []]);
    equal(await titles([new File([bytes("Reading(1).json")], "notes.json")]), [["Reading"], []]);
    equal(await titles([inFolder("Notizen/a.json", bytes("Reading(1).json")), inFolder("Notizen/a.html", "")]), [
        ["Reading"],
        [],
    ]);
    const other = await titles([new File(["{}"], "app.json"), new File(["x"], "y.md"), new File(["{"], "z.json")]);
    equal(other, [["y"], ["not-a-note", "not-a-note"]]);
});

Deno.test("fields of other types in a file of Keep are no texts", async () => {
    const odd = {
        isTrashed: false,
        isArchived: true,
        title: "Odd",
        textContent: 7,
        listContent: [null, { text: null }, { text: {} }],
    };
    const more = {
        labels: ["x", { name: 1 }],
        annotations: [{ url: 1 }],
        attachments: [{}],
        createdTimestampUsec: "soon",
    };
    const bytes = new TextEncoder().encode(JSON.stringify({ ...odd, ...more, userEditedTimestampUsec: 1e30 }));
    const { notes, remarks } = await readFiles([{ path: "a.json", bytes }]);
    equal(
        only(notes).map(({ body, tags, createdAt, updatedAt }) => [body, tags, createdAt, updatedAt]),
        [["- [ ] \n- [ ] ", ["archived"], null, null]],
    );
    equal(
        remarks.map(({ what, detail }) => [what, detail]),
        [
            ["file-missing", ""],
            ["archived", ""],
        ],
    );
});
