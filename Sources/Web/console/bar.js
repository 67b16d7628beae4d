/** The parts of the bar at the top. */

import { menu, openDialog } from "../shared/dialog.js";
import { h, icon } from "../shared/dom.js";
import { routeFragment } from "./state/route.js";
import { allows } from "./state/scopes.js";

/** @typedef {import("./frame.js").Frame} Frame */
/** @typedef {import("./frame.js").Environment} Environment */

/** @param {Frame} frame */
export function brand(frame) {
    return h(
        "a",
        { class: "brand", href: "#/", "aria-label": frame.texts.say("environments.title") },
        h("span", { class: "mark", "aria-hidden": "true" }),
    );
}

/**
 * @param {Frame} frame
 * @param {Environment} environment
 */
export function environmentMenu(frame, environment) {
    const { texts } = frame;
    const label = texts.say("environment.switch", { name: environment.name });
    const name = h("span", { class: "name" }, environment.name);
    const sign = environment.caution ? icon("alert") : h("span", { class: "dot" });
    const button = h(
        "button",
        { type: "button", class: "environment", id: "environment", "aria-label": label },
        sign,
        name,
        icon("down"),
    );
    return menu(button, () =>
        frame.environments.map((one) => {
            const draft = frame.workspace?.name === one.name ? frame.workspace.draft.size : 0;
            const state = one.session ? one.session.name : texts.say("session.none");
            const hint = draft > 0 ? `${state} · ${texts.say("draft.count", { n: draft })}` : state;
            const screen = one.session && frame.route.screen !== "sign-in" ? frame.route.screen : "entries";
            const href = routeFragment({ environment: one.name, screen });
            const current = one.name === environment.name ? "true" : null;
            const dot = h("span", { class: "dot" });
            if (one.color) dot.style.setProperty("--environment", one.color);
            return h(
                "a",
                { href, "aria-current": current },
                dot,
                h("span", {}, h("strong", {}, one.name), h("small", {}, hint)),
            );
        }),
    );
}

/**
 * @param {Frame} frame
 * @param {import("./screens/index.js").Screen[]} screens
 * @param {Environment} environment
 */
export function tabs(frame, screens, environment) {
    const links = screens
        .filter((screen) => allows(environment.session?.scopes ?? [], screen.scope))
        .map((screen) => {
            const current = frame.route.screen === screen.name ? "page" : null;
            const href = routeFragment({ environment: environment.name, screen: screen.name });
            const text = frame.texts.say(`screen.${screen.name}`);
            return h("a", { href, "aria-current": current, title: `${text} (g ${screen.key})` }, text);
        });
    return h("nav", { class: "tabs", "aria-label": frame.texts.say("tabs") }, links);
}

/**
 * @param {Frame} frame
 * @param {Environment | null} environment
 */
export function accountMenu(frame, environment) {
    const { texts } = frame;
    const session = environment?.session;
    const button = h(
        "button",
        { type: "button", class: "quiet square", id: "account", "aria-label": texts.say("account") },
        icon("person"),
    );
    return menu(button, () => {
        const theme = frame.settings.get("theme") ?? "system";
        return [
            session &&
                h(
                    "p",
                    {},
                    h("strong", {}, session.name),
                    h("small", {}, session.scopes.join(", ") || texts.say("session.no-scopes")),
                ),
            session?.session &&
                h(
                    "p",
                    {},
                    h("small", {}, texts.say("session.until", { time: texts.time(session.session.expires_at) })),
                ),
            choice(
                texts.say("theme"),
                ["system", "light", "dark"],
                theme,
                (one) => texts.say(`theme.${one}`),
                (one) => {
                    frame.takeTheme(one === "system" ? null : one);
                },
            ),
            choice(
                texts.say("language"),
                ["en", "de"],
                texts.language,
                (one) => ({ en: "English", de: "Deutsch" })[one] ?? one,
                (one) => {
                    frame.settings.set("language", one);
                    frame.retell();
                },
            ),
            session &&
                h("button", { type: "button", class: "quiet", onclick: () => leave(frame) }, texts.say("sign-out")),
        ];
    });
}

/**
 * @param {string} label
 * @param {string[]} values
 * @param {string} chosen
 * @param {(value: string) => string} text
 * @param {(value: string) => void} take
 */
function choice(label, values, chosen, text, take) {
    const options = values.map((value) => h("option", { value, selected: value === chosen }, text(value)));
    const select = h("select", { onchange: () => take(select.value) }, options);
    return h("label", { class: "choice" }, h("span", {}, label), select);
}

/** @param {Frame} frame */
function leave(frame) {
    const { texts, workspace } = frame;
    const count = workspace?.draft.size ?? 0;
    if (!workspace || count === 0) return frame.access.signOut();
    const keep = h(
        "button",
        { type: "button", class: "primary", onclick: () => finish(false) },
        texts.say("sign-out.keep"),
    );
    const drop = h(
        "button",
        { type: "button", class: "danger", onclick: () => finish(true) },
        texts.say("sign-out.drop"),
    );
    /** @param {boolean} forget */
    const finish = (forget) => {
        dialog.close();
        if (forget) workspace.draft.clear();
        frame.access.signOut();
    };
    const dialog = openDialog({
        title: texts.say("sign-out"),
        body: h("p", {}, texts.say("sign-out.draft", { n: count })),
        actions: [drop, keep],
        close: texts.say("close"),
    });
}
