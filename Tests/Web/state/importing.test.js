import assert from "node:assert/strict";
import { after, formsOf, read } from "../../../Sources/Web/console/state/importing.js";

const none = new Set();

Deno.test("values keep their digits", () => {
    const { values } = read('{"id": 9007199254740993, "price": 1.10, "huge": 1e400}', "flat", none);
    assert.deepEqual(
        [...values],
        [
            ["id", "9007199254740993"],
            ["price", "1.10"],
            ["huge", "1e400"],
        ],
    );
});

Deno.test("a nested file is split at its objects, but not inside a value that there is", () => {
    const text = '{"app": {"theme": "dark", "limits": {"retries": 3}, "empty": {}}, "flag": true}';
    assert.deepEqual(
        [...read(text, "nested", new Set(["app.limits"])).values],
        [
            ["app.theme", '"dark"'],
            ["app.limits", '{"retries":3}'],
            ["app.empty", "{}"],
            ["flag", "true"],
        ],
    );
    assert.deepEqual([...read(text, "flat", none).values.keys()], ["app", "flag"]);
});

Deno.test("the likeliest form comes first, by the keys that there are", () => {
    assert.deepEqual(formsOf('{"app.theme": "dark"}', none), ["flat"]);
    assert.deepEqual(formsOf('{"app": {"theme": "dark"}}', new Set(["app.theme"])), ["nested", "flat"]);
    assert.deepEqual(formsOf('{"limits": {"retries": 3}}', new Set(["limits"])), ["flat"]);
    assert.deepEqual(formsOf('{"limits": {"retries": 3}, "app.theme": 1}', new Set(["app.theme"])), ["flat", "nested"]);
    assert.deepEqual(formsOf('[{"key": "a", "value": 1, "updated_at": "2026-01-01T00:00:00Z"}]', none), ["list"]);
    assert.deepEqual(formsOf("[1, 2]", none), []);
    assert.deepEqual(formsOf("true", none), []);
});

Deno.test("what cannot be an entry is told", () => {
    const reading = read('{"1x": 1, "ok": 2, "none": null, "__proto__": 3}', "flat", none);
    assert.deepEqual([...reading.values.keys()], ["ok", "__proto__"]);
    assert.deepEqual(reading.wrong, ["1x"]);
    assert.deepEqual(reading.empty, ["none"]);
});

Deno.test("an import adds to the config, or replaces it, and keeps descriptions", () => {
    const current = new Map([
        ["a", { value: "1", description: "One" }],
        ["b", { value: "2", description: "" }],
    ]);
    const values = new Map([["a", "3"]]);
    assert.deepEqual(
        [...after(values, current, false)],
        [
            ["a", { value: "3", description: "One" }],
            ["b", { value: "2", description: "" }],
        ],
    );
    assert.deepEqual([...after(values, current, true).keys()], ["a"]);
});

Deno.test("a list of entries is read by key", () => {
    assert.deepEqual([...read('[{"key": "a", "value": {"x": 1.0}}]', "list", none).values], [["a", '{"x":1.0}']]);
    assert.throws(() => formsOf('[{"key": "a", "value": 1},\n]', none), { reason: "json.value", line: 2, column: 1 });
});
