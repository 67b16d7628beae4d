/** The texts of a closing page: stored at the next start, once, whatever the page's worker has stored of them. */
import { forgetTexts, keepTexts, restoreTexts } from "../../../Sources/Web/notes/account/closing-texts.js";
import { mergedText } from "../../../Sources/Web/notes/sync/text.js";
import { apply, load } from "../../../Sources/Web/notes/text/textmerge.js";
import { equal } from "./checks.js";

const textmerge = await load(await Deno.readFile(Deno.env.get("ALMANAC_TEXTMERGE") ?? ""));
const merge = (/** @type {string} */ base, /** @type {string} */ theirs, /** @type {string} */ mine) =>
    apply(mine, textmerge.merge(base, theirs, mine).fromMine);
const mara = { environment: "development", account: "mara" };

/** @param {string} body @returns {import("../../../Sources/Web/notes/sync/text.js").Text} */
const note = (body) => ({ title: "Plan", body, tags: [], pinned: false });

/** Creates a storage whose own properties are its keys, like a browser's. @returns {any} */
const newStorage = () =>
    Object.create({
        /** @this {any} @param {string} key */
        getItem(key) {
            return this[key] ?? null;
        },
        /** @this {any} @param {string} key @param {string} text */
        setItem(key, text) {
            this[key] = text;
        },
        /** @this {any} @param {string} key */
        removeItem(key) {
            delete this[key];
        },
    });

/** Grants locks that a worker holds while it stores the last edits. @param {() => void} [store] @returns {any} */
const newLocks = (store) => ({
    request: async (/** @type {string} */ _lock, /** @type {any} */ _options, /** @type {() => void} */ granted) => {
        store?.();
        granted();
    },
});
const locks = newLocks();

/**
 * Returns the body after a restart with this stored body.
 * @param {string[]} bodies the known, the sent and the last body of the closed page
 * @param {string} stored
 */
async function restored(bodies, stored) {
    const storage = newStorage();
    keepTexts(storage, mara, "n", bodies.map(note));
    const record = { text: note(stored) };
    /** @type {any} */
    const engine = {
        note: async () => record,
        edit: async (/** @type {string} */ _id, /** @type {any} */ read, /** @type {any} */ text) => {
            record.text = mergedText(read, record.text, text, merge);
        },
    };
    await restoreTexts(storage, locks, { environment: "development", name: "mara", engine });
    equal(Object.keys(storage), []);
    return record.text.body;
}

Deno.test("what a closing page typed is stored once, whatever its worker has stored", async () => {
    const bodies = ["bring milk", "bring milk and", "bring milk and bread"];
    for (const stored of bodies) equal(await restored(bodies, stored), "bring milk and bread");
    const fewer = ["bring milk and bread", "bring milk and", "bring milk"];
    for (const stored of fewer) equal(await restored(fewer, stored), "bring milk");
});

Deno.test("what a closing page typed is stored once beside changes of other devices", async () => {
    const bodies = ["bring milk", "bring milk and", "bring milk and bread"].map((line) => `${line}\n\nnear the end`);
    for (const stored of bodies) {
        const theirs = stored.replace("the end", "the very end\nafter it");
        equal(await restored(bodies, theirs), "bring milk and bread\n\nnear the very end\nafter it");
    }
});

Deno.test("what the worker of a closed page still stores is waited for", async () => {
    const storage = newStorage();
    keepTexts(storage, mara, "n", ["bring", "bring milk", "bring milk and bread"].map(note));
    let body = "bring";
    const store = () => {
        body = "bring milk";
    };
    /** @type {string[]} */
    const bases = [];
    /** @type {any} */
    const engine = {
        note: async () => ({ text: note(body) }),
        edit: async (/** @type {string} */ _id, /** @type {any} */ base) => bases.push(base.body),
    };
    await restoreTexts(storage, newLocks(store), { environment: "development", name: "mara", engine });
    equal(bases, ["bring milk"]);
});

Deno.test("texts of another account stay, and those of a removed account go", async () => {
    const storage = newStorage();
    const other = { environment: "development", account: 'mara"]x' };
    keepTexts(storage, other, "n", [note("a"), note("b"), note("c")]);
    const engine = /** @type {any} */ ({ note: () => equal("no note", "is read") });
    await restoreTexts(storage, locks, { environment: "development", name: "mara", engine });
    forgetTexts(storage, "development", "mara");
    equal(Object.keys(storage).length, 1);
    forgetTexts(storage, "development", other.account);
    equal(Object.keys(storage), []);
});
