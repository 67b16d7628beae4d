/** The permissions that a session's scopes grant. */

const ranks = ["flags:evaluate", "config:read", "config:write", "admin"];

/**
 * Returns true if one of the scopes includes the wanted one.
 * @param {readonly string[]} scopes
 * @param {string} wanted `flags:evaluate`, `config:read`, `config:write` or `admin`
 */
export function allows(scopes, wanted) {
    return scopes.some((scope) => {
        if (scope.startsWith("config:write:")) return ranks.indexOf(wanted) <= ranks.indexOf("config:read");
        return ranks.indexOf(scope) >= ranks.indexOf(wanted);
    });
}

/**
 * Returns true if the scopes allow changing a key; a scope may cover one key or a prefix.
 * @param {readonly string[]} scopes
 * @param {string} key
 */
export function mayWrite(scopes, key) {
    if (allows(scopes, "config:write")) return true;
    return scopes.some((scope) => {
        const form = scope.startsWith("config:write:") ? scope.slice("config:write:".length) : "";
        return form.endsWith("*") ? key.startsWith(form.slice(0, -1)) : form !== "" && form === key;
    });
}

/** @param {readonly string[]} scopes */
export function mayWriteSomething(scopes) {
    return scopes.some((scope) => scope === "admin" || scope.startsWith("config:write"));
}
