/** The parts of the page: what stands in which pane, and what it is loaded from. */
import * as list from "./list/list.js";
import * as sidebar from "./list/sidebar.js";
import * as nothing from "./nothing.js";

/** @typedef {import("./route.js").Route} Route */
/** @typedef {import("./frame.js").Context} Context */

/**
 * @typedef {object} Part
 * @property {HTMLElement} element
 * @property {(route: Route) => void} [show]
 * @property {() => Promise<void>} [flush] brings what was typed to the disk, or fails
 * @property {() => void | Promise<void>} [close]
 */

/** @typedef {{ open(context: Context): Part | Promise<Part> }} Module */

/** What stands beside main for as long as an account is open: the first that is seen, so loaded with the page. */
export const standing = { sidebar, list };

/** What main can show. */
export const shown = {
    /** @returns {Promise<Module>} */
    nothing: async () => nothing,
    /** @returns {Promise<Module>} */
    editor: () => import("./editor/editor.js"),
    /** @returns {Promise<Module>} */
    history: () => import("./history/history.js"),
    /** @returns {Promise<Module>} */
    move: () => import("./move/move.js"),
    /** @returns {Promise<Module>} */
    settings: () => import("./account/settings-screen.js"),
};

/**
 * The part of main that a route shows.
 * @param {Route} route
 * @returns {keyof typeof shown}
 */
export function partOf(route) {
    if (route.place === "settings" || route.place === "move") return route.place;
    if (route.note) return route.history ? "history" : "editor";
    return "nothing";
}

/**
 * The pane that is seen where there is room for one.
 * @param {Route} route
 */
export function paneOf(route) {
    return partOf(route) === "nothing" ? "list" : "main";
}
