import { Catalog } from "../../../Sources/Web/notes/engine/catalog.js";
import { fold, foldWithPlaces } from "../../../Sources/Web/notes/engine/fold.js";
import { entryWithoutBody } from "../../../Sources/Web/notes/sync/list-index.js";
import { withPendingMoves } from "../../../Sources/Web/notes/sync/notes.js";
import { newRecord } from "../../../Sources/Web/notes/sync/record.js";
import { beginning } from "../../../Sources/Web/notes/text/beginning.js";
import { equal, random } from "./checks.js";
import { record, sought, text } from "./written-notes.js";

/** @import { NoteRecord } from "../../../Sources/Web/notes/sync/record.js" */

let number = 0;

/**
 * Creates a note whose position follows the order of creation.
 * @param {Partial<NoteRecord["text"]>} parts
 * @param {Partial<NoteRecord>} [more]
 */
function note(parts, more = {}) {
    number += 1;
    const whole = { title: "", body: "", tags: [], pinned: false, ...parts };
    const made = newRecord(`n${number}`, whole, { createdAt: number * 1000, updatedAt: number * 1000 });
    return Object.assign(made, { position: `p${String(number).padStart(6, "0")}` }, more);
}

/**
 * @param {NoteRecord[]} notes
 * @param {string} words
 * @returns {string[]} the titles of the results
 */
function search(notes, words) {
    const catalog = new Catalog({ language: "en" });
    catalog.load(notes);
    const { ids } = catalog.list({ place: "list", words, order: "hand" });
    return catalog.summaries(ids).map(({ title }) => title);
}

Deno.test("a list stands in the order asked for, with pinned notes first", () => {
    const catalog = new Catalog({ language: "en" });
    const notes = [
        note({ title: "banana 10" }, { updatedAt: 9000, createdAt: 1000 }),
        note({ title: "Äpfel" }, { updatedAt: 5000, createdAt: 3000 }),
        note({ title: "banana 9", pinned: true }, { updatedAt: 1000, createdAt: 500 }),
        note({ body: "\n  cherries and more\nsecond" }, { updatedAt: 7000, createdAt: 2000 }),
        note({ title: "gone" }, { place: "trash" }),
        note({ title: "gone for good" }, { place: "removed" }),
    ];
    catalog.load(notes);
    const orders = /** @type {const} */ (["hand", "edited", "created", "title"]);
    const shown = orders.map((order) => {
        const { ids, total } = catalog.list({ place: "list", order });
        equal(total, 4);
        return catalog.summaries(ids).map(({ title, excerpt }) => title || excerpt);
    });
    equal(shown, [
        ["banana 9", "banana 10", "Äpfel", "cherries and more second"],
        ["banana 9", "banana 10", "cherries and more second", "Äpfel"],
        ["banana 9", "Äpfel", "cherries and more second", "banana 10"],
        ["banana 9", "Äpfel", "banana 10", "cherries and more second"],
    ]);
    equal(catalog.list({ place: "trash", order: "hand" }).ids, [notes[4].id]);
    equal(catalog.list({ place: "list", order: "hand" }).places, { list: 4, trash: 1 });
});

Deno.test("a move that the server does not have yet is in the order by hand at once", () => {
    const catalog = new Catalog();
    const notes = [note({ title: "one" }), note({ title: "two" }), note({ title: "three" })];
    catalog.load(notes);
    catalog.list({ place: "list", order: "hand" });
    const moved = { ...notes[2], move: { number: 1, after: notes[0].id, acknowledged: null } };
    catalog.apply([moved]);
    equal(catalog.list({ place: "list", order: "hand" }).ids, [notes[0].id, notes[2].id, notes[1].id]);
});

