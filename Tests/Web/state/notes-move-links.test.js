import { plan, readChosen, readFiles } from "../../../Sources/Web/notes/move/import.js";
import { writeMarkdown } from "../../../Sources/Web/notes/move/markdown-form.js";
import { writeZip } from "../../../Sources/Web/notes/move/zip.js";
import { equal } from "./checks.js";
import { known, only } from "./moving.js";

/** @param {Record<string, string>} texts */
const files = (texts) => Object.entries(texts).map(([path, text]) => ({ path, bytes: new TextEncoder().encode(text) }));

/** Returns the notes by their titles, with titles instead of ids in links, and the remarks. @param {Record<string, string>} texts */
async function linked(texts) {
    const { notes, remarks } = await readFiles(files(texts));
    const titles = new Map(only(notes).map(({ id, title, tags }) => [id, [...tags, title].join(" ")]));
    const body = (/** @type {string} */ text) =>
        text.replace(/\(notes\/([\w-]+)\)/g, (_, id) => `(→ ${titles.get(id)})`);
    return {
        bodies: Object.fromEntries(only(notes).map(({ title, body: text }) => [title, body(text)])),
        remarks: remarks.map(({ source, what, detail }) => [source, what, detail]),
    };
}

Deno.test("links of an Obsidian vault lead to its notes, and others stay", async () => {
    const { bodies, remarks } = await linked({
        ".obsidian/app.json": "{}",
        "Start.md":
            "[[Äpfel]] and [[äpfel.md]], [[Äpfel|the apples]], [[Äpfel#Sorten|sorts]], [[Rezepte/Brot]], [[Reise 🚆]]\n" +
            "![[Äpfel]] ![[photo.png]] [[#Below]] [[Nowhere]] [[Ideas]] [[مواعيد]] [[snake_case]]\n\n" +
            "`[[Äpfel]]` ``a ` [[Äpfel]]``\n\n```md\n[[Äpfel]]\n```\n\n| a |\n| --- |\n| [[Äpfel\\|x]] |",
        "Äpfel.md": '---\nrelated: "[[Start]]"\n---\n\nback to [[Start]]',
        "Rezepte/Brot.md": "[[Ideas]] of this folder, [[/Start]]",
        "Rezepte/Ideas.md": "",
        "Work/Ideas.md": "",
        "Reise 🚆.md": "- [ ] pack\n  - [x] [[Rezepte/Brot#Teig]]\n    - [ ] شنطة",
        "مواعيد.md": "",
        "snake_case.md": "",
        "photo.png": "",
        "Board.canvas": "{}",
    });
    equal(bodies.Start.split("\n"), [
        "[Äpfel](→ Äpfel) and [äpfel.md](→ Äpfel), [the apples](→ Äpfel), [sorts](→ Äpfel), " +
            "[Rezepte/Brot](→ /Rezepte Brot), [Reise 🚆](→ Reise 🚆)",
        "![[Äpfel]] ![[photo.png]] [[#Below]] [[Nowhere]] [[Ideas]] [مواعيد](→ مواعيد) [snake_case](→ snake_case)",
        "",
        "`[[Äpfel]]` ``a ` [[Äpfel]]``",
        "",
        "```md",
        "[[Äpfel]]",
        "```",
        "",
        "| a |",
        "| --- |",
        "| [x](→ Äpfel) |",
    ]);
    equal(bodies.Äpfel, '---\nrelated: "[[Start]]"\n---\n\nback to [Start](→ Start)');
    equal(bodies.Brot, "[Ideas](→ /Rezepte Ideas) of this folder, [/Start](→ Start)");
    equal(bodies["Reise 🚆"], "- [ ] pack\n  - [x] [Rezepte/Brot#Teig](→ /Rezepte Brot)\n    - [ ] شنطة");
    equal(remarks, [
        [".obsidian/app.json", "not-a-note", ""],
        ["Board.canvas", "not-a-note", ""],
        ["photo.png", "resource", ""],
        ["Äpfel.md", "fields", "related"],
        ["Start.md", "wiki-links", "Nowhere, Ideas"],
    ]);
});

