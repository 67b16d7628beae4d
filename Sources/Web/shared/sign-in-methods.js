/** The two ways to sign in: a provider's page, or a pasted token. */
import { Problem } from "./api.js";
import { fill, h, icon } from "./dom.js";

/** @typedef {import("./page-frame.js").Session} Session */

/**
 * @typedef {object} SignIn
 * @property {import("./api.js").API} api
 * @property {import("./texts.js").Texts} texts
 * @property {{ name: string, sign_in: ("provider" | "token")[], session: Session | null }} environment an element of
 * `/environments`
 * @property {string} returnPath the fragment's path to return to
 * @property {boolean} [fresh] true if the provider must not reuse an older session
 * @property {string} [problem] the reason for the last failure
 * @property {(session: Session) => void} done
 */

/**
 * Creates the place for an error, the link to the provider if there is one, and the form for a token.
 * @param {SignIn} form
 * @param {string} command the command that prints a sign-in link
 * @param {(token: string) => string | false} rejectionOf returns the reason not to send a token, or false
 * @param {string} [placeholder]
 */
export function signInMethods(
    { api, texts, environment, returnPath, fresh, problem, done },
    command,
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
    const query = new URLSearchParams({ return: returnPath });
    if (fresh) query.set("fresh", "true");
    const href = `/${encodeURIComponent(environment.name)}/session/login?${query}`;
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
        h("p", { class: "hint", id: "token-hint" }, texts.parts("sign-in.hint", { command: h("code", {}, command) })),
    );
    return /** @type {const} */ ([reason, provider, paste]);
}
