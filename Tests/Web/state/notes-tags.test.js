import { Catalog } from "../../../Sources/Web/notes/engine/catalog.js";
import { tagRows } from "../../../Sources/Web/notes/list/tag-rows.js";
import { newRecord } from "../../../Sources/Web/notes/sync/record.js";
import { equal } from "./checks.js";

/** @param {string} id @param {string[]} tags */
const note = (id, tags) =>
    newRecord(id, { title: id, body: "", tags, pinned: false }, { createdAt: 1000, updatedAt: 1000 });

const notes = [
    note("one", ["travel/lisbon", "travel/porto"]),
    note("two", ["travel", "travel/lisbon/food"]),
    note("three", ["travel agent", "Travel/x"]),
    note("four", ["/Work/Ideas", "//odd", "a//b", "end/", "and/or"]),
];

/** @param {string[]} closed */
function shown(...closed) {
    const catalog = new Catalog({ language: "en" });
    catalog.load(notes);
    const { families } = catalog.list({ place: "list", order: "edited" });
    return tagRows(families, new Set(closed)).map(
        ({ depth, name, count, isParent }) => `${"  ".repeat(depth)}${name} ${count}${isParent ? " +" : ""}`,
    );
}

Deno.test("tags with slashes are under their parents, which count the notes of their children once", () => {
    const rows = [
        "//odd 1",
        "/Work 1 +",
        "  Ideas 1",
        "a//b 1",
        "and 1 +",
        "  or 1",
        "end/ 1",
        "travel 2 +",
        "  lisbon 2 +",
        "    food 1",
        "  porto 1",
        "Travel 1 +",
        "  x 1",
        "travel agent 1",
    ];
    equal(shown(), rows);
    equal(
        shown("travel"),
        rows.filter((row) => !/lisbon|food|porto/.test(row)),
    );
    equal(
        shown("travel/lisbon", "/Work"),
        rows.filter((row) => !/food|Ideas/.test(row)),
    );
});

Deno.test("a parent shows the notes of its children, and numbers follow changes", () => {
    const catalog = new Catalog({ language: "en" });
    catalog.load(notes);
    const ids = (/** @type {string} */ tag) => [...catalog.list({ place: "list", order: "edited", tag }).ids].sort();
    equal(
        [ids("travel"), ids("travel/lisbon"), ids("/Work"), ids("a"), ids("trav")],
        [...[["one", "two"], ["one", "two"], ["four"], [], []]],
    );
    catalog.apply([note("two", ["travel/porto"])], ["one", "three", "four"]);
    equal(catalog.list({ place: "list", order: "edited" }).families, [
        ["travel", 1],
        ["travel/porto", 1],
    ]);
    equal(catalog.list({ place: "list", order: "edited" }).tags, [["travel/porto", 1]]);
});