Deno.test("links of a second vault lead to its own notes, and both vaults add nothing the second time", async () => {
    const vault = (/** @type {string} */ name) => ({ "Ideas.md": `of ${name}`, [`${name}.md`]: "see [[Ideas]]" });
    /** @type {import("../../../Sources/Web/notes/move/portable-notes.js").PortableNote[]} */
    const added = [];
    for (const name of ["One", "Two"])
        added.push(...(await plan(await readFiles(files(vault(name))), known(added))).add);
    const of = (/** @type {string} */ body) => added.find((note) => note.body === body)?.id;
    equal(
        added.map(({ title, body }) => [title, body]),
        [
            ["Ideas", "of One"],
            ["One", `see [Ideas](notes/${of("of One")})`],
            ["Ideas", "of Two"],
            ["Two", `see [Ideas](notes/${of("of Two")})`],
        ],
    );
    for (const name of ["One", "Two"])
        equal(await plan(await readFiles(files(vault(name))), known(added)), {
            add: [],
            same: 2,
            files: [],
            remarks: [],
        });
});

/** @param {string} title @param {string} text @param {Record<string, unknown>} bear */
const bundle = (title, text, bear) => ({
    [`${title}.textbundle/text.markdown`]: text,
    [`${title}.textbundle/info.json`]: JSON.stringify({
        version: 2,
        type: "net.daringfireball.markdown",
        creatorIdentifier: "net.shinyfrog.bear",
        "net.shinyfrog.bear": bear,
    }),
});
const bear = {
    ...bundle(
        "Garten 🌱",
        "# Garten 🌱\n#zuhause/garten\n- [ ] Beet\n\t- [x] Erde\n\n[[Küche]], [old](bear://x-callback-url/open-note?id=K-1)",
        {
            uniqueIdentifier: "G-1",
            pinned: 1,
            creationDate: "2023-05-06T07:08:09Z",
            modificationDate: "2023-06-06T07:08:09Z",
        },
    ),
    ...bundle("Küche", "# Küche\n[[Garten 🌱/Beet|das Beet]] [gone](bear://x-callback-url/open-note?id=X-9)", {
        uniqueIdentifier: "K-1",
        archived: 1,
    }),
    ...bundle("قائمة", "", { uniqueIdentifier: "Q-1", trashed: 1 }),
    "Küche.textbundle/assets/Foto 1.jpg": "x",
};

/** @param {Record<string, string>} texts @param {string} name */
const zipped = async (texts, name) => new File([await writeZip(files(texts), new Date(2026, 0, 1))], name);

/** @param {Record<string, string>} texts @param {string} folder */
const within = (texts, folder) =>
    Object.fromEntries(Object.entries(texts).map(([path, text]) => [`${folder}/${path}`, text]));

Deno.test("a backup of Bear's comes in with its links and archive, and a later backup adds nothing", async () => {
    const found = await readChosen([await zipped(within(bear, "Bear Notes 2026-01-01"), "Bear Notes.bearbk")]);
    const [garden, kitchen] = only(found.notes);
    equal(
        only(found.notes).map(({ title, body, tags, pinned, trashed }) => [title, body, tags, pinned, trashed]),
        [
            [
                "Garten 🌱",
                `#zuhause/garten\n- [ ] Beet\n\t- [x] Erde\n\n[Küche](notes/${kitchen.id}), [old](notes/${kitchen.id})`,
                ["zuhause/garten"],
                true,
                false,
            ],
            [
                "Küche",
                `[das Beet](notes/${garden.id}) [gone](bear://x-callback-url/open-note?id=X-9)`,
                ["archived"],
                false,
                false,
            ],
            ["قائمة", "", [], false, true],
        ],
    );
    equal([garden.createdAt, garden.updatedAt], [Date.UTC(2023, 4, 6, 7, 8, 9), Date.UTC(2023, 5, 6, 7, 8, 9)]);
    equal(
        found.remarks.map(({ source, what, detail }) => [source, what, detail]),
        [
            ["Garten 🌱.textbundle/text.markdown", "text-tags", "zuhause/garten"],
            ["Küche.textbundle/assets/Foto 1.jpg", "resource", ""],
            ["Küche.textbundle/text.markdown", "archived", ""],
            ["Küche.textbundle/text.markdown", "wiki-links", "bear://x-callback-url/open-note?id=X-9"],
        ],
    );
    const { add } = await plan(found, known([]));
    const later = await readChosen([await zipped(within(bear, "Bear Notes 2026-02-01"), "Bear Notes.bear2bk")]);
    const again = await plan(later, known(add));
    equal([add.length, again.add, again.same], [3, [], 3]);
    // A note without its text is named.
    const textless = await readChosen([
        await zipped({ "a.md": "a", "B.textbundle/info.json": "{}", "B.textbundle/assets/x.png": "x" }, "B.bear2bk"),
    ]);
    equal(
        textless.remarks.map(({ source, what }) => [source, what]),
        [
            ["B.textbundle/assets/x.png", "resource"],
            ["B.textbundle/info.json", "no-text"],
        ],
    );
    // A note that has another title in Bear now is the same note.
    const renamed = bundle("Küche und Bad", "", { uniqueIdentifier: "K-1" });
    const { notes } = await readChosen([await zipped(renamed, "Bear Notes.bear2bk")]);
    equal(only(notes)[0].id, kitchen.id);
});

