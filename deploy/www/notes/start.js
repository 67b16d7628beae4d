/**
 * Starts reading the notes that the address says, or that were open last, while the page is still being loaded: they
 * and the page take about as long.
 */
import { Device } from "./account/device.js";
import { engineAddress } from "./addresses.js";
import { readLink, readRoute } from "./route.js";

const { hash } = location;
// A link that signs in may be somebody else's.
let account = readLink(hash) ? null : new Device(localStorage).current(readRoute(hash).environment);
const worker = account && newWorker(account.environment, account.name);
// Whoever took it now would never hear of it.
worker?.addEventListener("error", () => {
    account = null;
});

/**
 * A worker of engine/worker.js, which has been told whose notes it is to open.
 * @param {string} environment
 * @param {string} name
 */
function newWorker(environment, name) {
    const made = new Worker(engineAddress(), { type: "module" });
    made.postMessage({ open: { environment, account: name } });
    return made;
}

/**
 * The worker that has been started, where it is for these notes and nobody has taken it; else a new one.
 * @param {string} environment
 * @param {string} name
 */
export function takeWorker(environment, name) {
    const isIt = account?.environment === environment && account.name === name;
    if (account && !isIt) worker?.terminate();
    account = null;
    return isIt && worker ? worker : newWorker(environment, name);
}
