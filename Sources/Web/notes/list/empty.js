/** The message of an empty list, with the next steps. */
import { h } from "../../shared/dom.js";
import { routeFragment } from "../route.js";

/**
 * @param {import("../frame.js").Context} context
 * @param {import("./note-view.js").NoteView} view
 */
export function emptyListView({ texts, environment, keys }, { query, listing }) {
    if (query?.words) {
        const routeQuery = { q: query.words };
        const elsewhere = query.place === "list" && listing.places.trash > 0;
        return [
            h("p", {}, texts.parts("list.none.found", { words: query.words })),
            elsewhere &&
                h(
                    "a",
                    { href: routeFragment({ environment, place: "trash", query: routeQuery }) },
                    texts.say("list.none.trash"),
                ),
        ];
    }
    if (query?.place === "trash") return h("p", {}, texts.say("list.none.trashed"));
    if (query?.tag !== undefined) return h("p", {}, texts.parts("list.none.tagged", { tag: query.tag }));
    return [
        h("p", {}, texts.say("list.none")),
        h("p", { class: "hint" }, texts.parts("list.none.key", { key: h("kbd", {}, keys.format("n").toUpperCase()) })),
        h("a", { href: routeFragment({ environment, place: "move" }) }, texts.say("list.none.move")),
    ];
}
