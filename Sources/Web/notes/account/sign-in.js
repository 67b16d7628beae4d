/** The ways to sign in to the notes: a provider's page, or, where there is none, a user's access token. */
import { h } from "../../shared/dom.js";
import { signInWays } from "../../shared/sign-in-ways.js";

/** @typedef {import("../../shared/sign-in-ways.js").SignIn} SignIn */
/** @typedef {SignIn["environment"]} Environment */

/** What the server takes as the place to come back to. */
const returnPath = /^\/(?=.{0,499}$)([A-Za-z0-9._~!$&'()*+,;=:@?%-][A-Za-z0-9._~!$&'()*+,;=:@/?%-]*)?$/;

/** @param {SignIn} form */
export function signInForm(form) {
    const { texts, environment, back } = form;
    const place = returnPath.test(back) ? back : `/${encodeURIComponent(environment.name)}`;
    // A token of the API is an operator's: it has no notes.
    const refusal = (/** @type {string} */ token) => token.startsWith("almanac_") && texts.say("sign-in.operator");
    const command = `almanac session open --application notes ${environment.name}`;
    const [reason, provider, paste] = signInWays({ ...form, back: place }, command, refusal);
    // People have no token at hand where a provider signs them in; who tries things out may have one.
    const token = provider ? h("details", {}, h("summary", {}, texts.say("sign-in.with-token")), paste) : paste;
    return h("div", { class: "sign-in-ways" }, reason, provider, token);
}
