/** Where in the notes one is, as the fragment says it: `#/staging/tags/work/0c2e…`. */

/** @typedef {"list" | "tags" | "trash" | "search" | "settings" | "move" | "new" | "sign-in" | "unknown"} Place */

/**
 * @typedef {object} Route
 * @property {string} environment empty where none is chosen
 * @property {Place} place
 * @property {string} tag of the place `tags`
 * @property {string} note the id of the note that is open, or empty
 * @property {boolean} history whether its past is shown
 * @property {Record<string, string>} query
 */

/** @typedef {Partial<Omit<Route, "query">> & { query?: Record<string, string | undefined> }} Wish */

/** @param {string} text */
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
    const [environment = "", place = "", ...rest] = path.split("/").map(decoded);
    /** @type {Route} */
    const route = {
        environment,
        place: "list",
        tag: "",
        note: "",
        history: false,
        query: Object.fromEntries(new URLSearchParams(query)),
    };
    if (place === "" || place === "notes") return { ...route, note: rest[0] ?? "", history: rest[1] === "history" };
    if (place === "trash" || place === "search") return { ...route, place, note: rest[0] ?? "" };
    if (place === "tags" && rest[0]) return { ...route, place, tag: rest[0], note: rest[1] ?? "" };
    if (place === "settings" || place === "move" || place === "new" || place === "sign-in") return { ...route, place };
    return { ...route, place: "unknown" };
}

/**
 * @param {Wish} route
 */
export function routeFragment({ environment = "", place = "list", tag = "", note = "", history = false, query = {} }) {
    /** @type {string[]} */
    let segments = [place];
    if (place === "list") segments = note ? ["notes", note] : [];
    else if (place === "tags") segments = note ? [place, tag, note] : [place, tag];
    else if (note) segments = [place, note];
    if (place === "list" && note && history) segments.push("history");
    const words = Object.entries(query).filter(([, value]) => value);
    const search = new URLSearchParams(/** @type {[string, string][]} */ (words)).toString();
    const path = [environment, ...segments].map((segment) => encodeURIComponent(segment)).join("/");
    return `#/${path}${search ? `?${search}` : ""}`;
}

/**
 * The one-time code of a link that signs in: `#/open/development=code`.
 * @param {string} fragment
 * @returns {{ environment: string, code: string } | null}
 */
export function readLink(fragment) {
    const [, environment, code] = /^#?\/open\/([^=?,/]+)=([^?,/]+)/.exec(fragment) ?? [];
    return environment && code ? { environment: decoded(environment), code: decoded(code) } : null;
}
