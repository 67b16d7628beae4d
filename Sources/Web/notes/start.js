/**
 * Starts the worker with the notes of the address or the latest account while the page still loads, because both take
 * about as long.
 */
import { DeviceAccounts } from "./account/accounts.js";
import { pageLock } from "./account/page-lock.js";
import { engineAddress } from "./addresses.js";
import { readLink, readRoute } from "./route.js";

const { hash } = location;
// A sign-in link may belong to another user.
const account = readLink(hash) ? null : new DeviceAccounts(localStorage).current(readRoute(hash).environment);
let early = account && { ...account, worker: newWorker(account.environment, account.name) };
// No engine listens yet, so drop a failed worker; the engine then starts another.
early?.worker.addEventListener("error", () => {
    early = null;
});

/** Starts a worker of engine/worker.js with the account to open. @param {string} environment @param {string} name */
function newWorker(environment, name) {
    const made = new Worker(engineAddress(), { type: "module" });
    made.postMessage({ open: { environment, account: name }, lock: pageLock });
    return made;
}

/**
 * Returns the started worker if it belongs to this account and is unused; otherwise starts another.
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
