import assert from "node:assert/strict";
import { expiryOf, isNeglected, scopesFor, sorted, stateOf } from "../../../Sources/Web/console/state/tokens.js";

const now = Date.parse("2026-03-01T00:00:00Z");
const token = {
    id: "a1b2c3d4",
    label: "ci",
    scopes: ["config:read"],
    created_at: "2026-01-01T00:00:00Z",
    expires_at: /** @type {string | null} */ (null),
    last_used_at: null,
    revoked_at: /** @type {string | null} */ (null),
};

Deno.test("a token's standing follows from its dates", () => {
    assert.equal(stateOf(token, now), "endless");
    assert.equal(stateOf({ ...token, expires_at: "2026-02-28T00:00:00Z" }, now), "expired");
    assert.equal(stateOf({ ...token, expires_at: "2026-03-02T00:00:00Z" }, now), "ending");
    assert.equal(stateOf({ ...token, expires_at: "2027-03-02T00:00:00Z" }, now), "good");
    assert.equal(stateOf({ ...token, revoked_at: "2026-02-28T00:00:00Z" }, now), "revoked");
});

Deno.test("a token is neglected thirty days after its owner was removed", () => {
    const owner = { issuer: "passkey:console.localhost", subject: "x", name: "Ada" };
    /** @param {string} [removed_at] */
    const isLate = (removed_at) => isNeglected({ ...token, owner: { ...owner, removed_at } }, now);
    assert.equal(isNeglected(token, now), false);
    assert.equal(isLate(), false);
    assert.equal(isLate("2026-02-10T00:00:00Z"), false);
    assert.equal(isLate("2026-01-29T00:00:00Z"), true);
    const revoked = { ...token, revoked_at: "2026-02-28T00:00:00Z" };
    assert.equal(isNeglected({ ...revoked, owner: { ...owner, removed_at: "2026-01-01T00:00:00Z" } }, now), false);
});

Deno.test("tokens that work come first", () => {
    const list = [
        { ...token, id: "revoked0", revoked_at: "2026-02-28T00:00:00Z" },
        { ...token, id: "older000" },
        { ...token, id: "newer000", last_used_at: "2026-02-01T00:00:00Z" },
    ];
    assert.deepEqual(
        sorted(/** @type {any} */ (list), now).map(({ id }) => id),
        ["newer000", "older000", "revoked0"],
    );
});

Deno.test("scopes for some keys take prefixes, and say which are none", () => {
    assert.deepEqual(scopesFor("write", "ignored"), { scopes: ["config:write"], wrong: [] });
    assert.deepEqual(scopesFor("some", "app.banner.*, app.theme app.theme 1x a*b"), {
        scopes: ["config:write:app.banner.*", "config:write:app.theme"],
        wrong: ["1x", "a*b"],
    });
    assert.deepEqual(scopesFor("disable", "checkout app.*, checkout"), {
        scopes: ["flags:disable:checkout"],
        wrong: ["app.*"],
    });
});

Deno.test("an end is days from now, a day to come, or asked for as never", () => {
    assert.equal(expiryOf("30", now), "2026-03-31T00:00:00.000Z");
    assert.equal(expiryOf("never", now), null);
    assert.equal(expiryOf("2026-02-01", now), undefined);
    assert.equal(expiryOf("", now), undefined);
    assert.equal(expiryOf("2026-04-01", now), new Date("2026-04-01T23:59:59").toISOString());
});