Deno.test("tags are counted over the list, and choose from it", () => {
    const catalog = new Catalog({ language: "de" });
    const notes = [
        note({ title: "one", tags: ["work", "Ärger"] }),
        note({ title: "two", tags: ["work"] }),
        note({ title: "three", tags: ["zoo"] }),
        note({ title: "trashed", tags: ["work", "old"] }, { place: "trash" }),
    ];
    catalog.load(notes);
    const { tags, ids } = catalog.list({ place: "list", tag: "work", order: "hand" });
    equal(tags, [
        ["Ärger", 1],
        ["work", 2],
        ["zoo", 1],
    ]);
    equal(ids, [notes[0].id, notes[1].id]);
    catalog.apply(
        [
            { ...notes[1], place: "trash" },
            { ...notes[3], place: "list" },
        ],
        [notes[2].id],
    );
    equal(catalog.list({ place: "list", order: "hand" }).tags, [
        ["Ärger", 1],
        ["old", 1],
        ["work", 2],
    ]);
    // A tag with different case is a different tag.
    equal(catalog.list({ place: "list", tag: "Work", order: "hand" }).ids, []);
});

Deno.test("a search looks past case, accents and ways of writing, in every script", () => {
    const notes = [
        note({ title: "german", body: "Die Straße in Köln, ein Café mit ÄPFELN" }),
        note({ title: "chinese", body: "牛奶、面包和鸡蛋" }),
        note({ title: "japanese", body: "東京でカメラを買う ＡＢＣ" }),
        note({ title: "arabic", body: "شراء الخُبْز" }),
        note({ title: "greek", body: "Ο ΔΡΟΜΟΣ" }),
        note({ title: "emoji", body: "party 🎉 C++" }),
        note({ title: "nordic", body: "Søren og Łukasz, İstanbul" }),
        note({ title: "soft", body: "Donau\u00addampf\u00adschiff and e\u0301clair" }),
    ];
    const found = {
        strasse: ["german"],
        STRASSE: ["german"],
        koln: ["german"],
        cafe: ["german"],
        apfel: ["german"],
        面包: ["chinese"],
        京: ["japanese"],
        abc: ["japanese"],
        カメラ: ["japanese"],
        الخبز: ["arabic"],
        δρομος: ["greek"],
        "🎉": ["emoji"],
        "c++": ["emoji"],
        soren: ["nordic"],
        lukasz: ["nordic"],
        istanbul: ["nordic"],
        donaudampf: ["soft"],
        éclair: ["soft"],
        // A search does not match the middle of a word.
        traße: [],
    };
    for (const [words, titles] of Object.entries(found)) equal([words, search(notes, words)], [words, titles]);
});

Deno.test("the best comes first: title, tags, body; a whole word before a beginning; then the latest", () => {
    const notes = [
        note({ title: "a", body: "milk" }),
        note({ title: "b", body: "milkman" }),
        note({ title: "milkman c" }),
        note({ title: "milk d" }),
        note({ title: "e", tags: ["milk"] }),
        note({ title: "f", body: "milk once more" }),
        note({ title: "g", body: "almost mil" }),
        note({ title: "h", pinned: true, body: "skimmed milk" }),
    ];
    equal(search(notes, "milk"), ["milk d", "milkman c", "e", "h", "f", "a", "b"]);
});

Deno.test("all words must be there, those with a minus must not, and tags are asked for by their names", () => {
    const notes = [
        note({ title: "one", body: "milk and bread", tags: ["work", "two words"] }),
        note({ title: "two", body: "milk", tags: ["work"] }),
        note({ title: "three", body: "bread and\nbutter for the milkman", tags: ["workshop"] }),
    ];
    equal(search(notes, "milk bread"), ["one", "three"]);
    equal(search(notes, "milk -bread"), ["two"]);
    equal(search(notes, "bread -milk"), ["three"]);
    equal(search(notes, "tag:work"), ["two", "one"]);
    equal(search(notes, 'milk tag:"two words"'), ["one"]);
    equal(search(notes, "tag:work -tag:work"), []);
    equal(search(notes, '"bread and butter"'), ["three"]);
    equal(search(notes, "bre* mil*"), ["three", "one"]);
    // An incomplete term has no effect yet.
    for (const half of ["", " ", "tag:", "-", '"', 'tag:"', "-tag:"])
        equal([half, search(notes, half).length], [half, 3]);
});

