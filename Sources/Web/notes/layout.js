/** The panes with their parts, and the navigation between panes on narrow windows. */
import { button, fill, h, squareButton } from "../shared/dom.js";
import { enterLayer } from "../shared/layer-history.js";
import { openHelp } from "./help.js";
import { icon } from "./icons.js";
import { mainParts, sideParts } from "./panes.js";
import { paneOf, partOf, readRoute, routeFragment } from "./route.js";

/** @import { Account, Context } from "./frame.js" */
/** @import { Part } from "./panes.js" */
/** @import { Route } from "./route.js" */

/** The width of a window with room for one pane only; must match frame.css. */
const narrow = "(max-width: 45rem)";

export class Layout {
    /**
     * @param {object} page
     * @param {import("../shared/texts.js").Texts} page.texts
     * @param {import("../shared/keys.js").Keys} page.keys
     * @param {import("./page-status.js").PageStatus} page.status
     * @param {(account: Account, signal: AbortSignal) => Context} page.context creates the context of a part
     * @param {(failure: unknown) => void} page.fail
     * @param {(failure: unknown) => string} page.wording
     * @param {() => void} page.showRoute shows the view of the address
     */
    constructor(page) {
        this.page = page;
        /** The root element, which the frame fills. */
        this.element = h("div", { class: "frame" });
        this.top = h("nav", { class: "top" });
        this.side = h("section", { class: "side", id: "side" });
        this.middle = h("section", { class: "middle" });
        this.main = h("main", { id: "main", tabindex: "-1" });
        this.panes = h("div", { class: "panes" }, this.side, this.middle, this.main);
        /** @type {Part[]} sidebar and list */
        this.sideParts = [];
        /** @type {Part | null} */
        this.part = null;
        this.partName = "";
        this.route = readRoute("");
        this.closing = new AbortController();
        this.sideClosing = new AbortController();
        this.narrow = matchMedia(narrow);
        this.narrow.addEventListener("change", () => this.showPane(this.element.dataset.pane ?? "main"));
    }

    /** Shows a pane on narrow windows and makes it the main landmark. @param {string} pane */
    showPane(pane) {
        this.element.dataset.pane = pane;
        for (const [name, element] of Object.entries({ side: this.side, list: this.middle })) {
            if (this.narrow.matches && pane === name) element.setAttribute("role", "main");
            else element.removeAttribute("role");
        }
    }

    async close() {
        const parts = [...this.sideParts, this.part];
        this.closing.abort();
        this.sideParts = [];
        this.part = null;
        this.partName = "";
        this.sideClosing.abort();
        for (const part of parts) await part?.close?.();
    }

    /**
     * @param {Account} account
     * @param {Route} route
     */
    async arrange(account, route) {
        const { texts } = this.page;
        // A route that is shown again must not close the sidebar, which the user may have opened since.
        const isShown = this.sideParts.length > 0 && JSON.stringify(route) === JSON.stringify(this.route);
        this.route = route;
        if (this.sideParts.length === 0) this.openSideParts(account);
        if (!isShown) this.showPane(paneOf(route));
        this.element.classList.remove("alone");
        for (const part of this.sideParts) part.show?.(route);
        this.renderTop();
        const name = partOf(route);
        const place = name === "settings" || name === "move" ? `${texts.say(`settings.${name}`)} · ` : "";
        document.title = `${place}${texts.say("title")}`;
        // The empty view may change its text with the route.
        if (name === this.partName && name !== "nothing") return this.part?.show?.(route);
        await this.openPart(account, name);
    }

    /** @param {Account} account */
    openSideParts(account) {
        this.sideClosing.abort();
        this.sideClosing = new AbortController();
        const { signal } = this.sideClosing;
        const parts = [sideParts.sidebar, sideParts.list].map((part) => part.open(this.page.context(account, signal)));
        this.sideParts = parts;
        this.side.setAttribute("aria-label", this.page.texts.say("frame.side"));
        this.middle.setAttribute("aria-label", this.page.texts.say("frame.middle"));
        fill(this.side, parts[0].element, this.foot(account));
        fill(this.middle, parts[1].element);
    }

