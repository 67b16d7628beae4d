/** The page's sync status. */
import { fill, h } from "../shared/dom.js";
import { icon } from "./icons.js";
import { summed } from "./status.js";

/** @import { State } from "./engine/types.js" */
/** @import { Context } from "./frame.js" */

/** @type {Record<ReturnType<typeof summed>["kind"], "cloud" | "sync" | "device" | "alert">} */
const kinds = { good: "cloud", busy: "sync", waiting: "device", attention: "alert" };

/** The page's sync status, as a button that opens the details. */
export class PageStatus {
    /**
     * @param {Pick<Context, "texts" | "unsaved" | "say">} page
     * @param {() => void} show opens the details
     */
    constructor({ texts, unsaved, say }, show) {
        this.page = { texts, unsaved, say };
        this.element = h("button", { type: "button", class: "quiet page-status", onclick: show, hidden: true });
        this.small = h("button", { type: "button", class: "quiet square page-status", onclick: show, hidden: true });
        this.announcedKind = "";
        this.renderedKey = "";
    }

    /** @param {State} state */
    render(state) {
        const { texts, unsaved, say } = this.page;
        const { kind, text } = summed(texts, state, texts.now, unsaved.refused.length);
        const key = JSON.stringify([kind, text, texts.language]);
        if (key === this.renderedKey) return;
        this.renderedKey = key;
        fill(this.element, icon(kinds[kind]), h("span", {}, text));
        fill(this.small, icon(kinds[kind]));
        this.small.setAttribute("aria-label", text);
        this.element.hidden = this.small.hidden = false;
        this.element.dataset.kind = this.small.dataset.kind = kind;
        this.element.setAttribute("title", texts.say("status.more"));
        // Announcing routine changes would only be noise.
        if (kind !== this.announcedKind && (kind === "attention" || kind === "waiting")) say(text);
        this.announcedKind = kind;
    }
}
