import { isDue } from "../../../Sources/Web/notes/engine/check.js";
import { LiveStream } from "../../../Sources/Web/notes/engine/live.js";
import { SyncSchedule } from "../../../Sources/Web/notes/engine/schedule.js";
import { outcomeOfFailure, Syncing } from "../../../Sources/Web/notes/engine/syncing.js";
import { DecisionNeeded } from "../../../Sources/Web/notes/sync/pull.js";
import { NotesServer, Refusal, SignInNeeded } from "../../../Sources/Web/notes/sync/server.js";
import { UnexpectedAnswer } from "../../../Sources/Web/notes/sync/wire.js";
import { Unreachable } from "../../../Sources/Web/shared/api.js";
import { equal } from "./checks.js";

/** A clock that only advances on request. */
class Clock {
    now = 0;
    /** @type {{ at: number, call: () => void }[]} */
    #timers = [];

    timers = {
        /** @param {() => void} call @param {number} milliseconds */
        set: (call, milliseconds) => {
            const timer = { at: this.now + milliseconds, call };
            this.#timers.push(timer);
            return timer;
        },
        /** @param {any} timer */
        clear: (timer) => {
            this.#timers = this.#timers.filter((each) => each !== timer);
        },
    };

    /** Advances to the next timer; returns the milliseconds until it. */
    async next() {
        const [first] = this.#timers.sort((one, other) => one.at - other.at);
        if (!first) return null;
        const waited = first.at - this.now;
        await this.pass(waited);
        return waited;
    }

    /** @param {number} milliseconds */
    async pass(milliseconds) {
        this.now += milliseconds;
        const due = this.#timers.filter(({ at }) => at <= this.now);
        this.#timers = this.#timers.filter(({ at }) => at > this.now);
        for (const { call } of due) call();
        await settled();
    }
}

/** Waits until all pending promises have settled. */
const settled = () => new Promise((resolve) => setTimeout(resolve));

/**
 * @param {import("../../../Sources/Web/notes/engine/schedule.js").Outcome[]} outcomes results of the syncs; the last
 * repeats
 */
function newSchedule(...outcomes) {
    const clock = new Clock();
    /** @type {number[]} */
    const syncs = [];
    /** @type {(number | null)[]} */
    const waits = [];
    const schedule = new SyncSchedule({
        now: () => clock.now,
        random: () => 0.5,
        timers: clock.timers,
        run: async () => {
            syncs.push(clock.now);
            return outcomes.length > 1 ? /** @type {any} */ (outcomes.shift()) : outcomes[0];
        },
        announce: (wait) => waits.push(wait),
    });
    return { clock, syncs, waits, schedule };
}

const done = { kind: /** @type {const} */ ("done") };
const retry = { kind: /** @type {const} */ ("retry"), wait: null };
const user = { kind: /** @type {const} */ ("user") };

Deno.test("a sync begins at the start, soon after a write, and now and then", async () => {
    const { clock, syncs, schedule } = newSchedule(done);
    schedule.start();
    await clock.pass(0);
    equal(syncs, [0]);
    schedule.requestSync("write");
    schedule.requestSync("write");
    equal(await clock.next(), 300);
    equal(await clock.next(), 22_500);
    schedule.hasEvents = true;
    schedule.requestSync("event");
    equal(await clock.next(), 300);
    await clock.pass(300);
    schedule.requestSync("event");
    equal(await clock.next(), 0);
    equal(await clock.next(), 450_000);
});

Deno.test("what happens during a sync has one more follow it", async () => {
    const { clock, syncs, schedule } = newSchedule(done);
    schedule.start();
    const running = clock.pass(0);
    schedule.requestSync("event");
    schedule.requestSync("event");
    schedule.requestSync("write");
    await running;
    equal(await clock.next(), 300);
    equal(syncs, [0, 300]);
    equal(await clock.next(), 22_500);
});

Deno.test("failures wait longer each time, half of it at random, and up to five minutes", async () => {
    const { clock, waits, schedule } = newSchedule(retry);
    schedule.start();
    await clock.pass(0);
    for (let count = 0; count < 11; count += 1) {
        // Writes and events do not shorten the backoff.
        schedule.requestSync("write");
        schedule.requestSync("event");
        await clock.next();
    }
    equal(waits.slice(0, 4), [750, 1500, 3000, 6000]);
    equal(waits.at(-1), 225_000);
});

