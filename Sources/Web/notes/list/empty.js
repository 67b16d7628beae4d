/** The message of an empty list, with the next steps. */
import { h } from "../../shared/dom.js";
import { routeFragment } from "../route.js";

/**
 * @param {import("../frame.js").Context} context
 * @param {import("./note-view.js").NoteView} view
 */
export function emptiness({ texts, environment, keys }, { question, listing }) {
    if (question?.words) {
        const query = { q: question.words };
        const elsewhere = question.place === "list" && listing.places.trash > 0;
        return [
            h("p", {}, texts.parts("list.none.found", { words: question.words })),
            elsewhere &&
                h("a", { href: routeFragment({ environment, place: "trash", query }) }, texts.say("list.none.trash")),
        ];
    }
    if (question?.place === "trash") return h("p", {}, texts.say("list.none.trashed"));
    if (question?.tag !== undefined) return h("p", {}, texts.parts("list.none.tagged", { tag: question.tag }));
    return [
        h("p", {}, texts.say("list.none")),
        h("p", { class: "hint" }, texts.parts("list.none.key", { key: h("kbd", {}, keys.format("n").toUpperCase()) })),
        h("a", { href: routeFragment({ environment, place: "move" }) }, texts.say("list.none.move")),
    ];
}
