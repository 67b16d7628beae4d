/** The ways to sign in: a provider's page, or a pasted token. */
import { Problem } from "../shared/api.js";
import { fill, h, icon } from "../shared/dom.js";

/** @typedef {import("./frame.js").Environment} Environment */

/**
 * What lets somebody sign in to an environment.
 * @param {object} form
 * @param {import("../shared/api.js").API} form.api
 * @param {import("../shared/texts.js").Texts} form.texts
 * @param {Environment} form.environment
 * @param {string} form.back the fragment's path to return to
 * @param {boolean} [form.fresh] whether an older session does not count
 * @param {string} [form.problem] why the last attempt failed
 * @param {() => void} form.done
 */
export function signInForm({ api, texts, environment, back, fresh, problem, done }) {
    const name = encodeURIComponent(environment.name);
    const reason = h("p", { class: "error", role: "alert" });
    /** @param {string} text */
    const refuse = (text) => fill(reason, icon("alert"), h("span", {}, text));
    if (problem)
        refuse(
            texts.has(`sign-in.${problem}`)
                ? texts.say(`sign-in.${problem}`)
                : texts.say("sign-in.failed", { kind: problem }),
        );
    const token = h("input", {
        id: "token",
        type: "password",
        autocomplete: "off",
        spellcheck: "false",
        autocapitalize: "off",
        placeholder: `almanac_${environment.name}_…`,
        "aria-describedby": "token-hint",
        required: true,
    });
    const button = h("button", { type: "submit", class: "primary" }, texts.say("sign-in.button"));
    /** @param {SubmitEvent} event */
    const submit = async (event) => {
        event.preventDefault();
        const value = token.value.trim();
        const wanted = `almanac_${environment.name}_`;
        if (!value) return refuse(texts.say("sign-in.empty"));
        if (value.startsWith("almanac_") && !value.startsWith(wanted)) {
            return refuse(
                texts.say("sign-in.other", { environment: value.split("_")[1] ?? "", wanted: environment.name }),
            );
        }
        button.disabled = true;
        try {
            await api.signIn(environment.name, { token: value });
            token.value = "";
            done();
        } catch (failure) {
            refuse(failure instanceof Problem ? failure.message : texts.say("away.short"));
            token.focus();
        } finally {
            button.disabled = false;
        }
    };
    const query = new URLSearchParams({ return: back });
    if (fresh) query.set("fresh", "true");
    const provider = environment.sign_in.includes("provider")
        ? h("a", { class: "button primary", href: `/${name}/session/login?${query}` }, texts.say("sign-in.provider"))
        : null;
    const paste = environment.sign_in.includes("token")
        ? h(
              "form",
              { class: "sign-in-token", onsubmit: submit },
              h("label", { for: "token" }, texts.say("sign-in.token")),
              h("div", { class: "together" }, token, button),
              h(
                  "p",
                  { class: "hint", id: "token-hint" },
                  texts.parts("sign-in.hint", { command: command(environment.name) }),
              ),
          )
        : null;
    const between = provider && paste ? h("p", { class: "between" }, texts.say("sign-in.or")) : null;
    return h("div", { class: "sign-in-ways" }, reason, provider, between, paste);
}

/** @param {string} environment */
function command(environment) {
    return h("code", {}, `almanac session open ${environment}`);
}
