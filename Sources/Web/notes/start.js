/**
 * Starts reading the notes that the address says, or that were open last, while the page is still being loaded: they
 * and the page take about as long.
 */
import { DeviceAccounts } from "./account/accounts.js";
import { engineAddress } from "./addresses.js";
import { readLink, readRoute } from "./route.js";

const { hash } = location;
// A link that signs in may be somebody else's.
const account = readLink(hash) ? null : new DeviceAccounts(localStorage).current(readRoute(hash).environment);
let early = account && { ...account, worker: newWorker(account.environment, account.name) };
// Nobody else hears of it yet; the next one is listened to from the beginning.
early?.worker.addEventListener("error", () => {
    early = null;
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
    const started = early;
    early = null;
    if (started?.environment === environment && started.name === name) return started.worker;
    started?.worker.terminate();
    return newWorker(environment, name);
}
