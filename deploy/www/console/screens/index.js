/** The screens, in the order of their tabs; each is loaded when it is opened. */

/**
 * @typedef {object} View
 * @property {HTMLElement} element
 * @property {(route: import("../state/route.js").Route) => void} [show]
 * @property {() => void} [close]
 */

/**
 * @typedef {object} Screen
 * @property {string} name in the route and the texts
 * @property {string} scope that the session must have
 * @property {string} key pressed after `g`
 * @property {() => Promise<{ open(context: import("../frame.js").Context): View | Promise<View> }>} load
 */

/** @type {Screen[]} */
export const screens = [{ name: "entries", scope: "config:read", key: "e", load: () => import("./entries.js") }];
