/** The bar below the entries: the number of changes in the draft, and the version that saving would create. */
import { Problem } from "../../shared/api.js";
import { fill, h, icon } from "../../shared/dom.js";
import { forecastOf } from "../changes/forecast.js";
import { bumpMark } from "../controls/controls.js";

/** The debounce before the draft is forecast, in milliseconds. */
const forecastDebounce = 400;

export class DraftBar {
    /**
     * @param {import("../frame.js").Context} context
     * @param {{ filter: () => void, review: () => void }} form
     */
    constructor(context, form) {
        this.context = context;
        const { texts, workspace, notify, signal } = context;
        this.request = new AbortController();
        /** @type {ReturnType<typeof setTimeout> | undefined} */
        this.timer = undefined;
        this.count = h("button", { type: "button", class: "link", onclick: form.filter });
        this.status = h("span", { class: "outlook-short", role: "status" });
        const discard = {
            type: "button",
            class: "quiet",
            id: "discard",
            "aria-label": texts.say("draft.discard"),
            onclick: () => this.discard(),
        };
        const review = { type: "button", class: "primary", id: "review", onclick: form.review };
        this.element = h(
            "section",
            { class: "draft-bar", "aria-label": texts.say("draft"), hidden: true },
            this.count,
            this.status,
            h("span", { class: "space" }),
            h("button", discard, icon("remove"), h("span", {}, texts.say("draft.discard"))),
            h("button", review, texts.say("review.open")),
        );
        // Notices stand above the bar. The height is 0 while the bar is hidden or removed.
        new ResizeObserver(() =>
            document.documentElement.style.setProperty("--draft-bar", `${this.element.offsetHeight}px`),
        ).observe(this.element);
        workspace.draft.addEventListener("full", () => notify(texts.say("draft.full")), { signal });
    }

    /** Updates the bar from the draft. */
    show() {
        const { workspace, texts } = this.context;
        const { size, conflicts, invalid } = workspace.draft;
        this.element.hidden = size === 0 && invalid.size === 0;
        this.stopForecast();
        // The forecast comes later than the end of a warning's reason.
        this.status.querySelector(".conflict")?.remove();
        if (this.element.hidden) return;
        fill(this.count, texts.say("draft.count", { n: size }));
        if (invalid.size > 0 && invalid.isFresh) fill(this.status);
        else if (invalid.size > 0) this.warn(texts.say("review.invalid", { n: invalid.size }));
        else if (conflicts.length > 0) this.warn(texts.say("draft.conflicts", { n: conflicts.length }));
        else {
            // The reason of an earlier warning is gone.
            if (this.status.querySelector(".conflict")) fill(this.status);
            this.timer = setTimeout(() => this.forecast(), forecastDebounce);
        }
    }

    stopForecast() {
        clearTimeout(this.timer);
        this.request.abort();
    }

    /** @param {string} text the reason why the review does not open; an empty text removes it */
    warn(text) {
        if (!text) return this.show();
        this.stopForecast();
        fill(this.status, h("span", { class: "badge conflict" }, icon("alert"), text));
    }

    async forecast() {
        const { api, workspace, texts } = this.context;
        this.request.abort();
        this.request = new AbortController();
        try {
            const { bump, version } = await forecastOf(api, workspace.proposal, this.request.signal);
            const next = [texts.say("forecast.next", { version }), " ", bumpMark(texts, bump)];
            fill(this.status, bump === "none" ? texts.say("forecast.nothing") : next);
        } catch (failure) {
            if (failure instanceof DOMException) return;
            fill(this.status);
            // The page itself handles 401 with a sign-in, and 412 by reloading the config.
            const refused = failure instanceof Problem && ![401, 412].includes(failure.status);
            if (refused) this.warn(texts.say("forecast.refused"));
        }
    }

    discard() {
        const { workspace, notify, texts } = this.context;
        const { draft, invalid } = workspace.draft;
        const typed = [...invalid.all];
        const keys = [...new Set([...Object.keys(draft.changes), ...invalid.all.keys()])];
        workspace.draft.clear();
        notify(texts.say("draft.discarded", { n: keys.length }), {
            label: texts.say("draft.redo"),
            run: () => {
                for (const [key, fields] of typed) for (const [field, text] of fields) invalid.set(key, field, text);
                workspace.draft.replace(draft, keys);
            },
        });
    }

    close() {
        this.stopForecast();
    }
}
