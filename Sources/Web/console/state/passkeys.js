/** Passkeys (Web Authentication, Level 3): options for the browser, and credentials as the server takes them. */

/**
 * @typedef {object} Challenge the answer of `POST /passkeys/challenge`
 * @property {string} challenge base64url, as all bytes here
 * @property {string} rp_id the console's host
 * @property {{ id: string, name: string }} [user] the person who gets a passkey
 * @property {string[]} [exclude] the ids of the person's passkeys
 */

/** @param {string} text base64url */
export const decodeBytes = (text) =>
    Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));

/** @param {ArrayBuffer} bytes */
export const encodeBytes = (bytes) =>
    btoa(String.fromCharCode(...new Uint8Array(bytes)))
        .replaceAll("+", "-")
        .replaceAll("/", "_")
        .replaceAll("=", "");

/** The algorithms that the server verifies, as COSE numbers: ES256, EdDSA, RS256. */
const algorithms = [-7, -8, -257];

/**
 * Returns the options that create a passkey.
 * @param {Challenge} answer
 * @returns {PublicKeyCredentialCreationOptions}
 */
export function creationOptions({ challenge, rp_id: id, user, exclude = [] }) {
    const name = user?.name ?? "";
    return {
        challenge: decodeBytes(challenge),
        rp: { id, name: "Almanac" },
        user: { id: decodeBytes(user?.id ?? ""), name, displayName: name },
        pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
        excludeCredentials: exclude.map((one) => ({ type: "public-key", id: decodeBytes(one) })),
        authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
        attestation: "none",
    };
}

/**
 * Returns the options that sign in with any passkey of this host.
 * @param {Challenge} answer
 * @returns {PublicKeyCredentialRequestOptions}
 */
export const requestOptions = ({ challenge, rp_id: rpId }) => ({
    challenge: decodeBytes(challenge),
    rpId,
    userVerification: "required",
});

/**
 * Returns a new passkey as the server takes it.
 * @param {PublicKeyCredential} credential
 */
export function createdCredential({ id, response }) {
    const answer = /** @type {AuthenticatorAttestationResponse} */ (response);
    return {
        id,
        client_data: encodeBytes(answer.clientDataJSON),
        authenticator_data: encodeBytes(answer.getAuthenticatorData()),
        transports: answer.getTransports(),
    };
}

/**
 * Returns a passkey's signature as the server takes it.
 * @param {PublicKeyCredential} credential
 */
export function signedCredential({ id, response }) {
    const answer = /** @type {AuthenticatorAssertionResponse} */ (response);
    return {
        id,
        client_data: encodeBytes(answer.clientDataJSON),
        authenticator_data: encodeBytes(answer.authenticatorData),
        signature: encodeBytes(answer.signature),
        user_handle: encodeBytes(answer.userHandle ?? new ArrayBuffer(0)),
    };
}
