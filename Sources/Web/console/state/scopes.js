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
 * Returns true if a scope, or one of its forms for a key or a prefix (`config:approve:pay.*`), covers a key.
 * @param {readonly string[]} scopes
 * @param {string} name such as `config:approve`
 * @param {string} key
 */
export const covers = (scopes, name, key) =>
    scopes.some((scope) => {
        if (scope === name) return true;
        const form = scope.startsWith(`${name}:`) ? scope.slice(name.length + 1) : "";
        return form.endsWith("*") ? key.startsWith(form.slice(0, -1)) : form !== "" && form === key;
    });

/**
 * Returns true if the scopes allow changing a key; a scope may cover one key or a prefix.
 * @param {readonly string[]} scopes
 * @param {string} key
 */
export const mayWrite = (scopes, key) => allows(scopes, "config:write") || covers(scopes, "config:write", key);

/** @param {readonly string[]} scopes */
export function mayWriteSomething(scopes) {
    return scopes.some((scope) => scope === "admin" || scope.startsWith("config:write"));
}

/** Returns true if the scopes allow proposals, as every scope to write does. @param {readonly string[]} scopes */
export const mayPropose = (scopes) => mayWriteSomething(scopes) || scopes.includes("config:propose");