Deno.test("a search finds what the cases say, which hold for the server and the library for apps too", () => {
    const file = new URL("../../Core/SearchingTests/search-cases.json", import.meta.url);
    const { notes: written, searches } = JSON.parse(Deno.readTextFileSync(file));
    const catalog = new Catalog({ language: "en" });
    catalog.load(
        written.map((/** @type {any} */ { id, ...text }, /** @type {number} */ at) =>
            newRecord(id, { ...text, pinned: false }, { createdAt: at, updatedAt: at }),
        ),
    );
    for (const warm of [false, true]) {
        if (warm) while (!catalog.warm(60_000, () => performance.now()));
        for (const [words, ids] of searches) {
            const found = catalog.list({ place: "list", words, order: "edited" }).ids;
            // Without search words, the list is complete.
            equal([words, found], [words, ids ?? written.map((/** @type {any} */ { id }) => id).toReversed()]);
        }
    }
});

Deno.test("a summary shows what is around the words, and where they are in UTF-16 units", () => {
    const catalog = new Catalog();
    const far = `${"🍎 filler ".repeat(60)}the Straße to the café. ${"more ".repeat(100)}`;
    const one = note({ title: "Cafe\u0301 👩‍👩‍👧 café", body: far });
    catalog.load([one]);
    const [summary] = catalog.summaries([one.id], "cafe strasse");
    const { title, excerpt, matches } = summary;
    if (!matches) throw new Error("no matches");
    equal(
        matches.title.map(([from, to]) => title.slice(from, to)),
        ["Cafe\u0301", "café"],
    );
    equal(
        matches.excerpt.map(([from, to]) => excerpt.slice(from, to)),
        ["Straße", "café"],
    );
    equal(
        [excerpt.length <= 202, excerpt.startsWith("…"), excerpt.endsWith("…"), excerpt.isWellFormed()],
        [true, true, true, true],
    );
    const [plain] = catalog.summaries([one.id]);
    equal(
        [plain.matches, plain.excerpt.startsWith("🍎 filler"), plain.excerpt.isWellFormed()],
        [undefined, true, true],
    );
    equal(catalog.summaries(["nobody"]), []);
});

Deno.test("folding a text at once and by its characters comes to the same", () => {
    const next = random(7);
    for (let turn = 0; turn < 300; turn += 1) {
        const { title, body } = text(next, 200);
        equal(foldWithPlaces(`${title}\n${body}`).text, fold(`${title}\n${body}`));
    }
});

Deno.test("lists and searches are those of a plain look at every note, whatever has changed", () => {
    for (let seed = 1; seed <= 12; seed += 1) {
        const next = random(seed);
        /** @type {Map<string, NoteRecord>} */
        const notes = new Map();
        for (let at = 0; at < 60; at += 1) notes.set(`n${at}`, record(next, at));
        const catalog = new Catalog({ language: "en" });
        // Load the notes like from the shelf: most without their bodies, which follow unchanged.
        const bodies = [...notes.values()].map(({ id, text }) => /** @type {[string, string]} */ ([id, text.body]));
        catalog.load([...notes.values()].map((each) => (next(4) === 0 ? each : entryWithoutBody(each))));
        for (let turn = 0; turn < 5; turn += 1) {
            for (const order of /** @type {const} */ (["hand", "edited", "created", "title"])) {
                const { ids, first } = catalog.list({ place: "list", order, first: 30 });
                equal([seed, turn, order, ids], [seed, turn, order, plain(notes, "", "list", order)]);
                const excerpts = ids.slice(0, 30).map((id) => beginning(notes.get(id)?.text.body ?? ""));
                equal([seed, turn, first.map((each) => each.excerpt)], [seed, turn, excerpts]);
            }
            change(catalog, notes, next);
        }
        catalog.addBodies(bodies);
        for (let step = 0; step < 60; step += 1) {
            if (next(3) === 0) change(catalog, notes, next);
            if (next(9) === 0) catalog.warm(1, () => 0);
            const place = next(5) === 0 ? "trash" : "list";
            const order = /** @type {const} */ (["hand", "edited", "created", "title"])[next(4)];
            const wanted = Array.from({ length: next(3) }, () => sought[next(sought.length)]).join(" ");
            // Search after every typed letter.
            const letters = [...wanted];
            for (let typed = Math.max(0, letters.length - 3); typed <= letters.length; typed += 1) {
                const words = letters.slice(0, typed).join("");
                const found = catalog.list({ place, words, order });
                equal(
                    [seed, step, words, place, order, found.ids],
                    [seed, step, words, place, order, plain(notes, words, place, order)],
                );
            }
        }
    }
});

