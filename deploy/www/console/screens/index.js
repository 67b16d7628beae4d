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
export const screens = [
    { name: "entries", scope: "config:read", key: "e", load: () => import("./entries.js") },
    { name: "releases", scope: "config:read", key: "r", load: () => import("./releases.js") },
    { name: "compare", scope: "config:read", key: "c", load: () => import("./compare.js") },
    { name: "majors", scope: "config:read", key: "m", load: () => import("./majors.js") },
    { name: "transfer", scope: "config:read", key: "i", load: () => import("./transfer.js") },
    { name: "tokens", scope: "config:read", key: "t", load: () => import("./tokens.js") },
    { name: "audit", scope: "admin", key: "a", load: () => import("./audit.js") },
    { name: "health", scope: "config:read", key: "h", load: () => import("./health.js") },
];
