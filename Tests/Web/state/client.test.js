import assert from "node:assert/strict";
import { openStorage } from "../../../Sources/Web/client/storage.js";
import { backOff, changedKeys, eventParser, fits, merge, seal, unseal } from "../../../Sources/Web/client/sync.js";

Deno.test("a delta changes, adds and removes entries; a full answer replaces all of them", () => {
    const limits = { retries: 3 };
    const before = merge(
        new Map(),
        [
            { key: "limits", value: limits },
            { key: "old", value: 1 },
        ],
        true,
    );
    const delta = [
        { key: "limits", value: { retries: 3 } },
        { key: "old", deleted: true },
        { key: "new", value: null },
    ];
    const after = merge(before, delta, false);
    assert.deepEqual(
        [...after],
        [
            ["limits", limits],
            ["new", null],
        ],
    );
    assert.equal(after.get("limits"), limits);
    assert.deepEqual(changedKeys(before, after), ["old", "new"]);
    assert.deepEqual([...merge(before, [{ key: "new", value: 2 }], true)], [["new", 2]]);
});

Deno.test("a flag removes the value of its key, and values cannot be changed", () => {
    const before = merge(new Map(), [{ key: "a", value: { b: [1] } }], true);
    assert.throws(() => before.get("a").b.push(2), TypeError);
    assert.equal(merge(before, [{ key: "a", kind: "flag", value: {} }], false).size, 0);
    assert.equal(merge(before, [{ key: "a", kind: "value", value: 1 }], false).get("a"), 1);
});

Deno.test("the default decides the type", () => {
    for (const [value, fallback] of [
        ["", "a"],
        [0, 1],
        [false, true],
        [[], [1]],
        [{}, { a: 1 }],
        [null, undefined],
        [1, null],
    ]) {
        assert.ok(fits(value, fallback), JSON.stringify([value, fallback]));
    }
    for (const [value, fallback] of [
        ["1", 1],
        [1, true],
        [null, ""],
        [[], {}],
        [{}, []],
        [undefined, null],
    ]) {
        assert.ok(!fits(value, fallback), JSON.stringify([value, fallback]));
    }
});

Deno.test("the wait doubles up to a minute, and up to half of it is random", () => {
    assert.deepEqual(
        [0, 1, 2, 20].map((failures) => backOff(failures, 0)),
        [1000, 2000, 4000, 60_000],
    );
    assert.deepEqual(
        [0, 20].map((failures) => backOff(failures, 1)),
        [500, 30_000],
    );
});

Deno.test("a stored text that is cut or changed is no value", () => {
    const sealed = seal({ text: "Grüße\n🌱" });
    assert.deepEqual(unseal(sealed), { text: "Grüße\n🌱" });
    for (const text of [null, "", "1:", "{}", sealed.slice(0, -1), sealed.replace("text", "next"), `1${sealed}`]) {
        assert.equal(unseal(text), undefined);
    }
});

Deno.test("a storage that throws gives nothing, and its state says so", () => {
    let isFull = true;
    const kept = new Map();
    const storage = openStorage(
        {
            getItem: (key) => kept.get(key) ?? null,
            setItem(key, value) {
                if (isFull) throw new Error("full");
                kept.set(key, value);
            },
            removeItem: (key) => void kept.delete(key),
        },
        "key",
    );
    assert.equal(storage.read(), undefined);
    assert.equal(storage.state, "ok");
    storage.write(1);
    assert.equal(storage.state, "refused");
    isFull = false;
    storage.write(2);
    assert.deepEqual([storage.state, storage.read()], ["ok", 2]);
    assert.equal(openStorage(null, "key").state, "none");
});

Deno.test("events are read from any pieces of the stream", () => {
    const text =
        'id: config=1.a\r\nevent: message\r\ndata: {"type":"hello"}\r\n\r\n: comment\n\ndata: no\n\ndata: {"a":\ndata: 1}\n\n';
    for (let size = 1; size <= text.length; size++) {
        const parse = eventParser();
        const events = [];
        for (let start = 0; start < text.length; start += size) events.push(...parse(text.slice(start, start + size)));
        assert.deepEqual(events, [{ type: "hello" }, { a: 1 }], `pieces of ${size}`);
    }
});
