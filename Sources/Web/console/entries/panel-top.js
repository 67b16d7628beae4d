/** The head of an entry's form: its key, and the actions on the whole entry. */
import { menu } from "../../shared/dialog.js";
import { button, h, icon, squareButton } from "../../shared/dom.js";
import { copy } from "../controls/controls.js";
import { setKey } from "../state/flags.js";
import { openMoveDialog } from "./moves.js";
import { openPlaces } from "./places.js";

/**
 * @typedef {object} PanelForm
 * @property {(key: string) => void} open opens another entry, or none if the key is empty
 */

/**
 * @param {import("../frame.js").Context} context
 * @param {string} key
 * @param {PanelForm} form
 * @param {() => boolean} canMove returns true if the entry can be renamed
 */
export function panelTop(context, key, { open }, canMove) {
    const { texts } = context;
    const move = (/** @type {"rename" | "duplicate"} */ kind) =>
        button(texts.say(`entry.${kind}`), () => openMoveDialog(context, key, kind, open), "quiet");
    return h(
        "header",
        { class: "panel-top" },
        h("h2", { class: "key" }, key),
        squareButton(texts.say("entry.copy"), icon("copy"), () => copy(context, key, "entry.copied")),
        menu(squareButton(texts.say("entry.more"), icon("more")), () => [
            key !== setKey && canMove() && [move("rename"), move("duplicate")],
            button(texts.say("places.title"), () => openPlaces(context, key), "quiet"),
        ]),
        squareButton(texts.say("close"), icon("close"), () => open("")),
    );
}
