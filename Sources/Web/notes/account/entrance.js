/** What one sees before notes are open: the environments, and the sign-in to one. */
import { h } from "../../shared/dom.js";
import { icon } from "../icons.js";
import { routeFragment } from "../route.js";
import { signInForm } from "./sign-in.js";

/** @import { Frame } from "../frame.js" */

/**
 * @param {Frame} frame
 * @param {import("./access.js").Environment[]} environments to choose from
 * @param {string} [name] the one that the address has
 * @param {Parameters<typeof signInForm>[0]} [form] a sign-in to it; without, there is none of that name
 */
export function entranceView(frame, environments, name = "", form) {
    const { texts } = frame;
    const others = environments.filter((one) => one.name !== name || !form);
    const missing = name && !form ? h("p", { role: "alert" }, texts.parts("access.missing", { name })) : null;
    const title = form ? texts.parts("access.title", { name }) : [texts.say("access.choose")];
    return h(
        "section",
        { class: "entrance" },
        h("div", { class: "mark", "aria-hidden": "true" }),
        h("h1", {}, title),
        missing,
        form ? h("p", { class: "lead" }, texts.say("access.lead")) : null,
        form?.environment.session
            ? h("p", { class: "hint" }, texts.parts("access.replaces", { name: form.environment.session.name }))
            : null,
        form ? signInForm(form) : null,
        form ? here(frame, name) : null,
        others.length > 0 && form ? h("h2", { class: "other" }, texts.say("access.others")) : null,
        h(
            "ul",
            { class: "cards" },
            others.map((one) => card(frame, one)),
        ),
        environments.length === 0 && !form ? h("p", {}, texts.say("access.none")) : null,
    );
}

/**
 * @param {Frame} frame
 * @param {import("./access.js").Environment} one
 */
function card({ texts }, one) {
    const state = one.session ? texts.say("access.as", { name: one.session.name }) : texts.say("access.nobody");
    const href = routeFragment({ environment: one.name });
    return h("li", {}, h("a", { class: "card", href }, h("strong", {}, one.name), h("span", {}, state), icon("right")));
}

/**
 * Notes that stayed on this device when their users signed out.
 * @param {Frame} frame
 * @param {string} environment
 */
function here(frame, environment) {
    const { texts } = frame;
    const accounts = frame.device.accounts().filter((one) => one.environment === environment);
    if (accounts.length === 0) return null;
    /** @param {string} name */
    const open = (name) => {
        frame.device.use(environment, name);
        frame.access.proceed(environment);
    };
    return h(
        "div",
        { class: "here" },
        h("h2", { class: "other" }, texts.say("access.here")),
        h("p", { class: "hint" }, texts.say("access.here.hint")),
        accounts.map(({ name }) =>
            h(
                "button",
                { type: "button", onclick: () => open(name) },
                h("span", {}, texts.parts("access.here.open", { name })),
            ),
        ),
    );
}

/**
 * @param {Frame} frame
 * @param {string} text why it has to be waited for
 */
export function waitingView({ texts }, text) {
    return h(
        "section",
        { class: "entrance", role: "status" },
        h("div", { class: "mark", "aria-hidden": "true" }),
        h("h1", {}, texts.say("access.waiting")),
        h("p", {}, text),
        h("p", { class: "hint" }, texts.say("access.waiting.hint")),
    );
}
