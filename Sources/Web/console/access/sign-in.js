/** The sign-in to an environment, on its page and in a dialog over an open screen. */
import { openDialog } from "../../shared/dialog.js";
import { button, h } from "../../shared/dom.js";
import { signInMethods } from "../../shared/sign-in-methods.js";
import { personName } from "../state/people.js";
import { ceremonyMessage, hasPasskeys, signInByPasskey, throwFailure } from "./ceremonies.js";

/** @typedef {import("../../shared/sign-in-methods.js").SignIn} SignIn */
/** @typedef {import("../frame.js").Environment} Environment */

/** @param {SignIn & { environment: Environment }} form */
export function signInView(form) {
    const { texts, environment } = form;
    const name = h("span", { class: "environment-name" }, environment.name);
    const title = h("h1", {}, texts.parts("sign-in.title", { name }));
    const lead = h("p", { class: "hint" }, `${texts.say("about")} ${texts.say("sign-in.lead")}`);
    const { session } = environment;
    const replaces =
        session && h("p", { class: "hint" }, texts.parts("sign-in.replaces", { name: personName(session) }));
    const command = h("code", {}, `almanac invite ${environment.name} --name 'Ada Lovelace' --role admin`);
    const create = h("p", { class: "hint first-access" }, texts.parts("sign-in.create", { command }));
    return h("section", { class: "sign-in" }, title, lead, replaces, signInForm(form), create);
}

/** @param {SignIn} form */
function signInForm(form) {
    const { texts, environment } = form;
    const { name } = environment;
    const wanted = `almanac_${name}_`;
    const rejectionOf = (/** @type {string} */ token) =>
        token.startsWith("almanac_") &&
        !token.startsWith(wanted) &&
        texts.say("sign-in.other", { environment: token.split("_")[1] ?? "", wanted: name });
    const hint = texts.parts("sign-in.hint", { command: h("code", {}, `almanac session open ${name}`) });
    const [reason, provider, paste, refuse] = signInMethods(form, hint, rejectionOf, `${wanted}…`);
    const passkey = hasPasskeys() && environment.sign_in.includes("passkey") && passkeyButton(form, refuse);
    // A form has one main action.
    if (passkey) for (const other of [provider, paste]) removeMainAction(other);
    const token = environment.sign_in.includes("token") && paste;
    const between = (passkey || provider) && token && h("p", { class: "between" }, texts.say("sign-in.or"));
    return h("div", { class: "sign-in-ways" }, reason, passkey, provider, between, token);
}

/** @param {HTMLElement | false} way */
function removeMainAction(way) {
    if (!way) return;
    for (const one of [way, ...way.querySelectorAll(".primary")]) one.classList.remove("primary");
}

/**
 * @param {SignIn} form
 * @param {(text: string) => void} refuse shows an error
 */
function passkeyButton({ api, texts, environment, done }, refuse) {
    const sign = button(
        texts.say("sign-in.passkey"),
        async () => {
            sign.disabled = true;
            try {
                const { sessions, failures } = await signInByPasskey(api);
                throwFailure(failures, environment.name);
                const here = sessions.find((one) => one.environment === environment.name);
                const others = sessions.map((one) => one.environment).join(", ");
                if (here) done(here);
                else refuse(texts.say("sign-in.passkey.elsewhere", { others, name: environment.name }));
            } catch (failure) {
                refuse(ceremonyMessage(texts, failure));
            } finally {
                sign.disabled = false;
            }
        },
        "primary",
        "key",
    );
    return sign;
}

/**
 * Asks for a sign-in in a dialog.
 * @param {Omit<SignIn, "done">} form
 * @param {number} n the number of changes in the draft
 * @returns {Promise<boolean>} true if the user has signed in
 */
export function requestSignIn(form, n) {
    const { texts, fresh } = form;
    const lead = fresh ? "sign-in.fresh" : n > 0 ? "sign-in.ended.draft" : "sign-in.ended";
    return new Promise((resolve) => {
        const done = () => {
            resolve(true);
            dialog.close();
        };
        const dialog = openDialog(texts, {
            title: texts.say(fresh ? "sign-in.fresh.title" : "sign-in.ended.title"),
            body: [h("p", {}, texts.say(lead, { n })), signInForm({ ...form, done })],
            onClose: () => resolve(false),
        });
        focusFirst(dialog.element);
    });
}

/**
 * Focuses the first way to sign in.
 * @param {ParentNode} place
 */
export const focusFirst = (place) =>
    /** @type {HTMLElement | null} */ (place.querySelector(".sign-in-ways :is(a, button, input)"))?.focus();