Deno.test("a page that comes into view need not wait, but for what the server has said", async () => {
    const plain = newSchedule(retry);
    plain.schedule.start();
    await plain.clock.pass(0);
    plain.schedule.requestSync("seen");
    equal(await plain.clock.next(), 0);
    const limited = newSchedule({ kind: "retry", wait: 60 });
    limited.schedule.start();
    await limited.clock.pass(0);
    limited.schedule.requestSync("seen");
    equal(await limited.clock.next(), 60_000);
    limited.schedule.requestSync("told");
    equal(await limited.clock.next(), 0);
});

Deno.test("no server makes a device wait for more than an hour", async () => {
    const { waits, clock, schedule } = newSchedule({ kind: "retry", wait: 1e9 });
    schedule.start();
    await clock.pass(0);
    equal(waits, [3_600_000]);
});

Deno.test("while somebody has to sign in or to decide, nothing is asked", async () => {
    const { clock, syncs, schedule } = newSchedule(user, done);
    schedule.start();
    await clock.pass(0);
    schedule.requestSync("write");
    schedule.requestSync("event");
    equal(await clock.next(), null);
    schedule.requestSync("told");
    await clock.pass(0);
    equal(syncs, [0, 0]);
});

Deno.test("a schedule that has been stopped does nothing, and starts again", async () => {
    const { clock, syncs, schedule } = newSchedule(done);
    schedule.start();
    await clock.pass(0);
    schedule.stop();
    schedule.requestSync("told");
    equal(await clock.next(), null);
    schedule.start();
    await clock.pass(0);
    equal(syncs, [0, 0]);
});

/** An event stream that the test controls. */
class Source {
    CLOSED = 2;
    readyState = 1;
    /** @type {((event: { data: string }) => void) | null} */
    onmessage = null;
    /** @type {(() => void) | null} */
    onerror = null;

    close() {
        this.readyState = 2;
    }

    /** @param {unknown} event */
    send(event) {
        this.onmessage?.({ data: typeof event === "string" ? event : JSON.stringify(event) });
    }
}

function newLive() {
    const clock = new Clock();
    /** @type {Source[]} */
    const sources = [];
    /** @type {unknown[]} */
    const heard = [];
    const live = new LiveStream({
        open: () => {
            sources.push(new Source());
            return /** @type {any} */ (sources[sources.length - 1]);
        },
        random: () => 0.5,
        timers: clock.timers,
        hooks: {
            onChange: (revision) => heard.push(revision),
            onAttachments: () => heard.push("attachments"),
            onStateChange: (isLive) => heard.push(isLive),
        },
    });
    live.start();
    return { clock, sources, heard, live };
}

Deno.test("a device that writes without end does not keep another one busy", async () => {
    const { clock, syncs, schedule } = newSchedule(done);
    schedule.start();
    await clock.pass(0);
    for (let event = 0; event < 100; event += 1) {
        await clock.pass(10);
        schedule.requestSync("event");
    }
    await clock.pass(0);
    equal(syncs, [0, 300, 600, 900]);
    // The last event is not dropped; a later one starts a sync at once.
    equal(await clock.next(), 200);
    await clock.pass(1000);
    schedule.requestSync("event");
    await clock.pass(0);
    equal(syncs, [0, 300, 600, 900, 1200, 2200]);
});

Deno.test("events about notes and attachments mean that there is something to ask for", () => {
    const { sources, heard } = newLive();
    for (const type of ["hello", "noteCreated", "noteUpdated", "noteDeleted", "notesReordered"]) {
        sources[0].send({ type, revision: 7 });
    }
    for (const type of ["attachmentStored", "attachmentRemoved"]) sources[0].send({ type, revision: 8 });
    sources[0].send({ type: "resync", revision: 3 });
    for (const other of [{ type: "ping" }, { type: "refetchEvaluation" }, "{", "null", "[]"]) sources[0].send(other);
    equal(heard, [true, "attachments", 7, 7, 7, 7, 7, "attachments", "attachments", "attachments", null]);
});

Deno.test("a stream that says nothing for longer than two pings is dropped, and tried again", async () => {
    const { clock, sources, heard } = newLive();
    sources[0].send({ type: "hello", pingSeconds: 4 });
    equal(await clock.next(), 10_000);
    equal([sources[0].readyState, heard], [2, [true, "attachments", null, false]]);
    equal(await clock.next(), 1500);
    equal(sources.length, 2);
    // The second stream never sent anything.
    equal(await clock.next(), 10_000);
    equal(await clock.next(), 3000);
});

