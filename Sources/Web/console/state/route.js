/** Where in the console one is, as the fragment says it: `#/staging/entries/app.theme?q=color`. */

/**
 * @typedef {object} Route
 * @property {string} environment empty where none is chosen
 * @property {string} screen
 * @property {string[]} path what follows the screen
 * @property {Record<string, string>} query
 */

/**
 * @param {string} text
 */
function decoded(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}

/**
 * @param {string} fragment with or without its `#`
 * @returns {Route}
 */
export function readRoute(fragment) {
    const [path, query = ""] = fragment.replace(/^#?\/?/, "").split("?", 2);
    const [environment = "", screen = "", ...rest] = path.split("/").map(decoded);
    return {
        environment,
        screen: screen || (environment ? "entries" : ""),
        path: rest.filter((segment) => segment !== ""),
        query: Object.fromEntries(new URLSearchParams(query)),
    };
}

/**
 * @param {{ environment: string, screen?: string, path?: string[], query?: Record<string, string | undefined> }} route
 */
export function routeFragment({ environment, screen = "entries", path = [], query = {} }) {
    const words = Object.entries(query).filter(([, value]) => value);
    const search = new URLSearchParams(/** @type {[string, string][]} */ (words)).toString();
    const segments = [environment, screen, ...path].map((segment) => encodeURIComponent(segment));
    return `#/${segments.join("/")}${search ? `?${search}` : ""}`;
}

/**
 * The one-time codes of a link that signs in: `#/open/development=code,staging=code`.
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
