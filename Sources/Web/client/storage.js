/** A single value in Web Storage or an object like it. A storage that throws or refuses is reported, and does no harm. */

import { seal, unseal } from "./sync.js";

/**
 * @param {import("./config.d.ts").Storage | null | undefined} given undefined chooses the page's localStorage
 * @param {string} key
 */
export function openStorage(given, key) {
    /** @type {"ok" | "none" | "refused"} */
    let state = given === null ? "none" : "ok";
    /** @template T @param {(storage: import("./config.d.ts").Storage) => T} action @returns {T | undefined} */
    function attempt(action) {
        if (state === "none") return undefined;
        try {
            const storage = given ?? (typeof document === "undefined" ? undefined : localStorage);
            if (!storage) state = "none";
            const result = storage && action(storage);
            if (storage) state = "ok";
            return result;
        } catch {
            state = "refused";
            return undefined;
        }
    }
    return {
        get state() {
            return state;
        },
        /** @returns {any} the value; undefined if there is none, or one that is not whole */
        read: () => attempt((storage) => unseal(storage.getItem(key))),
        /** @param {any} value */
        write: (value) => attempt((storage) => storage.setItem(key, seal(value))),
    };
}
