/** The parts of the page, with the pane and the module of each. */

import * as emptyPane from "./empty-pane.js";
import * as list from "./list/list.js";
import * as sidebar from "./list/sidebar.js";

/** @typedef {import("./route.js").Route} Route */
/** @typedef {import("./frame.js").Context} Context */

/**
 * @typedef {object} Part
 * @property {HTMLElement} element
 * @property {(route: Route) => void} [show]
 * @property {() => Promise<void>} [flush] saves the user's text to disk; rejected on failure
 * @property {() => void | Promise<void>} [close]
 */

/** @typedef {{ open(context: Context): Part | Promise<Part> }} Module */

/** The parts beside main while an account is open. They are visible first, so they load with the page. */
export const sideParts = { sidebar, list };

/** The parts that main can show. */
export const mainParts = {
    /** @returns {Promise<Module>} */
    nothing: async () => emptyPane,
    /** @returns {Promise<Module>} */
    editor: () => import("./editor/editor.js"),
    /** @returns {Promise<Module>} */
    history: () => import("./history/history.js"),
    /** @returns {Promise<Module>} */
    move: () => import("./move/move.js"),
    /** @returns {Promise<Module>} */
    settings: () => import("./account/settings-screen.js"),
};
