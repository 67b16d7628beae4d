/** The message of an empty list, with the next steps. */
import { h } from "../../shared/dom.js";
import { icon } from "../icons.js";
import { routeFragment } from "../route.js";

/**
 * @param {import("../frame.js").Context} context
 * @param {import("./note-view.js").NoteView} view
 */
export function emptyListView({ texts, environment, keys }, { query, listing }) {
    const link = (/** @type {string} */ text, /** @type {import("../route.js").Wish} */ route) =>
        h("a", { class: "button", href: routeFragment({ environment, ...route }) }, texts.say(text));
    const hint = (/** @type {string} */ text) => h("p", { class: "hint" }, texts.say(text));
    if (query?.words) {
        const isElsewhere = query.place === "list" && listing.places.trash > 0;
        return [
            icon("search"),
            h("h2", {}, texts.parts("list.none.found", { words: query.words })),
            hint("list.none.found.hint"),
            isElsewhere && link("list.none.trash", { place: "trash", query: { q: query.words } }),
        ];
    }
    if (query?.place === "trash")
        return [icon("remove"), h("h2", {}, texts.say("list.none.trashed")), hint("list.none.trashed.hint")];
    if (query?.tag !== undefined)
        return [
            icon("tag"),
            h("h2", {}, texts.parts("list.none.tagged", { tag: query.tag })),
            link("list.new", { place: "new", query: { tag: query.tag } }),
        ];
    return [
        icon("edit"),
        h("h2", {}, texts.say("list.none")),
        h("p", { class: "hint" }, texts.parts("list.none.key", { key: h("kbd", {}, keys.format("n").toUpperCase()) })),
        link("list.none.move", { place: "move" }),
    ];
}