/**
 * @param {Catalog} catalog
 * @param {Map<string, NoteRecord>} notes
 * @param {(below: number) => number} next
 */
function change(catalog, notes, next) {
    /** @type {NoteRecord[]} */
    const changed = [];
    /** @type {string[]} */
    const removed = [];
    for (let count = next(3); count >= 0; count -= 1) {
        const at = next(70);
        const id = `n${at}`;
        if (removed.includes(id) || changed.some((each) => each.id === id)) continue;
        if (next(6) === 0) {
            notes.delete(id);
            removed.push(id);
            continue;
        }
        const old = notes.get(id);
        const after = next(3) === 0 ? null : `n${next(70)}`;
        const made = old && next(2) ? { ...old, updatedAt: old.updatedAt + next(9) * 60_000 } : record(next, at);
        if (next(3) === 0 && after !== id) made.move = { number: next(1000), after, acknowledged: null };
        if (next(9) === 0) made.place = "removed";
        notes.set(id, made);
        changed.push(made);
    }
    catalog.apply(changed, removed);
}

/**
 * Computes the expected list by checking every note, without a cache.
 * @param {Map<string, NoteRecord>} notes
 * @param {string} words
 * @param {"list" | "trash"} place
 * @param {"hand" | "edited" | "created" | "title"} order
 */
