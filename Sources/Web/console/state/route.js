/** The console's location, encoded in the fragment: `#/staging/entries/app.theme?q=color`. */
import { decoded, fragmentOf, readFragment } from "../../shared/fragment.js";

/**
 * @typedef {object} Route
 * @property {string} environment empty if none is selected
 * @property {string} screen
 * @property {string[]} path the segments after the screen
 * @property {Record<string, string>} query
 */

/**
 * @param {string} fragment `#` is optional
 * @returns {Route}
 */
export function readRoute(fragment) {
    const { segments, query } = readFragment(fragment);
    const [environment = "", screen = "", ...rest] = segments;
    return {
        environment,
        screen: screen || (environment ? "entries" : ""),
        path: rest.filter((segment) => segment !== ""),
        query,
    };
}

/**
 * @param {{ environment: string, screen?: string, path?: string[], query?: Record<string, string | undefined> }} route
 */
export function routeFragment({ environment, screen = "entries", path = [], query = {} }) {
    return fragmentOf([environment, screen, ...path], query);
}

/** The screens that need no session. @param {string} screen */
export const isEntrance = (screen) => ["sign-in", "invitation"].includes(screen);

/**
 * Returns an invitation: `#/production/invitation/secret`.
 * @param {string} fragment
 */
export function readInvitation(fragment) {
    const { environment, screen, path } = readRoute(fragment);
    return screen === "invitation" && path[0] ? { environment, secret: path[0] } : null;
}

/**
 * Returns the one-time codes of a sign-in link: `#/open/development=code,staging=code`.
 * @param {string} fragment
 * @returns {{ environment: string, code: string }[]}
 */
export function readLink(fragment) {
    const match = /^#?\/open\/([^?]*)/.exec(fragment);
    if (!match) return [];
    return match[1].split(",").flatMap((pair) => {
        const [environment, code] = pair.split("=", 2).map(decoded);
        return environment && code ? [{ environment, code }] : [];
    });
}
