/** The head of an entry's form: its key, and the actions on the whole entry. */
import { menu } from "../../shared/dialog.js";
import { button, h, icon, squareButton } from "../../shared/dom.js";
import { copy, favoriteButton } from "../controls/controls.js";
import { setKey } from "../state/flags.js";
import { openMoveDialog } from "./moves.js";
import { openPlaces } from "./places.js";

/**
 * @typedef {object} PanelForm
 * @property {(key: string) => void} open opens another entry, or none if the key is empty
 * @property {(key: string) => void} use shows the code that reads the entry
 */

/**
 * Creates the menu with the actions on a key.
 * @param {import("../frame.js").Context} context
 * @param {string} key
 * @param {(key: string) => void} use shows the code that reads the key
 * @param {() => import("../../shared/dom.js").Child | import("../../shared/dom.js").Child[]} [more] creates more items at each opening
 */
export function keyMenu(context, key, use, more) {
    const { texts, workspace } = context;
    return menu(squareButton(texts.say("entry.more"), icon("more"), undefined, { id: "key-menu" }), () => [
        more?.(),
        // Apps can read what has been released.
        key !== setKey &&
            workspace.table.byKey.get(key)?.entry &&
            button(texts.say("use.title"), () => use(key), "quiet"),
        button(texts.say("places.title"), () => openPlaces(context, key), "quiet"),
    ]);
}

/**
 * @param {import("../frame.js").Context} context
 * @param {string} key
 * @param {PanelForm} form
 * @param {() => boolean} canMove returns true if the entry can be renamed
 */
export function panelTop(context, key, { open, use }, canMove) {
    const { texts } = context;
    const move = (/** @type {"rename" | "duplicate"} */ kind) =>
        button(texts.say(`entry.${kind}`), () => openMoveDialog(context, key, kind, open), "quiet");
    return h(
        "header",
        { class: "panel-top" },
        h("h2", { class: "key" }, key),
        favoriteButton(context, key),
        squareButton(texts.say("entry.copy"), icon("copy"), () => copy(context, key, "entry.copied")),
        keyMenu(context, key, use, () => key !== setKey && canMove() && [move("rename"), move("duplicate")]),
        squareButton(texts.say("close"), icon("close"), () => open("")),
    );
}
