/** The screens, in the order of their tabs. The flags screen is loaded on demand. */
import { open as audit } from "./audit-screen.js";
import { open as compare } from "./compare-screen.js";
import { open as entries } from "./entries-screen.js";
import { open as health } from "./health-screen.js";
import { open as majors } from "./majors-screen.js";
import { open as releases } from "./releases-screen.js";
import { open as tokens } from "./tokens-screen.js";
import { open as transfer } from "./transfer-screen.js";

/**
 * @typedef {object} View
 * @property {HTMLElement} element
 * @property {(route: import("../state/route.js").Route) => void} [show]
 * @property {() => void} [close]
 */

/**
 * @typedef {object} Screen
 * @property {string} name the name in the route and in the texts
 * @property {string} scope the scope that the session needs
 * @property {string} key the key pressed after `g`
 * @property {(context: import("../frame.js").Context) => View | Promise<View>} open
 */

/** @type {Screen[]} */
export const screens = [
    { name: "entries", scope: "config:read", key: "e", open: entries },
    {
        name: "flags",
        scope: "config:read",
        key: "f",
        open: async (context) => (await import("./flags-screen.js")).open(context),
    },
    { name: "releases", scope: "config:read", key: "r", open: releases },
    { name: "compare", scope: "config:read", key: "c", open: compare },
    { name: "majors", scope: "config:read", key: "m", open: majors },
    { name: "transfer", scope: "config:read", key: "i", open: transfer },
    { name: "tokens", scope: "config:read", key: "t", open: tokens },
    { name: "audit", scope: "admin", key: "a", open: audit },
    { name: "health", scope: "config:read", key: "h", open: health },
];
