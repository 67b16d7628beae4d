import { DeviceAccounts } from "../../../Sources/Web/notes/account/accounts.js";
import { newState } from "../../../Sources/Web/notes/engine/types.js";
import { CachedRows } from "../../../Sources/Web/notes/list/cached-rows.js";
import { formatNoteDate } from "../../../Sources/Web/notes/list/note-date.js";
import { partOf, readLink, readRoute, routeFragment } from "../../../Sources/Web/notes/route.js";
import { summed } from "../../../Sources/Web/notes/status.js";
import { en } from "../../../Sources/Web/notes/texts/en.js";
import { Texts } from "../../../Sources/Web/shared/texts.js";
import { equal } from "./checks.js";

const empty = { environment: "", place: "list", tag: "", note: "", history: false, query: {} };
/** @type {[string, object][]} */
const routes = [
    ["#/", {}],
    ["#/staging", { environment: "staging" }],
    ["#/staging/notes/n%201", { environment: "staging", note: "n 1" }],
    ["#/staging/notes/n1/history", { environment: "staging", note: "n1", history: true }],
    ["#/staging/tags/a%2Fb", { environment: "staging", place: "tags", tag: "a/b" }],
    ["#/staging/tags/%D8%B9/n1", { environment: "staging", place: "tags", tag: "ع", note: "n1" }],
    ["#/staging/trash", { environment: "staging", place: "trash" }],
    ["#/staging/trash/n1", { environment: "staging", place: "trash", note: "n1" }],
    ["#/staging/search?q=milk+bread", { environment: "staging", place: "search", query: { q: "milk bread" } }],
    ["#/staging/settings", { environment: "staging", place: "settings" }],
    ["#/staging/new?title=A", { environment: "staging", place: "new", query: { title: "A" } }],
];

Deno.test("an address says where one is, and where one is makes the address", () => {
    for (const [fragment, members] of routes) {
        const route = { ...empty, ...members };
        equal(readRoute(fragment), route);
        equal(routeFragment(/** @type {any} */ (route)), fragment);
    }
});

Deno.test("an address that makes no sense leads nowhere, and harms nothing", () => {
    for (const fragment of [
        "#/staging/nowhere",
        "#/staging/tags",
        "#/staging/constructor",
        "#/a/%E0%A4%A/b",
        "#/a/__proto__",
    ])
        equal(readRoute(fragment).place, "unknown");
    equal(partOf(readRoute("#/staging/nowhere")), "nothing");
    equal(readRoute("#/%E0%A4%A").environment, "%E0%A4%A");
});

Deno.test("a link's code is read, and nothing that is none", () => {
    equal(readLink("#/open/staging=abc-_1"), { environment: "staging", code: "abc-_1" });
    equal(readLink("#/open/staging=abc,live=def"), { environment: "staging", code: "abc" });
    for (const fragment of ["", "#/open/", "#/open/staging", "#/open/=abc", "#/staging/open/a=b"])
        equal(readLink(fragment), null);
});

/** A browser's storage that can fail. */
class Kept {
    /** @type {Map<string, string>} */
    values = new Map();
    fails = false;

    /** @param {string} key */
    getItem(key) {
        if (this.fails) throw new Error("no storage here");
        return this.values.get(key) ?? null;
    }

    /** @param {string} key @param {string} value */
    setItem(key, value) {
        if (this.fails) throw new Error("no storage here");
        this.values.set(key, value);
    }

    /** @param {string} key */
    removeItem(key) {
        if (this.fails) throw new Error("no storage here");
        this.values.delete(key);
    }
}

Deno.test("a device knows whose notes it has: the last first, and none whose user has signed out", () => {
    const kept = new Kept();
    const device = new DeviceAccounts(/** @type {any} */ (kept));
    equal(device.current(""), null);
    device.use("staging", "alice");
    device.use("live", "bob");
    device.use("staging", "carol");
    equal(device.current("")?.name, "carol");
    equal(device.current("live")?.name, "bob");
    equal(
        device.others("staging", "carol").map(({ name }) => name),
        ["bob", "alice"],
    );
    device.leave("staging", "carol");
    equal(device.current("staging"), null);
    equal(device.accounts().length, 3);
    device.forget("staging", "carol");
    equal(device.current("staging")?.name, "alice");
    device.use("live", "bob");
    equal(device.current("")?.name, "bob");
});

Deno.test("a device whose storage is garbage or fails has no notes, and says nothing wrong", () => {
    const kept = new Kept();
    const device = new DeviceAccounts(/** @type {any} */ (kept));
    for (const garbage of ["", "{", "null", "7", '{"a":1}', '[null,7,"x",{"environment":1,"name":"a","left":false}]']) {
        kept.values.set("almanac.notes.accounts", garbage);
        equal(device.accounts(), []);
    }
    kept.fails = true;
    device.use("staging", "alice");
    equal(device.current(""), null);
});

