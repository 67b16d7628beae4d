/** URL fragments such as `#/staging/entries/app.theme?q=color`. */

/** @param {string} text */
export function decoded(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}

/**
 * Splits a fragment into its segments and its query.
 * @param {string} fragment `#` is optional
 */
export function readFragment(fragment) {
    const [path, query = ""] = fragment.replace(/^#?\/?/, "").split("?", 2);
    return { segments: path.split("/").map(decoded), query: Object.fromEntries(new URLSearchParams(query)) };
}

/**
 * @param {string[]} segments
 * @param {Record<string, string | undefined>} query empty members are omitted
 */
export function fragmentOf(segments, query) {
    const words = Object.entries(query).filter(([, value]) => value);
    const search = new URLSearchParams(/** @type {[string, string][]} */ (words)).toString();
    return `#/${segments.map((segment) => encodeURIComponent(segment)).join("/")}${search ? `?${search}` : ""}`;
}
