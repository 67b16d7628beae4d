/** The ways to sign in to notes: a provider's page or, without a provider, a user's access token. */
import { h } from "../../shared/dom.js";
import { signInMethods } from "../../shared/sign-in-methods.js";

/** @typedef {import("../../shared/sign-in-methods.js").SignIn} SignIn */
/** @typedef {SignIn["environment"]} Environment */

/** The return paths that the server accepts. */
const returnPath = /^\/(?=.{0,499}$)([A-Za-z0-9._~!$&'()*+,;=:@?%-][A-Za-z0-9._~!$&'()*+,;=:@/?%-]*)?$/;

/**
 * Returns a path if the server accepts it as a return path, else that of the environment.
 * @param {string} path
 * @param {string} environment
 */
export const acceptedPath = (path, environment) =>
    returnPath.test(path) ? path : `/${encodeURIComponent(environment)}`;

/** @param {SignIn} form */
export function signInForm(form) {
    const { texts, environment } = form;
    const place = acceptedPath(form.returnPath, environment.name);
    // An API token belongs to an operator, who has no notes.
    const refusal = (/** @type {string} */ token) => token.startsWith("almanac_") && texts.say("sign-in.operator");
    const hasProvider = environment.sign_in.includes("provider");
    const hint = [texts.say("sign-in.hint"), hasProvider ? null : ` ${texts.say("sign-in.ask")}`];
    const [reason, provider, paste] = signInMethods({ ...form, returnPath: place }, hint, refusal);
    // Users with a provider rarely have a token, so the field is folded; it helps in trials.
    const token = provider ? h("details", {}, h("summary", {}, texts.say("sign-in.with-token")), paste) : paste;
    return h("div", { class: "sign-in-ways" }, reason, provider, token);
}
