/** The sign-in form of the console. */
import { h } from "../shared/dom.js";
import { signInMethods } from "../shared/sign-in-methods.js";

/** @param {import("../shared/sign-in-methods.js").SignIn} form */
export function signInForm(form) {
    const { texts, environment } = form;
    const { name } = environment;
    const wanted = `almanac_${name}_`;
    const rejectionOf = (/** @type {string} */ token) =>
        token.startsWith("almanac_") &&
        !token.startsWith(wanted) &&
        texts.say("sign-in.other", { environment: token.split("_")[1] ?? "", wanted: name });
    const hint = texts.parts("sign-in.hint", { command: h("code", {}, `almanac session open ${name}`) });
    const [reason, provider, paste] = signInMethods(form, hint, rejectionOf, `${wanted}…`);
    const token = environment.sign_in.includes("token") && paste;
    const between = provider && token && h("p", { class: "between" }, texts.say("sign-in.or"));
    return h("div", { class: "sign-in-ways" }, reason, provider, between, token);
}
