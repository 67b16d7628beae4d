/** The base class of a page's frame: language, theme, shortcuts, notices and error messages. */
import { Problem, Unreachable } from "./api.js";
import { h } from "./dom.js";
import { Keys } from "./keys.js";
import { closeLayersByBack, replaceAddress } from "./layer-history.js";
import { Notices } from "./notices.js";
import { Texts } from "./texts.js";

/** @typedef {import("./texts.js").Table} Table */
/** @typedef {{ id: string, signed_in_at: string, fresh_until: string, expires_at: string }} BrowserSession */
/**
 * @typedef {{ id: string, issuer: string, subject: string, name: string | null, role: string | null }} SignedInPerson
 * @typedef {{ name: string, kind: string, scopes: string[], session?: BrowserSession,
 *     person?: SignedInPerson | null, token_id?: string }} Session
 */

export class PageFrame extends EventTarget {
    #english;
    #others;

    /**
     * @param {object} parts
     * @param {import("./api.js").API} parts.api
     * @param {import("./settings.js").Settings} parts.settings
     * @param {() => number} parts.now
     * @param {Table} english
     * @param {Record<string, () => Promise<Table>>} others loaders of the languages other than English
     */
    constructor({ api, settings, now }, english, others) {
        super();
        this.#english = english;
        this.#others = others;
        this.api = api;
        this.settings = settings;
        this.keys = new Keys(document, /Mac|iPhone|iPad/.test(navigator.userAgent));
        this.texts = new Texts("en", english, now);
        this.notices = new Notices(this.texts);
        this.skip = h("a", {
            class: "skip",
            href: "#main",
            onclick: (/** @type {Event} */ event) => {
                event.preventDefault();
                document.getElementById("main")?.focus();
            },
        });
    }

    /** Applies the theme and the language, and listens for changes of the address. */
    async begin() {
        chooseTheme(this.settings.get("theme"));
        await this.chooseTexts();
        addEventListener("hashchange", ({ oldURL }) => {
            // Links inside a layer close it first, so the Back button was pressed.
            if (layers().length === 0) return this.showRoute();
            history.pushState(null, "", oldURL);
            this.closeTopLayer();
        });
        closeLayersByBack(() => this.closeTopLayer());
        // CSS follows the system's light and dark mode; a changed language needs new texts.
        addEventListener("languagechange", () => this.renderTexts());
    }

    /** Closes the top layer as Esc does. Returns false if there is none. */
    closeTopLayer() {
        const layer = layers().at(-1);
        if (!layer) return false;
        const press = new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true });
        if (layer.dispatchEvent(press) && layer instanceof HTMLDialogElement) layer.close();
        return true;
    }

    /** Shows the screen that the address names. */
    async showRoute() {}

    /** Loads the present language and shows every text again. */
    async renderTexts() {}

    async chooseTexts() {
        const others = this.#others;
        const chosen = [this.settings.get("language") ?? "", ...navigator.languages].map((tag) => tag.slice(0, 2));
        const language = chosen.find((tag) => tag === "en" || tag in others) ?? "en";
        const table = await others[language]?.().catch(() => ({}));
        document.documentElement.lang = language;
        this.texts.choose(language, { ...this.#english, ...table }, navigator.languages);
    }

    /** @param {string} theme `light`, `dark` or `system` */
    setTheme = (theme) => {
        this.settings.set("theme", theme === "system" ? null : theme);
        chooseTheme(theme);
    };

    /** Creates the fields for theme and language. */
    preferences = () => {
        const { texts, settings } = this;
        const themes = ["system", "light", "dark"].map((theme) => [theme, texts.say(`theme.${theme}`)]);
        const languages = [
            ["en", "English"],
            ["de", "Deutsch"],
        ];
        return [
            choice(texts.say("theme"), themes, settings.get("theme") ?? "system", this.setTheme),
            choice(texts.say("language"), languages, texts.language, (language) => {
                settings.set("language", language);
                this.renderTexts();
            }),
        ];
    };

    /**
     * @param {string} fragment
     * @param {boolean} [replace] true if the Back button shall skip the present address
     */
    visit = (fragment, replace = false) => {
        if (fragment === location.hash) return;
        if (!replace) location.hash = fragment;
        else {
            replaceAddress(fragment);
            this.showRoute();
        }
    };

    /** @param {unknown} failure */
    messageOf = (failure) => {
        if (failure instanceof Problem) {
            const known = `problem.${failure.kind}`;
            return this.texts.has(known) ? this.texts.say(known, { detail: failure.message }) : failure.message;
        }
        if (failure instanceof Unreachable) return this.texts.say("away.short");
        return this.texts.say("error.unknown", {
            detail: failure instanceof Error ? failure.message : String(failure),
        });
    };

    /**
     * Shows an error message.
     * @param {unknown} failure
     */
    showError = (failure) => {
        if ((failure instanceof DOMException && failure.name === "AbortError") || this.reports(failure)) return;
        const kind = failure instanceof Unreachable ? "failure outage" : "failure";
        this.notices.notify(this.messageOf(failure), undefined, kind);
        if (!(failure instanceof Problem || failure instanceof Unreachable)) console.error(failure);
    };

    /**
     * Reports a failure in the page's own way; returns true if it did.
     * @param {unknown} _failure
     */
    reports(_failure) {
        return false;
    }
}

const layers = () => [...document.querySelectorAll("dialog[open], .menu:not([hidden])")];

/** @param {string | null} theme `light` or `dark`; any other value follows the system */
function chooseTheme(theme) {
    const root = document.documentElement;
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    else delete root.dataset.theme;
}

/**
 * Creates a labelled list of choices.
 * @param {string} label
 * @param {string[][]} values pairs of a value and its label
 * @param {string} chosen
 * @param {(value: string) => void} onChange
 */
export function choice(label, values, chosen, onChange) {
    const options = values.map(([value, text]) => h("option", { value, selected: value === chosen }, text));
    const select = h("select", { onchange: () => onChange(select.value) }, options);
    return h("label", { class: "choice" }, h("span", {}, label), select);
}
