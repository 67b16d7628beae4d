/** The ways to sign in: a provider's page, or, where there is none, a user's access token. */
import { Problem } from "../../shared/api.js";
import { fill, h } from "../../shared/dom.js";
import { icon } from "../icons.js";

/** What the server takes as the place to come back to. */
const returnPath = /^\/(?=.{0,499}$)([A-Za-z0-9._~!$&'()*+,;=:@?%-][A-Za-z0-9._~!$&'()*+,;=:@/?%-]*)?$/;

/**
 * @typedef {object} Environment as `/environments` lists it
 * @property {string} name
 * @property {("provider" | "token")[]} sign_in
 * @property {import("../frame.js").Session | null} session
 */

/**
 * @param {object} form
 * @param {import("../../shared/api.js").API} form.api
 * @param {import("../../shared/texts.js").Texts} form.texts
 * @param {Environment} form.environment
 * @param {string} form.back the fragment's path to return to
 * @param {string} [form.problem] why the last attempt failed
 * @param {(session: import("../frame.js").Session) => void} form.done
 */
export function signInForm({ api, texts, environment, back, problem, done }) {
    const name = encodeURIComponent(environment.name);
    const reason = h("p", { class: "error", role: "alert" });
    /** @param {string} text */
    const refuse = (text) => fill(reason, icon("alert"), h("span", {}, text));
    if (problem) {
        const known = `access.${problem}`;
        refuse(texts.has(known) ? texts.say(known) : texts.say("access.failed", { kind: problem }));
    }
    const token = h("input", {
        id: "token",
        type: "password",
        autocomplete: "off",
        spellcheck: "false",
        autocapitalize: "off",
        "aria-describedby": "token-hint",
        required: true,
    });
    const button = h("button", { type: "submit", class: "primary" }, texts.say("access.button"));
    /** @param {SubmitEvent} event */
    const submit = async (event) => {
        event.preventDefault();
        const value = token.value.trim();
        if (!value) return refuse(texts.say("access.empty"));
        // A token of the API is an operator's: it has no notes.
        if (value.startsWith("almanac_")) return refuse(texts.say("access.operator"));
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
    const takesProvider = environment.sign_in.includes("provider");
    const place = returnPath.test(back) ? back : `/${name}`;
    const login = `/${name}/session/login?${new URLSearchParams({ return: place })}`;
    const provider = takesProvider
        ? h("a", { class: "button primary", href: login }, texts.say("access.provider"))
        : null;
    const paste = h(
        "form",
        { class: "sign-in-token", onsubmit: submit },
        h("label", { for: "token" }, texts.say("access.token")),
        h("div", { class: "together" }, token, button),
        h(
            "p",
            { class: "hint", id: "token-hint" },
            texts.parts("access.hint", {
                command: h("code", {}, `almanac session open --application notes ${environment.name}`),
            }),
        ),
    );
    // People have no token at hand where a provider signs them in; who tries things out may have one.
    const other = takesProvider ? h("details", {}, h("summary", {}, texts.say("access.with-token")), paste) : paste;
    return h("div", { class: "sign-in-ways" }, reason, provider, other);
}
