/** The menu with the favorites and the saved filters of the list of entries, and the choice of its order. */
import { menu } from "../../shared/dialog.js";
import { button, h, icon, squareButton, userText } from "../../shared/dom.js";
import { openKeyDialog } from "../entries/add.js";

/**
 * @param {import("../frame.js").Context} context
 * @param {() => string} current returns the list's query
 * @param {(query: string) => void} apply filters the list by a query
 */
export function filterMenu(context, current, apply) {
    const { texts, workspace, notify } = context;
    const { bookmarks } = workspace;
    /** @param {string} name @param {string} query @param {string} done a key of the texts @param {() => void} [undo] */
    const save = (name, query, done, undo) => {
        const isStored = bookmarks.save(name, query);
        notify(
            texts.say(isStored ? done : "bookmarks.refused"),
            undo && { label: texts.say("draft.undo.short"), run: undo },
        );
    };
    /** @param {string} name @param {string} query */
    const remove = (name, query) => save(name, "", "filters.removed", () => save(name, query, "filters.saved"));
    const openDialog = () => {
        const query = current();
        const fault = (/** @type {string} */ name) =>
            name ? (bookmarks.filters.has(name) ? "filters.taken" : null) : "filters.empty";
        const done = (/** @type {string} */ name) => save(name, query, "filters.saved");
        openKeyDialog(context, "", done, fault, "filters.save", "filters.hint", "filters.save", "filters.name");
    };
    return menu(squareButton(texts.say("filters"), icon("star"), undefined, { id: "filters" }), () => [
        button(texts.say("filters.favorites"), () => apply("is:favorite"), "quiet", "star"),
        [...bookmarks.filters].map(([name, query]) =>
            h(
                "div",
                { class: "saved-filter" },
                button(userText(name), () => apply(query), "quiet", "search"),
                squareButton(texts.say("filters.remove", { name }), icon("remove"), () => remove(name, query)),
            ),
        ),
        current()
            ? button(texts.say("filters.save"), openDialog, "quiet", "add")
            : h("p", {}, h("small", {}, texts.say("filters.none"))),
    ]);
}

/**
 * Creates the choice of the list's order.
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {import("../state/filter.js").Order} current
 * @param {(order: import("../state/filter.js").Order) => void} sort
 */
export function orderSelect(texts, current, sort) {
    const orders = /** @type {const} */ (["key", "changed", "size"]);
    const options = orders.map((order) =>
        h("option", { value: order, selected: order === current }, texts.say(`order.${order}`)),
    );
    const onchange = () => sort(orders[select.selectedIndex]);
    const select = h("select", { id: "order", "aria-label": texts.say("order"), onchange }, options);
    return select;
}