Deno.test("a server that says goodbye is asked again within the time that it names", async () => {
    const { clock, sources, heard } = newLive();
    sources[0].send({ type: "bye", spreadMs: 4000 });
    equal([sources[0].readyState, heard], [2, [true, false]]);
    equal(await clock.next(), 2000);
    equal(sources.length, 2);
});

Deno.test("a connection that breaks is the browser's to mend, unless it has given up", async () => {
    const { clock, sources } = newLive();
    sources[0].onerror?.();
    equal(sources.length, 1);
    sources[0].readyState = 2;
    sources[0].onerror?.();
    equal(await clock.next(), 1500);
    equal(sources.length, 2);
});

Deno.test("a sync that outlasts its turn opens no stream of events", async () => {
    for (const isStopped of [true, false]) {
        const clock = new Clock();
        const sources = [];
        const turn = Promise.withResolvers();
        const parts = {
            sync: { run: () => turn.promise },
            store: { read: async () => ({ cursor: null, isLeft: false, lastFullCheck: 0 }) },
            open: () => sources.push(new Source()) && {},
            now: () => clock.now,
            wallClock: () => clock.now,
            random: () => 0.5,
            timers: clock.timers,
            announce: () => {},
            compact: async () => {},
        };
        const syncing = new Syncing(/** @type {any} */ (parts));
        syncing.start();
        await clock.pass(0);
        if (isStopped) syncing.stop();
        turn.resolve(null);
        await settled();
        equal(sources.length, isStopped ? 0 : 1);
    }
});

Deno.test("a sync that goes on in a tab that was stopped says nothing of how it stands", async () => {
    for (const failure of [null, new Unreachable("away")]) {
        const clock = new Clock();
        const turn = Promise.withResolvers();
        /** @type {object[]} */
        const told = [];
        const parts = {
            sync: { run: () => turn.promise },
            store: { read: async () => ({ cursor: null, isLeft: false, lastFullCheck: 0 }) },
            open: () => ({ close: () => {} }),
            ...{ now: () => clock.now, wallClock: () => clock.now, random: () => 0.5, timers: clock.timers },
            announce: (/** @type {object} */ change) => told.push(change),
            compact: async () => {},
        };
        const syncing = new Syncing(/** @type {any} */ (parts));
        syncing.start();
        await clock.pass(0);
        equal(told, [{ phase: "syncing", retryAt: null }]);
        syncing.stop();
        if (failure) turn.reject(failure);
        else turn.resolve(null);
        await settled();
        await clock.next();
        equal(told.length, 1);
    }
});

Deno.test("what ends a sync is told to its user, and to the schedule", () => {
    const none = { decision: null, problem: null };
    equal(outcomeOfFailure(new SignInNeeded()), { state: { ...none, phase: "signInNeeded" }, outcome: user });
    equal(outcomeOfFailure(new Unreachable()), { state: { ...none, phase: "offline" }, outcome: retry });
    equal(outcomeOfFailure(new DecisionNeeded(3, 9)), {
        state: { ...none, phase: "deciding", decision: { missing: 3, total: 9 } },
        outcome: user,
    });
    equal(outcomeOfFailure(new Refusal(429, "too-many-requests", "", 7)), {
        state: { ...none, phase: "waiting", problem: "too-many-requests" },
        outcome: { kind: "retry", wait: 7 },
    });
    equal(outcomeOfFailure(new Refusal(500, "", "", null)).state, { ...none, phase: "waiting", problem: "http-500" });
    equal(outcomeOfFailure(new Refusal(403, "", "", null)).state, { ...none, phase: "failed", problem: "http-403" });
    equal(outcomeOfFailure(new UnexpectedAnswer("")).state, { ...none, phase: "failed", problem: "unexpected-answer" });
    equal(outcomeOfFailure(new Error("a trap")).state, { ...none, phase: "failed", problem: "failure" });
});

Deno.test("an answer without an end is not read to it", async () => {
    let [sent, isCancelled] = [0, false];
    const endless = new ReadableStream({
        pull: (controller) => {
            sent += 1 << 20;
            controller.enqueue(new Uint8Array(1 << 20).fill(32));
        },
        cancel: () => {
            isCancelled = true;
        },
    });
    const server = new NotesServer("/e", async () => new Response(endless));
    const failure = await server.page({}).catch((caught) => caught);
    equal([failure instanceof UnexpectedAnswer, isCancelled, sent < 40 << 20], [true, true, true]);
});

Deno.test("everything is compared once a day, whatever the clock does", () => {
    const day = 86_400_000;
    equal([isDue(null, 0), isDue(0, day - 1), isDue(0, day), isDue(day, 5)], [true, false, true, true]);
});
