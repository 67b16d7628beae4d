/** Pages before an environment is open: the environments, and errors. */
import { button, h, icon } from "../shared/dom.js";
import { colorOf } from "./colors.js";
import { errorMessage } from "./controls/controls.js";
import { personName } from "./state/people.js";
import { routeFragment } from "./state/route.js";

/** @typedef {import("../shared/texts.js").Texts} Texts */
/** @typedef {import("./frame.js").Environment} Environment */

/**
 * Returns the document's title: the screen if someone is signed in, the environment, the product.
 * @param {Texts} texts
 * @param {Environment | null} environment
 * @param {string} screen
 */
export function documentTitle(texts, environment, screen) {
    const key = `screen.${screen}`;
    const place = environment?.session && texts.has(key) && texts.say(key);
    return [place, environment?.name, texts.say("title")].filter(Boolean).join(" · ");
}

/**
 * @param {Texts} texts
 * @param {Environment[]} environments
 * @param {string} missing the unknown name in the address, or an empty string
 */
export function environmentsView(texts, environments, missing) {
    const warning = missing && errorMessage(texts.parts("environments.missing", { name: missing }), "alert");
    const none =
        environments.length === 0
            ? h("p", {}, texts.parts("environments.empty", { command: h("code", {}, "almanac session open") }))
            : null;
    const cards = environments.map((one) => card(texts, one));
    const title = h("h1", {}, texts.say("environments.title"));
    const lead = h("p", { class: "hint" }, texts.say("about"));
    return h("section", { class: "environments" }, title, lead, warning, none, h("ul", { class: "cards" }, cards));
}

/**
 * @param {Texts} texts
 * @param {Environment} one
 */
function card(texts, one) {
    const state = one.session ? texts.say("session.as", { name: personName(one.session) }) : texts.say("session.none");
    const href = routeFragment({ environment: one.name });
    const link = h("a", { href }, h("strong", {}, one.name), h("span", {}, state));
    const badge = one.caution ? h("span", { class: "badge" }, icon("alert"), texts.say("environment.caution")) : null;
    const element = h("li", { class: one.caution ? "card caution" : "card" }, link, badge);
    element.style.setProperty("--environment", colorOf(one));
    return element;
}

/**
 * Creates the page that replaces a screen which cannot be shown.
 * @param {Texts} texts
 * @param {string} title a key of the texts
 * @param {string} detail
 * @param {() => void} [retry]
 */
export function errorPage(texts, title, detail, retry) {
    return h(
        "section",
        { class: "notice", role: "alert" },
        h("h1", {}, texts.say(title)),
        h("p", {}, detail),
        retry && button(texts.say("retry"), retry),
    );
}

/**
 * Returns the form of an environment that only signed-in users may see; the server does not reveal whether it exists.
 * @param {string} name
 * @returns {Environment | null}
 */
export function undisclosedEnvironment(name) {
    if (!/^[a-z][a-z0-9-]{0,31}$/.test(name)) return null;
    return {
        name,
        config_read: "token",
        color: null,
        caution: false,
        sign_in: ["passkey", "provider", "token"],
        session: null,
    };
}
