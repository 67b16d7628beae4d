/** Short notices, and the bar that reports an outage of the server. */
import { button, fill, h, icon, squareButton } from "./dom.js";

/** The time a notice stays, in milliseconds: longer with an action or an error, and while one of its buttons is in use. */
const [noticeDuration, longDuration] = [6000, 12_000];
/** The number of visible notices, and of texts in a live region. */
const maxNotices = 3;

export class Notices {
    /** @param {import("./texts.js").Texts} texts */
    constructor(texts) {
        this.texts = texts;
        this.list = h("section", { class: "notices" });
        // A region that is not atomic makes screen readers read the new text only.
        this.polite = h("div", { class: "spoken", role: "status", "aria-live": "polite", "aria-atomic": "false" });
        this.urgent = h("div", { class: "spoken", role: "alert", "aria-live": "assertive", "aria-atomic": "false" });
        this.element = h("div", {}, this.list, this.polite, this.urgent);
        this.bar = h("div", { class: "away", role: "status", hidden: true });
        /** @type {ReturnType<typeof setInterval> | undefined} */
        this.countdown = undefined;
    }

    /**
     * Announces a text to screen readers.
     * @param {string} text
     */
    say = (text) => speak(this.polite, text);

    /**
     * Shows a notice and announces it.
     * @param {string} text
     * @param {{ label: string, run: () => void }} [action]
     * @param {"" | "failure" | "failure outage"} [kind] CSS classes; `outage` is removed when the server is back
     */
    notify = (text, action, kind = "") => {
        speak(kind ? this.urgent : this.polite, text, kind);
        const box = h("div", { class: `notice-box ${kind}` }, icon(kind ? "alert" : "check"), h("span", {}, text));
        if (action) {
            const run = () => {
                end();
                action.run();
            };
            box.append(button(action.label, run, "quiet"));
        }
        box.append(squareButton(this.texts.say("close"), icon("close"), () => end()));
        /** @type {ReturnType<typeof setTimeout> | undefined} */
        let timer;
        const end = () => {
            clearTimeout(timer);
            box.remove();
        };
        const wait = () => {
            clearTimeout(timer);
            timer = setTimeout(
                () => (box.matches(":hover, :focus-within") ? wait() : end()),
                kind || action ? longDuration : noticeDuration,
            );
        };
        this.list.setAttribute("aria-label", this.texts.say("notices"));
        this.list.append(box);
        // Only the top layer is visible over a dialog.
        if (this.list.showPopover) {
            this.list.popover = "manual";
            if (this.list.matches(":popover-open")) this.list.hidePopover();
            this.list.showPopover();
        }
        while (this.list.childElementCount > maxNotices) this.list.firstElementChild?.remove();
        wait();
    };

    /**
     * Shows the outage bar with a countdown to the next retry.
     * @param {number} milliseconds
     * @param {() => void} retry
     */
    away(milliseconds, retry) {
        const { texts } = this;
        clearInterval(this.countdown);
        let seconds = Math.ceil(milliseconds / 1000);
        const left = h("span", { "aria-hidden": "true" });
        const showCountdown = () =>
            fill(left, seconds > 0 ? texts.say("away.in", { n: seconds }) : texts.say("away.now"));
        showCountdown();
        const again = button(texts.say("retry"), retry);
        const was = this.bar.hidden;
        if (was || !this.bar.contains(document.activeElement))
            fill(this.bar, icon("alert"), h("span", {}, texts.say("away.title")), left, again);
        this.bar.hidden = false;
        this.countdown = setInterval(() => {
            seconds -= 1;
            showCountdown();
            if (seconds <= 0) {
                clearInterval(this.countdown);
                retry();
            }
        }, 1000);
    }

    back() {
        clearInterval(this.countdown);
        for (const one of this.element.querySelectorAll(".outage")) one.remove();
        if (this.bar.hidden) return;
        this.bar.hidden = true;
        this.say(this.texts.say("away.over"));
    }
}

/**
 * Adds a text to a live region. Earlier texts stay, because a screen reader may not have read them yet.
 * @param {HTMLElement} region
 * @param {string} text
 * @param {string} [kind] CSS classes
 */
function speak(region, text, kind) {
    region.append(h("p", { class: kind }, text));
    while (region.childElementCount > maxNotices) region.firstElementChild?.remove();
}