Deno.test("a TextPack has its name as title, with or without the bundle's folder, in Markdown or as plain text", async () => {
    const inner = {
        "text.txt": "plain *text*",
        "info.json": '{"version": 2, "type": "public.plain-text"}',
        "assets/a.pdf": "x",
    };
    for (const texts of [inner, within(inner, "Plan für März.textbundle")]) {
        for (const ending of ["textpack", "textbundle"]) {
            const { notes, remarks } = await readChosen([await zipped(texts, `Plan für März.${ending}`)]);
            equal(
                only(notes).map(({ title, body, tags }) => [title, body, tags]),
                [["Plan für März", "plain *text*", []]],
            );
            equal(
                remarks.map(({ source, what }) => [source, what]),
                [["Plan für März.textbundle/assets/a.pdf", "resource"]],
            );
        }
    }
});

Deno.test("an export has the paths of linked notes, and its import has the links again", async () => {
    const note = (/** @type {string} */ id, /** @type {string} */ title, /** @type {string} */ body) => ({
        ...{ id, title, body, tags: [], pinned: false, trashed: false, createdAt: 0, updatedAt: 0 },
    });
    const notes = [
        note(
            "one",
            "Trip",
            "[a](notes/two) [b](notes/three), [c](notes/gone) [[Trip]] `[a](notes/two)`\n\n- [x] [d](notes/four)",
        ),
        note("two", "100% R&D (März) [2026] `x`", '---\nup: "[x](notes/one)"\n---\n[t](notes/one)'),
        note("three", "trip", ""),
        note("four", "مواعيد", "~~~\n[t](notes/one)\n~~~\n[t](notes/one)"),
    ];
    const written = writeMarkdown(notes);
    const texts = written.map(({ path, bytes }) => [path, new TextDecoder().decode(bytes).split("\n---\n").at(-1)]);
    equal(texts[0], [
        "Trip.md",
        "\n[a](100%25%20R%26D%20%28März%29%20[2026]%20%60x%60.md) [b](trip-1.md), [c](notes/gone) [[Trip]] `[a](notes/two)`\n\n" +
            "- [x] [d](مواعيد.md)",
    ]);
    const found = await readFiles(written);
    equal(
        only(found.notes).map(({ id, body }) => [id, body]),
        notes.map(({ id, body }) => [id, body]),
    );
    equal(found.remarks, []);
});

Deno.test("links to the paths of other notes' files lead to these notes", async () => {
    const { bodies } = await linked({
        "Start.md": "[w](Work/My%20idea.md) [no](Nowhere.md) [web](https://example.org/Start.md) [bad](%E0%A4%A.md)",
        "Work/My idea.md": "[s](Start.md) [other](Other.markdown)",
        "Work/Other.markdown": "",
    });
    equal(bodies.Start, "[w](→ /Work My idea) [no](Nowhere.md) [web](https://example.org/Start.md) [bad](%E0%A4%A.md)");
    equal(bodies["My idea"], "[s](Start.md) [other](→ /Work Other)");
});
