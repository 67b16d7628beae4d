/** Two ways to sign in: a provider's page, or a pasted token. */
import { Problem } from "./api.js";
import { fill, h, icon } from "./dom.js";

/** @typedef {import("./page-frame.js").Session} Session */

/**
 * @typedef {object} SignIn
 * @property {import("./api.js").API} api
 * @property {import("./texts.js").Texts} texts
 * @property {{ name: string, sign_in: ("passkey" | "provider" | "token")[], session: Session | null }} environment an element of
 * `/environments`
 * @property {string} returnPath the fragment's path to return to
 * @property {boolean} [fresh] true if the provider must not reuse an older session
 * @property {string} [problem] the reason for the last failure
 * @property {(session: Session) => void} done
 */

/**
 * Returns the address that leads to the provider's page, and from there to the return path.
 * @param {string} environment
 * @param {string} returnPath
 * @param {boolean} [fresh]
 */
export function providerAddress(environment, returnPath, fresh) {
    const query = new URLSearchParams({ return: returnPath });
    if (fresh) query.set("fresh", "true");
    return `/${encodeURIComponent(environment)}/session/login?${query}`;
}

/**
 * Creates the place for an error, the link to the provider if there is one, the form for a token, and the function that
 * shows an error.
 * @param {SignIn} form
 * @param {import("./dom.js").Children} hint stands below the field for a token
 * @param {(token: string) => string | false} rejectionOf returns the reason not to send a token, or false
 * @param {string} [placeholder]
 */
export function signInMethods(
    { api, texts, environment, returnPath, fresh, problem, done },
    hint,
    rejectionOf,
    placeholder,
) {
    const reason = h("p", { class: "error", role: "alert" });
    /** @param {string} text */
    const refuse = (text) => fill(reason, icon("alert"), h("span", {}, text));
    if (problem) {
        const known = `sign-in.${problem}`;
        refuse(texts.has(known) ? texts.say(known) : texts.say("sign-in.failed", { kind: problem }));
    }
    const token = h("input", {
        id: "token",
        type: "password",
        autocomplete: "off",
        spellcheck: "false",
        autocapitalize: "off",
        placeholder,
        "aria-describedby": "token-hint",
        required: true,
    });
    const button = h("button", { type: "submit" }, texts.say("sign-in.button"));
    /** @param {SubmitEvent} event */
    const submit = async (event) => {
        event.preventDefault();
        const value = token.value.trim();
        const wrong = value ? rejectionOf(value) : texts.say("sign-in.empty");
        if (wrong) return refuse(wrong);
        button.disabled = true;
        try {
            const answer = await api.signIn(environment.name, { token: value });
            token.value = "";
            done(answer.document);
        } catch (failure) {
            refuse(failure instanceof Problem ? failure.message : texts.say("away.short"));
            token.focus();
        } finally {
            button.disabled = false;
        }
    };
    const href = providerAddress(environment.name, returnPath, fresh);
    const provider =
        environment.sign_in.includes("provider") &&
        h("a", { class: "button primary", href }, texts.say("sign-in.provider"));
    // A screen has one main action.
    button.classList.toggle("primary", !provider);
    const paste = h(
        "form",
        { class: "sign-in-token", onsubmit: submit },
        h("label", { for: "token" }, texts.say("sign-in.token")),
        h("div", { class: "together" }, token, button),
        h("p", { class: "hint", id: "token-hint" }, hint),
    );
    return /** @type {const} */ ([reason, provider, paste, refuse]);
}
