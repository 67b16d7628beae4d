/** Ceremonies with passkeys: the server's challenge, the browser's dialog, the server's answer. */
import { Problem } from "../../shared/api.js";
import { createdCredential, creationOptions, requestOptions, signedCredential } from "../state/passkeys.js";

/** @typedef {import("../../shared/api.js").API} API */
/** @typedef {import("../../shared/page-frame.js").Session} Session */
/** @typedef {import("../../shared/texts.js").Texts} Texts */
/** @typedef {{ environment: string, secret: string }} Invitation */
/** @typedef {{ environment: string, type: string, detail: string }} Failure an environment that refused */

/** The reasons by the names of the browser's exceptions. */
const reasons = new Map([
    ["InvalidStateError", "known"],
    ["NotAllowedError", "canceled"],
    ["AbortError", "canceled"],
]);

/** A ceremony that the browser or the user ended. */
export class CeremonyFailure extends Error {
    /** @param {unknown} cause */
    constructor(cause) {
        super("ceremony failed", { cause });
        const { name, message } = cause instanceof DOMException ? cause : { name: "", message: "" };
        /** The end of the key of its text. */
        this.reason = /certificate/i.test(message) ? "certificate" : (reasons.get(name) ?? "failed");
    }
}

/** Returns true if the browser has passkeys. */
export const hasPasskeys = () => "PublicKeyCredential" in globalThis;

/**
 * Returns a failure's message.
 * @param {Texts} texts
 * @param {unknown} failure
 */
export function ceremonyMessage(texts, failure) {
    if (failure instanceof CeremonyFailure) return texts.say(`passkey.${failure.reason}`);
    if (!(failure instanceof Problem)) return texts.say("away.short");
    const known = `problem.${failure.kind}`;
    return texts.has(known) ? texts.say(known, { detail: failure.message }) : failure.message;
}

/**
 * Signs in with a passkey to every environment that knows it.
 * @param {API} api
 * @param {Invitation} [invitation] an invitation that makes the passkey known in its environment
 * @returns {Promise<{ sessions: (Session & { environment: string })[], failures: Failure[] }>}
 */
export async function signInByPasskey(api, invitation) {
    const publicKey = requestOptions(await call(api, "challenge", {}));
    const credential = signedCredential(await ask(() => navigator.credentials.get({ publicKey })));
    const result = await call(api, "session", { credential, invitation });
    api.signIns += 1;
    return result;
}

/**
 * Creates a passkey on this device: the first one by an invitation, which also signs in, or another one for the person
 * who is signed in to an environment.
 * @param {API} api
 * @param {{ invitation: Invitation } | { environment: string }} owner
 * @returns {Promise<string[]>} the names of other environments that refused the passkey
 */
export async function createPasskey(api, owner) {
    const publicKey = creationOptions(await call(api, "challenge", owner));
    const credential = createdCredential(await ask(() => navigator.credentials.create({ publicKey })));
    const { failures } = await call(api, "registration", { ...owner, credential, label: deviceName() });
    if ("invitation" in owner) api.signIns += 1;
    else throwFailure(failures, owner.environment);
    return failures.map((/** @type {Failure} */ failure) => failure.environment);
}

/**
 * Throws the problem of an environment that refused, if it did.
 * @param {Failure[]} failures
 * @param {string} environment
 */
export function throwFailure(failures, environment) {
    const failure = failures.find((one) => one.environment === environment);
    if (failure) throw new Problem(403, failure);
}

/**
 * Sends a request. A refusal is no end of a session.
 * @param {API} api
 * @param {string} name
 * @param {object} body
 */
export const call = async (api, name, body) => (await api.sendOnce("POST", `/passkeys/${name}`, { body })).document;

/**
 * Opens the browser's dialog.
 * @param {() => Promise<Credential | null>} run
 */
async function ask(run) {
    try {
        return /** @type {PublicKeyCredential} */ (await run());
    } catch (cause) {
        throw new CeremonyFailure(cause);
    }
}

/** Returns the name of this device's system, which tells a person's passkeys apart. */
const deviceName = () =>
    ["iPhone", "iPad", "Android", "Windows", "Mac", "Linux"].find((name) => navigator.userAgent.includes(name)) ?? "";
