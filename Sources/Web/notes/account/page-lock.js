/**
 * The lock that the workers of this page share until they end. WebKit runs the worker of a closed page for some seconds;
 * another page waits for this lock before it stores the closed page's texts, so that no worker stores them once more.
 */
export const pageLock = `almanac-notes:page:${crypto.randomUUID()}`;

/** The longest wait for the workers of another page, in milliseconds. The page may be alive. */
const longestWait = 5_000;

/** Waits until no worker holds a lock, or for some seconds. @param {LockManager} locks @param {string} lock */
export async function workersEnded(locks, lock) {
    await locks.request(lock, { signal: AbortSignal.timeout(longestWait) }, () => {}).catch(() => {});
}
