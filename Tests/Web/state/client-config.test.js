import assert from "node:assert/strict";
import { createConfig } from "../../../Sources/Web/client/config.js";

/** Replaces fetch by answers in their order: entries with headers, or an error. Returns the requests. */
function serve(/** @type {({ entries: any[], cursor: string, full?: boolean } | Error)[]} */ ...answers) {
    /** @type {{ query: Record<string, string>, headers: any }[]} */
    const asked = [];
    globalThis.fetch = async (address, options) => {
        asked.push({ query: Object.fromEntries(new URL(String(address)).searchParams), headers: options?.headers });
        const answer = answers.shift();
        if (!answer || answer instanceof Error) throw answer ?? new Error("no answer is left");
        return new Response(JSON.stringify(answer.entries), {
            headers: {
                "Almanac-Cursor": answer.cursor,
                "Almanac-Version": "2.0.0",
                ETag: `"${answer.cursor}"`,
                ...(answer.full && { "Almanac-Full": "true" }),
            },
        });
    };
    return asked;
}

function memory() {
    const kept = new Map();
    return {
        getItem: (/** @type {string} */ key) => kept.get(key) ?? null,
        setItem: (/** @type {string} */ key, /** @type {string} */ value) => void kept.set(key, value),
        removeItem: (/** @type {string} */ key) => void kept.delete(key),
    };
}

const options = { url: "https://config.example.com/", environment: "production", version: "2", live: false };

Deno.test("a refresh sends the cursor and the ETag, and subscribers get the changed keys only", async () => {
    const asked = serve(
        {
            entries: [
                { key: "a", value: 1 },
                { key: "b", value: 2 },
            ],
            cursor: "1.x",
        },
        {
            entries: [
                { key: "a", deleted: true },
                { key: "c", value: 3 },
            ],
            cursor: "2.x",
        },
        { entries: [{ key: "b", value: 4 }], cursor: "1.y", full: true },
    );
    const config = createConfig({ ...options, storage: null, token: "secret" });
    await config.ready;
    /** @type {string[][]} */
    const changes = [];
    const end = config.subscribe(["a", "b"], (keys) => changes.push(keys));
    assert.ok(await config.refresh());
    assert.deepEqual(config.entries(), { b: 2, c: 3 });
    end();
    assert.ok(await config.refresh());
    assert.deepEqual(config.entries(), { b: 4 });
    assert.deepEqual(changes, [["a"]]);
    assert.deepEqual(
        asked.map(({ query }) => query),
        [{ version: "2" }, { version: "2", since: "1.x" }, { version: "2", since: "2.x" }],
    );
    assert.deepEqual(asked[1].headers, { Authorization: "Bearer secret", "If-None-Match": '"1.x"' });
    config.close();
});

Deno.test("without the server, the cache of the same major has the values, and other majors have the defaults", async () => {
    const storage = memory();
    serve({ entries: [{ key: "a", value: "kept" }], cursor: "1.x" });
    const online = createConfig({ ...options, storage });
    await online.ready;
    online.close();
    serve();
    const offline = createConfig({ ...options, version: "2.5.0", storage, defaults: { a: "default" } });
    await offline.ready;
    assert.equal(offline.get("a", ""), "kept");
    assert.equal(offline.get("a", 7), 7);
    assert.equal(await offline.refresh(), false);
    assert.deepEqual([offline.status.source, offline.status.error], ["cache", "no answer is left"]);
    offline.close();
    const other = createConfig({ ...options, version: "3", storage, defaults: { a: "default" } });
    await other.ready;
    assert.deepEqual([other.get("a", ""), other.status.source], ["default", "defaults"]);
    other.close();
});

Deno.test("with next-start, a fetched value is used by the next client", async () => {
    const storage = memory();
    serve({ entries: [{ key: "a", value: 1 }], cursor: "1.x" }, { entries: [{ key: "a", value: 2 }], cursor: "2.x" });
    const first = createConfig({ ...options, storage, apply: "next-start" });
    await first.ready;
    assert.ok(await first.refresh());
    assert.equal(first.get("a", 0), 1);
    first.close();
    serve();
    const second = createConfig({ ...options, storage, apply: "next-start" });
    await second.ready;
    assert.equal(second.get("a", 0), 2);
    second.close();
});
