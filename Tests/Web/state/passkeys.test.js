import assert from "node:assert/strict";
import {
    createdCredential,
    creationOptions,
    decodeBytes,
    encodeBytes,
    requestOptions,
    signedCredential,
} from "../../../Sources/Web/console/state/passkeys.js";
import { readInvitation } from "../../../Sources/Web/console/state/route.js";

const bytes = (/** @type {number[]} */ ...all) => new Uint8Array(all).buffer;

Deno.test("bytes of every value are the same after base64url, which has neither +, / nor =", () => {
    const all = new Uint8Array(Array.from({ length: 256 }, (_, index) => index));
    for (const length of [0, 1, 2, 3, 255, 256]) {
        const text = encodeBytes(all.slice(0, length).buffer);
        assert.match(text, /^[\w-]*$/);
        assert.deepEqual(decodeBytes(text), all.slice(0, length));
    }
    assert.equal(encodeBytes(bytes(251, 255, 254)), "-__-");
    assert.throws(() => decodeBytes("***"));
});

Deno.test("a passkey is created for the person of the challenge, verified and discoverable, and on no device twice", () => {
    const challenge = { challenge: "AQID", rp_id: "console.localhost" };
    const options = creationOptions({ ...challenge, user: { id: "BAU", name: "Ada" }, exclude: ["Bgc"] });
    assert.deepEqual(options.challenge, new Uint8Array([1, 2, 3]));
    assert.deepEqual(options.user, { id: new Uint8Array([4, 5]), name: "Ada", displayName: "Ada" });
    assert.deepEqual(options.excludeCredentials, [{ type: "public-key", id: new Uint8Array([6, 7]) }]);
    assert.deepEqual(
        options.pubKeyCredParams.map(({ alg }) => alg),
        [-7, -8, -257],
    );
    assert.equal(options.authenticatorSelection?.userVerification, "required");
    assert.equal(options.authenticatorSelection?.residentKey, "required");
    assert.deepEqual(requestOptions(challenge), {
        challenge: new Uint8Array([1, 2, 3]),
        rpId: "console.localhost",
        userVerification: "required",
    });
});

Deno.test("credentials are sent as base64url, with an empty user handle if the authenticator has none", () => {
    const response = {
        clientDataJSON: bytes(1),
        authenticatorData: bytes(2),
        signature: bytes(3),
        userHandle: null,
        getAuthenticatorData: () => bytes(4),
        getTransports: () => ["internal"],
    };
    const credential = /** @type {any} */ ({ id: "AQ", response });
    const sent = { id: "AQ", client_data: "AQ" };
    assert.deepEqual(createdCredential(credential), { ...sent, authenticator_data: "BA", transports: ["internal"] });
    assert.deepEqual(signedCredential(credential), {
        ...sent,
        authenticator_data: "Ag",
        signature: "Aw",
        user_handle: "",
    });
});

Deno.test("an invitation is an address with a secret", () => {
    assert.deepEqual(readInvitation("#/live/invitation/c2VjcmV0"), { environment: "live", secret: "c2VjcmV0" });
    for (const other of ["", "#/live/invitation", "#/live/invitation/", "#/live/entries/invitation"])
        assert.equal(readInvitation(other), null);
});