    /**
     * @param {Account} account
     * @param {keyof typeof mainParts} name
     */
    async openPart(account, name) {
        this.closing.abort();
        this.closing = new AbortController();
        const { signal } = this.closing;
        const before = this.part;
        this.part = null;
        this.partName = name;
        try {
            await before?.close?.();
            const module = await mainParts[name]();
            const part = await module.open(this.page.context(account, signal));
            if (signal.aborted) return part.close?.();
            this.part = part;
            const { activeElement } = document;
            fill(this.main, part.element);
            // The focused element may be hidden now.
            if (
                activeElement instanceof HTMLElement &&
                activeElement !== document.body &&
                !activeElement.checkVisibility()
            )
                this.main.focus({ preventScroll: true });
            if (name !== "nothing") part.show?.(this.route);
        } catch (failure) {
            if (signal.aborted) return;
            this.partName = "";
            this.page.fail(failure);
            const again = button(this.page.texts.say("retry"), () => this.page.showRoute());
            fill(this.main, h("section", { class: "nothing" }, h("p", {}, this.page.wording(failure)), again));
        }
    }

    /** Shows one element instead of the panes. @param {HTMLElement} element */
    showAlone(element) {
        this.element.classList.add("alone");
        this.showPane("main");
        fill(this.side);
        fill(this.middle);
        fill(this.top);
        fill(this.main, element);
        document.title = this.page.texts.say("title");
    }

    /** Shows the navigation between panes for narrow windows. */
    renderTop() {
        const { texts, status } = this.page;
        const { route } = this;
        const environment = route.environment;
        const pane = this.element.dataset.pane;
        const list = route.note ? { ...route, note: "", query: {} } : { environment };
        const up = route.history ? { ...route, history: false } : list;
        const back = h(
            "a",
            { class: "button quiet", href: routeFragment(up), id: "back" },
            icon("back"),
            texts.say("frame.back"),
        );
        const places = h(
            "button",
            {
                type: "button",
                class: "quiet",
                id: "places",
                "aria-expanded": pane === "side" ? "true" : "false",
                "aria-controls": "side",
                onclick: () => this.toggleSide(),
            },
            icon(pane === "side" ? "back" : "list"),
            texts.say(pane === "side" ? "frame.back" : "frame.places"),
        );
        this.top.setAttribute("aria-label", texts.say("frame.top"));
        const focused = this.top.contains(document.activeElement);
        fill(this.top, pane === "main" ? back : places, h("span", { class: "space" }), status.small);
        if (focused) /** @type {HTMLElement | null} */ (this.top.firstElementChild)?.focus();
    }

    toggleSide() {
        const isOpen = this.element.dataset.pane === "side";
        this.showPane(isOpen ? paneOf(this.route) : "side");
        if (!isOpen) enterLayer();
        this.renderTop();
    }

    /** Closes the sidebar of a narrow window. Returns false if it is not open. */
    closeSide() {
        const isOpen = this.narrow.matches && this.element.dataset.pane === "side";
        if (isOpen) this.toggleSide();
        return isOpen;
    }

    /** Returns the foot of the sidebar. @param {Account} account */
    foot({ name: owner, environment }) {
        const { texts, keys, status } = this.page;
        const name = h("bdi", { class: "account-name", dir: "auto" }, owner);
        const href = routeFragment({ environment, place: "settings" });
        const settings = h(
            "a",
            { class: "account-link", href, title: texts.say("settings.settings") },
            icon("person"),
            name,
        );
        const help = squareButton(texts.say("help.title"), "?", () => openHelp(texts, keys));
        return h("footer", { class: "foot" }, status.element, h("div", { class: "foot-row" }, settings, help));
    }
}
