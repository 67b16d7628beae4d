/** The route within the notes, as the address's fragment: `#/staging/tags/work/0c2e…`. */
import { decoded, fragmentOf, readFragment } from "../shared/fragment.js";

/** @typedef {"list" | "tags" | "trash" | "search" | "settings" | "move" | "new" | "sign-in" | "unknown"} Place */

/**
 * @typedef {object} Route
 * @property {string} environment empty if none is chosen
 * @property {Place} place
 * @property {string} tag the tag of the place `tags`
 * @property {string} note the id of the open note, or empty
 * @property {boolean} history true if the note's history is shown
 * @property {Record<string, string>} query
 */

/** @typedef {Partial<Omit<Route, "query">> & { query?: Record<string, string | undefined> }} Wish */

/**
 * @param {string} fragment with or without its `#`
 * @returns {Route}
 */
export function readRoute(fragment) {
    const { segments, query } = readFragment(fragment);
    const [environment = "", place = "", ...rest] = segments;
    /** @type {Route} */
    const route = { environment, place: "list", tag: "", note: "", history: false, query };
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
    return fragmentOf([environment, ...segments], query);
}

/**
 * Returns the name of the part that main shows.
 * @param {Route} route
 * @returns {keyof typeof import("./panes.js").mainParts}
 */
export function partOf(route) {
    if (route.place === "settings" || route.place === "move") return route.place;
    if (route.note) return route.history ? "history" : "editor";
    return "nothing";
}

/** Returns the visible pane on narrow windows. @param {Route} route */
export function paneOf(route) {
    return partOf(route) === "nothing" && route.place !== "unknown" ? "list" : "main";
}

/**
 * Reads the one-time code of a sign-in link: `#/open/development=code`.
 * @param {string} fragment
 * @returns {{ environment: string, code: string } | null}
 */
export function readLink(fragment) {
    const [, environment, code] = /^#?\/open\/([^=?,/]+)=([^?,/]+)/.exec(fragment) ?? [];
    return environment && code ? { environment: decoded(environment), code: decoded(code) } : null;
}
