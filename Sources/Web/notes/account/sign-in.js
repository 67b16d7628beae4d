/** The ways to sign in to notes: a provider's page or, without a provider, a user's access token. */
import { h } from "../../shared/dom.js";
import { signInMethods } from "../../shared/sign-in-methods.js";

/** @typedef {import("../../shared/sign-in-methods.js").SignIn} SignIn */
/** @typedef {SignIn["environment"]} Environment */

/** The return paths that the server accepts. */
const returnPath = /^\/(?=.{0,499}$)([A-Za-z0-9._~!$&'()*+,;=:@?%-][A-Za-z0-9._~!$&'()*+,;=:@/?%-]*)?$/;

/** @param {SignIn} form */
export function signInForm(form) {
    const { texts, environment, returnPath: back } = form;
    const place = returnPath.test(back) ? back : `/${encodeURIComponent(environment.name)}`;
    // An API token belongs to an operator, who has no notes.
    const refusal = (/** @type {string} */ token) => token.startsWith("almanac_") && texts.say("sign-in.operator");
    const command = `almanac session open --application notes ${environment.name}`;
    const [reason, provider, paste] = signInMethods({ ...form, returnPath: place }, command, refusal);
    // Users with a provider rarely have a token, so the field is folded; it helps in trials.
    const token = provider ? h("details", {}, h("summary", {}, texts.say("sign-in.with-token")), paste) : paste;
    return h("div", { class: "sign-in-ways" }, reason, provider, token);
}
