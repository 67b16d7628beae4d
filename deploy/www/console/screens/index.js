/** The screens, in the order of their tabs. All but the first come together, soon after it or when one is opened. */
import { open as entries } from "./entries.js";

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
 * @property {(context: import("../frame.js").Context) => View | Promise<View>} open
 */

export const others = () => import("./others.js");

/** @type {Screen[]} */
export const screens = [
    { name: "entries", scope: "config:read", key: "e", open: entries },
    {
        name: "flags",
        scope: "config:read",
        key: "f",
        open: async (context) => (await import("./flags.js")).open(context),
    },
    { name: "releases", scope: "config:read", key: "r", open: async (context) => (await others()).releases(context) },
    { name: "compare", scope: "config:read", key: "c", open: async (context) => (await others()).compare(context) },
    { name: "majors", scope: "config:read", key: "m", open: async (context) => (await others()).majors(context) },
    { name: "transfer", scope: "config:read", key: "i", open: async (context) => (await others()).transfer(context) },
    { name: "tokens", scope: "config:read", key: "t", open: async (context) => (await others()).tokens(context) },
    { name: "audit", scope: "admin", key: "a", open: async (context) => (await others()).audit(context) },
    { name: "health", scope: "config:read", key: "h", open: async (context) => (await others()).health(context) },
];
