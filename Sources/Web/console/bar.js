/** The bar at the top: environments, tabs, tools and the account. */
import { menu } from "../shared/dialog.js";
import { brandMark, button, fill, h, icon, squareButton, userText } from "../shared/dom.js";
import { colorOf } from "./colors.js";
import { screens } from "./screens/index.js";
import { personName } from "./state/people.js";
import { routeFragment } from "./state/route.js";
import { allows } from "./state/scopes.js";

/** @typedef {import("./frame.js").Environment} Environment */

/** @typedef {import("./frame.js").FrameState} FrameState */

export class Bar {
    #parts;
    element = h("header", { class: "bar" });

    /**
     * @param {object} parts
     * @param {import("../shared/texts.js").Texts} parts.texts
     * @param {import("../shared/keys.js").Keys} parts.keys
     * @param {() => FrameState} parts.state
     * @param {() => Node[]} parts.preferences creates the fields for theme and language
     * @param {() => void} parts.palette opens the command palette
     * @param {() => void} parts.help lists the keyboard shortcuts
     * @param {() => void} parts.changeAppearance opens the dialog of the environment's appearance
     * @param {() => void} parts.openPasskeys lists the person's own passkeys
     * @param {() => void} parts.signOut signs out
     */
    constructor(parts) {
        this.#parts = parts;
    }

    show() {
        const { element } = this;
        const { environment, route } = this.#parts.state();
        // Rendering would remove an open menu that has the focus.
        if (element.contains(document.activeElement) && element.querySelector(".menu:not([hidden])")) return;
        const focused = document.activeElement?.id;
        fill(
            element,
            this.#brand(),
            environment && this.#environments(environment),
            environment?.session ? this.#tabs(environment, route) : h("span", { class: "space" }),
            this.#tools(),
            this.#account(environment),
        );
        element.querySelector('[aria-current="page"]')?.scrollIntoView({ block: "nearest", inline: "center" });
        if (focused) /** @type {HTMLElement | null} */ (element.querySelector(`#${CSS.escape(focused)}`))?.focus();
    }

    #brand() {
        return h(
            "a",
            { class: "brand", href: "#/", "aria-label": this.#parts.texts.say("environments.title") },
            brandMark(),
        );
    }

    /** @param {Environment} environment */
    #environments(environment) {
        const { texts, state, changeAppearance } = this.#parts;
        const label = texts.say("environment.switch", { name: environment.name });
        const name = h("span", { class: "name" }, environment.name);
        const sign = environment.caution ? icon("alert") : h("span", { class: "dot" });
        const opener = h(
            "button",
            { type: "button", class: "environment", id: "environment", "aria-label": label },
            sign,
            name,
            icon("down"),
        );
        return menu(opener, () => {
            const { environments, workspace, route } = state();
            const links = environments.map((one) => {
                const draft = workspace?.name === one.name ? workspace.draft.size : 0;
                const state = one.session ? personName(one.session) : texts.say("session.none");
                const hint = draft > 0 ? `${state} · ${texts.say("draft.count", { n: draft })}` : state;
                const screen = one.session && route.screen !== "sign-in" ? route.screen : "entries";
                const href = routeFragment({ environment: one.name, screen });
                const current = one.name === environment.name ? "true" : null;
                const dot = h("span", { class: "dot" });
                dot.style.setProperty("--environment", colorOf(one));
                return h(
                    "a",
                    { href, "aria-current": current },
                    dot,
                    h("span", {}, h("strong", {}, one.name), h("small", {}, hint)),
                );
            });
            const isAdministrator = allows(environment.session?.scopes ?? [], "admin");
            return [links, isAdministrator && button(texts.say("environment.appearance"), changeAppearance, "quiet")];
        });
    }

    /**
     * @param {Environment} environment
     * @param {FrameState["route"]} route
     */
    #tabs({ name, session }, route) {
        const { texts } = this.#parts;
        const links = screens
            .filter((screen) => allows(session?.scopes ?? [], screen.scope))
            .map((screen) => {
                const current = route.screen === screen.name ? "page" : null;
                const href = routeFragment({ environment: name, screen: screen.name });
                const text = texts.say(`screen.${screen.name}`);
                return h("a", { href, "aria-current": current, title: `${text} (g ${screen.key})` }, text);
            });
        return h("nav", { class: "tabs", "aria-label": texts.say("tabs") }, links);
    }

    #tools() {
        const { texts, keys, palette, help } = this.#parts;
        return h(
            "div",
            { class: "tools", id: "tools" },
            h(
                "button",
                {
                    type: "button",
                    class: "palette-button",
                    id: "palette",
                    "aria-label": texts.say("palette.title"),
                    onclick: palette,
                },
                icon("search"),
                h("span", {}, texts.say("palette.short")),
                h("kbd", {}, keys.format("Mod+k").toUpperCase()),
            ),
            squareButton(texts.say("help.title"), "?", help, { id: "help" }),
        );
    }

    /** @param {Environment | null} environment */
    #account(environment) {
        const { texts, preferences, openPasskeys, signOut } = this.#parts;
        const session = environment?.session;
        const opener = squareButton(texts.say("account"), icon("person"), undefined, { id: "account" });
        return menu(opener, () => [
            session &&
                h(
                    "p",
                    {},
                    h("strong", {}, userText(personName(session))),
                    h(
                        "small",
                        {},
                        (session.person?.role ? texts.say(`role.${session.person.role}`) : session.scopes.join(", ")) ||
                            texts.say("session.no-scopes"),
                    ),
                ),
            session?.session &&
                h(
                    "p",
                    {},
                    h("small", {}, texts.say("session.until", { time: texts.time(session.session.expires_at) })),
                ),
            preferences(),
            session?.person?.issuer.startsWith("passkey:") &&
                !session.token_id &&
                button(texts.say("passkeys.own"), openPasskeys, "quiet"),
            session && button(texts.say("sign-out"), signOut, "quiet"),
        ]);
    }
}