Deno.test("the rows kept of a list answer the question that they answered, and go with whose they are", () => {
    const kept = new Kept();
    const texts = new Texts("en", en, () => 0);
    const device = new DeviceAccounts(/** @type {any} */ (kept));
    const found = (/** @type {object} */ change = {}) => {
        /** @type {any} */
        const question = { place: "list", words: "", order: "edited", ...change };
        return new CachedRows(device, "staging", "alice", texts).find(question).rows.map(({ id }) => id);
    };
    const rows = [{ id: "n1", title: "Milk", excerpt: "", tags: [], pinned: false, updatedAt: 0, status: null }];
    const list = { question: '["list",null,"","edited"]', pinned: 0, rows };
    device.cacheRows("staging", "alice", list);
    equal(found(), []);
    device.use("staging", "alice");
    device.cacheRows("staging", "alice", list);
    equal(found(), ["n1"]);
    equal([found({ order: "title" }), found({ tag: "work" }), found({ words: "milk" })], [[], [], []]);
    equal(
        new CachedRows(device, "staging", "bob", texts).find(/** @type {any} */ ({ place: "list", order: "edited" }))
            .rows,
        [],
    );
    for (const leave of ["leave", "forget"]) {
        device.use("staging", "alice");
        device.cacheRows("staging", "alice", list);
        equal(found(), ["n1"]);
        device[/** @type {"leave" | "forget"} */ (leave)]("staging", "alice");
        equal([...kept.values.keys()], ["almanac.notes.accounts"]);
    }
    device.use("staging", "alice");
    for (const garbage of [
        [],
        [null],
        [{ ...rows[0], tags: "x" }],
        [{ ...rows[0], title: 7 }],
        [{ ...rows[0], moment: { short: {}, full: "" } }],
        "rows",
        { length: 1 },
    ]) {
        device.cacheRows("staging", "alice", { ...list, rows: garbage });
        equal(found(), []);
    }
    kept.values.set("almanac.notes.rows:staging:alice", "{");
    equal(found(), []);
    kept.fails = true;
    device.cacheRows("staging", "alice", list);
    equal(found(), []);
});

Deno.test("the rows kept of a list have their times as they were called, until they are called otherwise", async () => {
    let now = new Date(2026, 10, 23, 21).getTime();
    const device = new DeviceAccounts(/** @type {any} */ (new Kept()));
    device.use("staging", "alice");
    const rowsIn = (/** @type {string} */ language) =>
        new CachedRows(device, "staging", "alice", new Texts(language, en, () => now));
    /** @type {any} */
    const question = { place: "list", words: "", order: "edited" };
    /** @type {any} */
    const row = { id: "n1", title: "Milk", excerpt: "", tags: [], updatedAt: new Date(2026, 10, 23, 20, 5).getTime() };
    rowsIn("en").save(question, /** @type {any} */ ({ ids: ["n1"], pinned: 0 }), () => row);
    while (device.rows("staging", "alice") === null) await new Promise((done) => setTimeout(done, 10));
    const found = (/** @type {string} */ language) => rowsIn(language).find(question).rows[0].moment?.short;
    equal(found("en")?.replace("\u202f", " "), "8:05 PM");
    equal(found("de"), undefined);
    now += 4 * 3600 * 1000;
    equal(found("en"), undefined);
    const texts = new Texts("en", en, () => now);
    equal(formatNoteDate(texts, new Date(row.updatedAt)).short, "Nov 23, 2026");
});

Deno.test("times and numbers look as where the reader lives", () => {
    const evening = new Date(2026, 10, 23, 20, 5).toISOString();
    const said = (/** @type {string[]} */ ...tags) => new Texts("en", en, () => 0, tags).time(evening);
    equal(said("de-DE", "en-GB", "en-US"), "23 Nov 2026, 20:05:00");
    equal(
        [said("en-US"), said()].map((time) => time.startsWith("Nov 23, 2026, 8:05:00")),
        [true, true],
    );
    equal(new Texts("de", en, () => 0, ["de-CH"]).number(1200), "1’200");
});

Deno.test("the page says the worst that is so, and all is well only where it is", () => {
    const texts = new Texts("en", en, () => 0);
    const good = { ...newState(), phase: /** @type {const} */ ("upToDate") };
    const said = (/** @type {object} */ change, unsaved = 0) => summed(texts, { ...good, ...change }, () => 0, unsaved);
    equal(said({}), { kind: "good", text: "All notes synced" });
    equal(said({ pending: 1 }), { kind: "busy", text: "Syncing 1 note…" });
    equal(said({ phase: "offline", pending: 1200 }).text, "Offline, 1,200 notes not synced");
    equal(said({ phase: "syncing", firstSync: { done: 1200 } }).text, "First sync: 1,200 notes so far");
    equal(said({ phase: "waiting", retryAt: 12_000 }).text, "Retrying in 12 seconds");
    equal(said({ phase: "signInNeeded", pending: 2 }).text, "Signed out, 2 notes not synced");
    equal(said({ phase: "failed", pending: 2 }).kind, "attention");
    equal(said({ attention: 1, pending: 2 }).text, "1 note needs attention");
    equal(said({ attention: 1, decision: { missing: 2, total: 3 } }).text, "Sync paused: your decision needed");
    equal(said({ attention: 1 }, 2), { kind: "attention", text: "2 notes not saved" });
    for (const phase of ["offline", "syncing", "signInNeeded", "deciding", "waiting", "failed"])
        equal(said({ phase }).kind === "good", false);
});
