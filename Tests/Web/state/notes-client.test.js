import { Engine } from "../../../Sources/Web/notes/engine/client.js";
import { ReceivedIds, SentIds } from "../../../Sources/Web/notes/engine/ids.js";
import { StorageFailure } from "../../../Sources/Web/notes/sync/store.js";
import { equal } from "./checks.js";

/** A worker that never responds by itself. */
class SilentWorker extends EventTarget {
    /** @type {any[]} */
    asked = [];
    isEnded = false;

    /** @param {any} message */
    postMessage(message) {
        this.asked.push(message);
    }

    terminate() {
        this.isEnded = true;
    }
}

function newEngine() {
    const worker = new SilentWorker();
    const engine = new Engine(/** @type {any} */ (worker));
    /** @type {string[]} */
    const failures = [];
    engine.addEventListener("failure", (event) => failures.push(/** @type {CustomEvent} */ (event).detail.kind));
    return { worker, engine, failures };
}

/**
 * Returns the kind of a call's failure, or "no answer".
 * @param {Promise<unknown>} call
 */
const failure = (call) =>
    Promise.race([
        call.then(
            () => "kept",
            (caught) => (caught instanceof StorageFailure ? caught.kind : String(caught)),
        ),
        new Promise((resolve) => setTimeout(() => resolve("no answer"), 0)),
    ]);

Deno.test("ids come as they were sent, and are not sent to whoever has them", () => {
    const [sent, received, other] = [new SentIds(), new ReceivedIds(), new ReceivedIds()];
    const lists = [["a", "b"], ["a", "b"], [], ["a", "b"], ["b", "a"], ["b"], ["b", "a"], ["b", "a"], [], []];
    const packed = lists.map((ids) => {
        const each = sent.pack([...ids], received.listNumber);
        equal(received.unpack(each), ids);
        return each.text;
    });
    equal(packed, ["a\nb", null, "", null, "b\na", "b", "b\na", null, "", ""]);
    // Requests sent before an earlier response, and requests of another receiver.
    const has = received.listNumber;
    const asked = [["c"], ["c"], ["b", "a"], ["b", "a"]].map((ids) => ({ ids, each: sent.pack(ids, has) }));
    equal(other.unpack(sent.pack(["b", "a"], other.listNumber)), ["b", "a"]);
    for (const { ids, each } of asked) equal(received.unpack(each), ids);
    equal(received.unpack(sent.pack(["b", "a"], received.listNumber)), ["b", "a"]);
});

Deno.test("a worker that could not be started, or has failed, fails every call, then and later", async () => {
    for (const event of ["error", "messageerror"]) {
        const { worker, engine, failures } = newEngine();
        const before = engine.note("n1");
        equal([await failure(engine.opened), engine.isBroken], ["no answer", false]);
        worker.dispatchEvent(new Event(event));
        equal([await failure(engine.opened), await failure(before)], ["broken", "broken"]);
        const asked = worker.asked.length;
        const later = [engine.reopen(), engine.note("n1"), engine.create({}), engine.wipe()];
        equal(await Promise.all(later.map(failure)), ["broken", "broken", "broken", "broken"]);
        equal([worker.asked.length, worker.isEnded, engine.isBroken], [asked, true, true]);
        worker.dispatchEvent(new Event(event));
        equal(failures, ["broken"]);
        await engine.close();
    }
});
