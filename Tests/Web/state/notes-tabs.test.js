import { Tabs } from "../../../Sources/Web/notes/engine/tabs.js";
import { equal } from "./checks.js";

/** Waits until all pending promises have settled. */
const settled = () => new Promise((resolve) => setTimeout(resolve));

/**
 * Creates a tab with a fake lock manager.
 * @param {(lead: () => unknown) => Promise<unknown>} request
 */
function joined(request) {
    /** @type {number[]} */
    const pauses = [];
    /** @type {(() => void)[]} */
    const resume = [];
    const channel = { postMessage: () => {}, close: () => {}, onmessage: null };
    const counts = { requests: 0, led: 0, followed: 0 };
    const locks = {
        request: (/** @type {string} */ _name, /** @type {object} */ _options, /** @type {() => unknown} */ lead) => {
            counts.requests += 1;
            // Stop a tab that requests the lock without a pause; otherwise the test would never end.
            if (counts.requests > 100) return new Promise(() => {});
            return request(lead);
        },
    };
    const pause = (/** @type {number} */ milliseconds) => {
        pauses.push(milliseconds);
        return /** @type {Promise<void>} */ (new Promise((resolve) => resume.push(() => resolve())));
    };
    const tabs = new Tabs("notes", /** @type {any} */ (locks), /** @type {any} */ (channel), pause, {
        lead: () => {
            counts.led += 1;
        },
        follow: () => {
            counts.followed += 1;
        },
        onMessage: () => {},
    });
    return { tabs, pauses, counts, resume, ended: tabs.join() };
}

Deno.test("a browser that has no lock to give is asked again later, and later each time", async () => {
    const refusal = new DOMException("The document is not active.", "InvalidStateError");
    const { tabs, pauses, counts, resume, ended } = joined(() => Promise.reject(refusal));
    for (let count = 0; count < 9; count += 1) {
        await settled();
        equal(counts.requests, count + 1);
        resume[count]();
    }
    await settled();
    equal(pauses, [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000, 60_000]);
    tabs.close();
    resume[9]();
    await ended;
    equal(counts.requests, 10);
});

Deno.test("a tab whose lead was taken waits for its next turn at once", async () => {
    /** @type {((failure: unknown) => void)[]} */
    const take = [];
    const stolen = new DOMException("The lock was stolen.", "AbortError");
    const { tabs, pauses, counts } = joined((lead) => {
        lead();
        return new Promise((_, reject) => take.push(reject));
    });
    equal([tabs.isLeader, counts.led], [true, 1]);
    take[0](stolen);
    await settled();
    equal([tabs.isLeader, counts.led, counts.followed, pauses], [true, 2, 1, []]);
    tabs.close();
    take[1](stolen);
});

Deno.test("a tab that fails while it begins to lead does not go on as if it led", async () => {
    const { tabs, pauses, counts } = joined(async (lead) => {
        lead();
        throw new Error("the lead was lost");
    });
    await settled();
    equal([tabs.isLeader, counts.followed, pauses], [false, 1, [1_000]]);
    tabs.close();
});
