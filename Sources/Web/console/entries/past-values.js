/** The history of an entry's values, with authors and messages. */
import { button, fill, h, userText } from "../../shared/dom.js";
import { valueDifference } from "../changes/difference.js";
import { authorMark, releaseFragment, timeMark } from "../controls/controls.js";

/** The number of items per request. */
const pageSize = 10;

/**
 * Creates a section that loads the history when it is opened.
 * @param {import("../frame.js").Context} context
 * @param {string} key
 * @param {(value: string) => void} onUse puts a past value into the form
 */
export function pastValues({ texts, workspace, environment, messageOf }, key, onUse) {
    const list = h("ol", { class: "past" });
    const foot = h("div", {});
    const details = h("details", { class: "history" }, h("summary", {}, texts.say("history.title")), list, foot);
    /** @type {any[]} */
    let items = [];
    const read = async () => {
        fill(foot, h("p", { class: "hint" }, texts.say("loading")));
        try {
            // The last item of a page is compared once the next page is loaded.
            const last = items.at(-1);
            const more = await workspace.history(
                key,
                last ? { limit: pageSize, before: last.revision } : { limit: pageSize },
            );
            items = [...items, ...more];
            fill(
                list,
                items.map((item, index) => line(item, items[index + 1])),
            );
            const older = button(texts.say("older"), read, "quiet small");
            fill(
                foot,
                more.length === pageSize
                    ? older
                    : items.length === 0
                      ? h("p", { class: "hint" }, texts.say("history.none"))
                      : null,
            );
        } catch (failure) {
            const retry = button(texts.say("retry"), read, "quiet small");
            fill(foot, h("p", { class: "error", role: "alert" }, messageOf(failure)), retry);
        }
    };
    /**
     * @param {any} item
     * @param {any} before the next older item
     */
    const line = (item, before) => {
        const when = timeMark(texts, item.updated_at);
        const href = releaseFragment(environment.name, item.revision);
        const use =
            item.value === undefined ? null : button(texts.say("history.use"), () => onUse(item.value), "quiet small");
        return h(
            "li",
            {},
            h("p", {}, h("a", { href }, item.version), " · ", when, " · ", h("strong", {}, authorMark(item))),
            item.message ? h("p", { class: "message" }, userText(item.message)) : null,
            content(item, before),
            use,
        );
    };
    /**
     * @param {any} item
     * @param {any} before
     */
    const content = (item, before) => {
        if (item.purged) return h("p", { class: "hint" }, texts.say("history.purged"));
        if (item.deleted) return h("p", { class: "badge removed" }, texts.say("state.removed"));
        if (before?.value !== undefined && before.value === item.value)
            return h("p", { class: "hint" }, texts.say("history.description"), " ", userText(item.description));
        return valueDifference(texts, before?.value ?? null, item.value);
    };
    details.addEventListener("toggle", () => {
        if (details.open) {
            items = [];
            read();
        }
    });
    return details;
}
