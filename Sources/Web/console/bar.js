/** The bar at the top: environments, tabs, tools and the account. */
import { menu } from "../shared/dialog.js";
import { brandMark, button, fill, h, icon, squareButton, userText } from "../shared/dom.js";
import { colorOf } from "./colors.js";
import { screens, tabScreens } from "./screens/index.js";
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
        const { environment, route, workspace } = this.#parts.state();
        // Rendering would remove an open menu that has the focus.
        if (element.contains(document.activeElement) && element.querySelector(".menu:not([hidden])")) return;
        const focused = document.activeElement?.id;
        fill(
            element,
            this.#brand(),
            environment && this.#environments(environment),
            environment?.session ? this.#tabs(environment, route, workspace) : h("span", { class: "space" }),
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
     * Creates the tabs of the main screens, and the menu of the others. Narrow pages move tabs to the menu.
     * @param {Environment} environment
     * @param {FrameState["route"]} route
     * @param {import("./workspace.js").Workspace | null} workspace
     */
    #tabs({ name, session }, route, workspace) {
        const { texts } = this.#parts;
        const { waiting = 0, disabledHooks = 0 } = workspace ?? {};
        const mayOpen = (/** @type {typeof screens[number]} */ { scope }) => allows(session?.scopes ?? [], scope);
        const allowed = screens.filter(mayOpen);
        /** @param {(typeof screens)[number]} screen @param {import("../shared/dom.js").Children} more */
        const link = (screen, more) =>
            h(
                "a",
                {
                    href: routeFragment({ environment: name, screen: screen.name }),
                    "aria-current": route.screen === screen.name ? "page" : null,
                    title: `${texts.say(`screen.${screen.name}`)} (g ${screen.key})`,
                },
                texts.say(`screen.${screen.name}`),
                more,
            );
        /** Creates a mark with a number. @param {number} n @param {string} words */
        const count = (n, words) =>
            n > 0 && [
                h("span", { class: "tab-count", "aria-hidden": "true" }, texts.number(n)),
                h("span", { class: "spoken" }, texts.say(words, { n })),
            ];
        const failures = () => count(disabledHooks, "tabs.disabled-hooks");
        const tabs = new Map(
            tabScreens
                .filter(mayOpen)
                .map((screen) => [screen, link(screen, screen.name === "proposals" && count(waiting, "tabs.waiting"))]),
        );
        const isInMenu = allowed.some((screen) => screen.name === route.screen && !tabs.has(screen));
        const opener = h(
            "button",
            { type: "button", class: "quiet", id: "more-tabs", "aria-current": isInMenu ? "true" : null },
            texts.say("tabs.more"),
            failures(),
            icon("down"),
        );
        return h(
            "nav",
            { class: "tabs", "aria-label": texts.say("tabs") },
            h("div", { class: "tab-row" }, [...tabs.values()]),
            menu(opener, () =>
                allowed
                    .filter((screen) => !tabs.get(screen)?.checkVisibility())
                    .map((screen) =>
                        link(screen, [screen.name === "hooks" && failures(), h("kbd", {}, `g ${screen.key}`)]),
                    ),
            ),
        );
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
