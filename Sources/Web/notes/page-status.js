/** The page's line of status. */
import { fill, h } from "../shared/dom.js";
import { openStatus } from "./account/attention.js";
import { icon } from "./icons.js";
import { summed } from "./status.js";

/** @import { Frame } from "./frame.js" */

/** @type {Record<ReturnType<typeof summed>["kind"], "cloud" | "sync" | "device" | "alert">} */
const kinds = { good: "cloud", busy: "sync", waiting: "device", attention: "alert" };

/** The page's line of status: a button that shows more. */
export class PageStatus {
    /** @param {Frame} frame */
    constructor(frame) {
        this.frame = frame;
        const show = () => openStatus(this.frame);
        this.element = h("button", { type: "button", class: "quiet page-status", onclick: show, hidden: true });
        this.small = h("button", { type: "button", class: "quiet square page-status", onclick: show, hidden: true });
        frame.addEventListener("state", () => this.tell());
        frame.addEventListener("account", () => this.tell());
        frame.addEventListener("texts", () => this.tell());
        frame.unsaved.addEventListener("changed", () => this.tell());
        this.said = "";
        this.shown = "";
    }

    tell() {
        const { texts, account, notices, now, unsaved } = this.frame;
        if (!account) return;
        const { kind, text } = summed(texts, account.engine.state(), now, unsaved.refused.length);
        const shown = JSON.stringify([kind, text, texts.language]);
        if (shown === this.shown) return;
        this.shown = shown;
        fill(this.element, icon(kinds[kind]), h("span", {}, text));
        fill(this.small, icon(kinds[kind]));
        this.small.setAttribute("aria-label", text);
        this.element.hidden = this.small.hidden = false;
        this.element.dataset.kind = this.small.dataset.kind = kind;
        this.element.setAttribute("title", texts.say("status.more"));
        // What goes on by itself all the time would only be noise.
        if (kind !== this.said && (kind === "attention" || kind === "waiting")) notices.say(text);
        this.said = kind;
    }
}
