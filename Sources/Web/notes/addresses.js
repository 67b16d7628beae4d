/** The only script addresses that Trusted Types accept from a string, and the only parser of HTML. */

const worker = /** @type {HTMLMetaElement | null} */ (document.querySelector('meta[name="engine"]'))?.content ?? "";
const serviceWorker = "/sw.js";

const allowed = new Set([worker, serviceWorker]);
/** @param {string} address */
const checked = (address) => {
    if (!allowed.has(address)) throw new TypeError(`script address ${address} is not allowed`);
    return address;
};
/** @type {{ createScriptURL(address: string): any, createHTML(html: string): any } | undefined} */
const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("almanac", {
    createScriptURL: checked,
    createHTML: (/** @type {string} */ html) => html,
});
/**
 * @param {string} address
 * @returns {string} a trusted script address
 */
const trusted = (address) => (policy ? policy.createScriptURL(address) : checked(address));

/** Returns the address of the module of the notes' worker. */
export const engineAddress = () => trusted(worker);
/** Returns the address of the service worker. */
export const serviceWorkerAddress = () => trusted(serviceWorker);
/** Parses HTML as a document without a window, where scripts do not run and nothing is fetched. @param {string} html */
export const inertDocument = (html) =>
    new DOMParser().parseFromString(policy ? policy.createHTML(html) : html, "text/html");
