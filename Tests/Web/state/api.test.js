import assert from "node:assert/strict";
import { API, Problem } from "../../../Sources/Web/shared/api.js";

/** Creates a client whose server holds each response until the test sends it. */
function held() {
    /** @type {{ method: string, path: string, answer: (status: number, kind?: string) => void }[]} */
    const asked = [];
    const fetcher = (/** @type {any} */ path, /** @type {any} */ { method }) =>
        new Promise((done) => {
            const answer = (/** @type {number} */ status, kind = "") =>
                done(
                    new Response(JSON.stringify({ type: `urn:almanac:problem:${kind}`, title: kind }), {
                        status,
                        headers: { "Content-Type": kind ? "application/problem+json" : "application/json" },
                    }),
                );
            asked.push({ method, path, answer });
        });
    const api = new API(/** @type {any} */ (fetcher), async () => {});
    /** @type {string[]} */
    const ended = [];
    api.addEventListener("ended", (event) => ended.push(/** @type {CustomEvent} */ (event).detail));
    return { api, asked, ended };
}

Deno.test("the end of a session is told, and what was asked in it fails", async () => {
    const { api, asked, ended } = held();
    const read = api.get("/staging%20/config");
    asked[0].answer(401, "session-ended");
    await assert.rejects(read, (failure) => failure instanceof Problem && failure.kind === "session-ended");
    assert.deepEqual(ended, ["staging "]);
    assert.equal(asked.length, 1);
});

Deno.test("a token that is refused ends no session", async () => {
    const { api, asked, ended } = held();
    const entry = api.signIn("staging", { token: "almanac_staging_wrong" });
    asked[0].answer(401, "token-refused");
    await assert.rejects(entry, Problem);
    assert.deepEqual(ended, []);
});

for (const method of ["GET", "PATCH"]) {
    Deno.test(`${method} that a session's end refuses after the next sign-in is sent again, and no end is told`, async () => {
        const { api, asked, ended } = held();
        const call = api.send(method, "/staging/config");
        const entry = api.signIn("staging", { token: "almanac_staging_good" });
        asked[1].answer(200);
        await entry;
        asked[0].answer(401, "session-ended");
        while (asked.length < 3) await new Promise((done) => setTimeout(done));
        assert.deepEqual([asked[2].method, asked[2].path], [method, "/staging/config"]);
        assert.deepEqual(ended, []);
        // The new session may have ended too.
        asked[2].answer(401, "session-ended");
        await assert.rejects(call, Problem);
        assert.deepEqual(ended, ["staging"]);
        assert.equal(asked.length, 3);
    });
}
