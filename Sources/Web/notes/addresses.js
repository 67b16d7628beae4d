/** The only addresses that scripts may be loaded from by a text: Trusted Types refuse all others. */

const worker = /** @type {HTMLMetaElement | null} */ (document.querySelector('meta[name="engine"]'))?.content ?? "";
const serviceWorker = "/sw.js";

const allowed = new Set([worker, serviceWorker]);
/** @param {string} address */
const checked = (address) => {
    if (!allowed.has(address)) throw new TypeError(`no script is loaded from ${address}`);
    return address;
};
/** @type {{ createScriptURL(address: string): any } | undefined} */
const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("almanac", { createScriptURL: checked });
/**
 * @param {string} address
 * @returns {string} for what takes a script's address
 */
const trusted = (address) => (policy ? policy.createScriptURL(address) : checked(address));

/** Of the module of the worker that holds the notes. */
export const engineAddress = () => trusted(worker);
/** Of the service worker. */
export const serviceWorkerAddress = () => trusted(serviceWorker);