function plain(notes, words, place, order) {
    const there = [...notes.values()].filter((each) => each.place === place);
    const asked = [...words.matchAll(/(-?)(tag:)?(?:"([^"]*)("?)|(\S+))/g)]
        .map(([, minus, tag, quoted, closing, bare]) => ({
            minus: minus === "-",
            tag: tag !== undefined,
            text: quoted ?? bare,
            whole: quoted === undefined ? minus === "-" : closing === '"',
            or: quoted === undefined && !minus && !tag && bare === "or",
        }))
        .filter(({ text, tag }) => text !== "" && !(text === "-" && !tag) && !(text === "tag:" && !tag));
    /** @type {(typeof asked)[]} */
    const alternatives = [[]];
    for (const [index, term] of asked.entries()) {
        const last = alternatives[alternatives.length - 1];
        if (term.or && last.length > 0 && index + 1 < asked.length) alternatives.push([]);
        else last.push(term);
    }
    const hasWords = (/** @type {(typeof asked)[0]} */ { tag, text }) => tag || wordsIn(text).length > 0;
    const wanted = alternatives.map((terms) => terms.filter(hasWords)).filter((terms) => terms.length > 0);
    const id = (/** @type {NoteRecord} */ one, /** @type {NoteRecord} */ other) => (one.id < other.id ? -1 : 1);
    if (wanted.length > 0) {
        const value = (/** @type {NoteRecord} */ { text }, /** @type {(typeof asked)[0]} */ term) => {
            const parts = [[text.title], text.tags, [text.body]];
            const fitting = parts.map((texts) =>
                Math.max(0, ...texts.map((each) => fits(each, term.text, term.whole))),
            );
            const best = fitting.findIndex((part) => part > 0);
            return best < 0 ? 0 : [5, 3, 1][best] + fitting[best] - 1;
        };
        const fitsAll = (/** @type {NoteRecord} */ each, /** @type {typeof asked} */ terms) =>
            terms.every(
                (term) => (term.tag ? each.text.tags.includes(term.text) : value(each, term) > 0) !== term.minus,
            );
        const found = there.flatMap((each) => {
            if (!wanted.some((terms) => fitsAll(each, terms))) return [];
            const counted = wanted.flat().filter(({ tag, minus }) => !tag && !minus);
            return [{ each, sum: counted.reduce((sum, term) => sum + value(each, term), 0) }];
        });
        found.sort(
            (one, other) =>
                other.sum - one.sum || other.each.updatedAt - one.each.updatedAt || id(one.each, other.each),
        );
        return found.map(({ each }) => each.id);
    }
    const { compare } = new Intl.Collator("en", { numeric: true });
    const name = (/** @type {NoteRecord} */ { text: { title, body } }) =>
        title || (body.split("\n").find((one) => one.trim()) ?? "").trimStart();
    const edited = (/** @type {NoteRecord} */ one, /** @type {NoteRecord} */ other) =>
        other.updatedAt - one.updatedAt || id(one, other);
    const sorted = there.sort(
        {
            hand: (/** @type {NoteRecord} */ one, /** @type {NoteRecord} */ other) =>
                one.position === other.position
                    ? one.createdAt - other.createdAt || id(one, other)
                    : (one.position ?? "~") < (other.position ?? "~")
                      ? -1
                      : 1,
            edited,
            created: (/** @type {NoteRecord} */ one, /** @type {NoteRecord} */ other) =>
                other.createdAt - one.createdAt || id(one, other),
            title: (/** @type {NoteRecord} */ one, /** @type {NoteRecord} */ other) =>
                compare(name(one), name(other)) || id(one, other),
        }[order],
    );
    if (place === "trash") return (order === "hand" ? sorted.sort(edited) : sorted).map((each) => each.id);
    const list = order === "hand" ? withPendingMoves(sorted) : sorted;
    const [pinned, others] = [true, false].map((kind) => list.filter((each) => each.text.pinned === kind));
    return [...pinned, ...others].map((each) => each.id);
}

/** @param {string} written */
const folded = (written) =>
    written
        .normalize("NFKD")
        .toLowerCase()
        .replace(/[\p{Mn}\p{Cf}]/gu, "")
        .replace(
            /[ßøłς’\n]/g,
            (character) => ({ ß: "ss", ø: "o", ł: "l", ς: "σ", "’": "'", "\n": " " })[character] ?? "",
        );

/** The words of the texts so far, because each search reads all texts. @type {Map<string, string[]>} */
const wordsOfTexts = new Map();

/** @param {string} written */
const wordsIn = (written) => {
    const known = wordsOfTexts.get(written);
    if (known) return known;
    const words =
        folded(written).match(
            /(?!\p{P})[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{S}]|((?![\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}])[\p{L}\p{N}\p{M}])+/gu,
        ) ?? [];
    wordsOfTexts.set(written, words);
    return words;
};

/**
 * Returns 2 if a text contains the words in a row, 1 if the last one matches as a prefix, else 0.
 * @param {string} written
 * @param {string} sought
 * @param {boolean} isWhole true if only whole words match
 */
function fits(written, sought, isWhole) {
    const [words, wanted] = [wordsIn(written), wordsIn(sought)];
    let best = 0;
    for (let at = 0; at + wanted.length <= words.length; at += 1) {
        const there = words.slice(at, at + wanted.length);
        if (there.join(" ") === wanted.join(" ")) best = 2;
        else if (!isWhole && there.join(" ").startsWith(wanted.join(" "))) best = Math.max(best, 1);
    }
    return best;
}
