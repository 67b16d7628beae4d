import assert from "node:assert/strict";
import { Bookmarks } from "../../../Sources/Web/console/state/bookmarks.js";
import { EntryTable } from "../../../Sources/Web/console/state/entries.js";
import { Filter } from "../../../Sources/Web/console/state/filter.js";

/** @param {boolean} [isFull] true if the storage refuses every write @param {Map<string, string>} [items] */
const storage = (isFull = false, items = new Map()) =>
    /** @type {any} */ ({
        isFull,
        items,
        getItem: (/** @type {string} */ name) => items.get(name) ?? null,
        setItem(/** @type {string} */ name, /** @type {string} */ text) {
            if (this.isFull) throw new DOMException("full", "QuotaExceededError");
            items.set(name, text);
        },
    });

Deno.test("favorites and saved filters are stored by environment", () => {
    const place = storage();
    const bookmarks = new Bookmarks("staging", place);
    assert.equal(bookmarks.toggle("app.name"), true);
    assert.equal(bookmarks.toggle("app.url"), true);
    assert.equal(bookmarks.toggle("app.name"), true);
    assert.equal(bookmarks.save("Mine", "by:mara"), true);
    assert.equal(bookmarks.save("Numbers", "type:number"), true);
    assert.equal(bookmarks.save("Mine", ""), true);
    const again = new Bookmarks("staging", place);
    assert.deepEqual([...again.favorites], ["app.url"]);
    assert.deepEqual([...again.filters], [["Numbers", "type:number"]]);
    assert.equal(new Bookmarks("production", place).favorites.size, 0);
});

Deno.test("a change keeps the changes of another tab", () => {
    const place = storage();
    const [one, other] = [new Bookmarks("staging", place), new Bookmarks("staging", place)];
    one.toggle("app.name");
    other.save("Numbers", "type:number");
    other.toggle("app.url");
    assert.deepEqual([...new Bookmarks("staging", place).favorites], ["app.name", "app.url"]);
});

Deno.test("a full storage keeps the bookmarks until the page closes, and stores them once there is room", () => {
    const place = storage();
    const bookmarks = new Bookmarks("staging", place);
    bookmarks.toggle("app.name");
    place.isFull = true;
    assert.equal(bookmarks.toggle("app.url"), false);
    assert.equal(bookmarks.save("Numbers", "type:number"), false);
    assert.deepEqual([...bookmarks.favorites], ["app.name", "app.url"]);
    assert.deepEqual([...new Bookmarks("staging", place).favorites], ["app.name"]);
    place.isFull = false;
    assert.equal(bookmarks.toggle("app.name"), true);
    assert.deepEqual([...new Bookmarks("staging", place).favorites], ["app.url"]);
    assert.equal(new Bookmarks("staging", place).filters.get("Numbers"), "type:number");
});

Deno.test("unreadable bookmarks and a blocked storage give none", () => {
    for (const text of ["", "{", "null", "[]", '{"favorites": 1}', '{"favorites": [], "filters": 1}']) {
        const bookmarks = new Bookmarks("staging", storage(false, new Map([["almanac.bookmarks.staging", text]])));
        assert.deepEqual([bookmarks.favorites.size, bookmarks.filters.size], [0, 0], text);
    }
    const refuse = () => {
        throw new DOMException("blocked", "SecurityError");
    };
    const blocked = new Bookmarks("staging", /** @type {any} */ ({ getItem: refuse, setItem: refuse }));
    assert.equal(blocked.toggle("app.name"), false);
    assert.deepEqual([...blocked.favorites], ["app.name"]);
});

Deno.test("the list is filtered by favorites, with other terms and without", () => {
    const table = new EntryTable();
    const item = { type: "string", bytes: 3, text: '"a"', full: true, description: "", updated_at: "", revision: 1 };
    table.fill(
        ["app.name", "app.url", "shop.url"].map((key) => ({ ...item, key, author: "" })),
        {},
    );
    const bookmarks = new Bookmarks("staging", storage());
    const filter = new Filter(bookmarks);
    const found = (/** @type {string} */ text) => filter.run(table, text, "key").map(({ key }) => key);
    assert.deepEqual(found("is:favorite"), []);
    bookmarks.toggle("shop.url");
    bookmarks.toggle("app.name");
    table.version += 1;
    assert.deepEqual(found("is:favorite"), ["app.name", "shop.url"]);
    assert.deepEqual(found("is:favorite url"), ["shop.url"]);
    assert.deepEqual(found("url -is:favorite"), ["app.url"]);
});
