/**
 * A simulation of one user's devices with the page's own modules. Each device has a database and a faulty network to
 * the real server; devices write, move, delete, crash and sync at random, and must converge.
 */

import { byPosition, Notes, withPendingMoves } from "../../../Sources/Web/notes/sync/notes.js";
import { status } from "../../../Sources/Web/notes/sync/record.js";
import { NotesServer } from "../../../Sources/Web/notes/sync/server.js";
import { NotesStore } from "../../../Sources/Web/notes/sync/store.js";
import { Sync } from "../../../Sources/Web/notes/sync/sync.js";
import { isSame } from "../../../Sources/Web/notes/sync/text.js";
import { noteText } from "../../../Sources/Web/notes/sync/wire.js";
import { apply, load } from "../../../Sources/Web/notes/text/textmerge.js";
import { random } from "../state/checks.js";
import { decideChange } from "./user.js";
import { problem, TagLog, WordLog } from "./write-log.js";
import { anyOf } from "./writer.js";

/** @typedef {(below: number) => number} Random */
/** @typedef {{ merge: (base: string, theirs: string, mine: string) => string, diff: (from: string, to: string) => any }} Texts */

/**
 * Runs one simulation with the signed-in account.
 * @param {object} parts
 * @param {string} parts.environment
 * @param {number} parts.seed
 * @param {number} parts.lines the number of lines in a new note
 * @param {number} parts.steps
 * @param {Uint8Array<ArrayBuffer>} parts.module the TextMerge module
 * @param {boolean} [parts.hasOtherClients] true if `globalThis.otherClients` lets other programs of the user write too
 * @returns {Promise<string | null>} an error text, or null
 */
export async function runSimulation({ environment, seed, lines, steps, module, hasOtherClients = false }) {
    const { merge, diff } = await load(module);
    const texts = {
        diff,
        merge: (/** @type {string} */ base, /** @type {string} */ theirs, /** @type {string} */ mine) =>
            apply(mine, merge(base, theirs, mine).fromMine),
    };
    const otherClients = hasOtherClients ? /** @type {any} */ (globalThis).otherClients : null;
    const simulation = new Simulation(`/${environment}`, seed, lines, texts, otherClients);
    try {
        await simulation.run(steps);
        return null;
    } catch (failure) {
        return `simulation ${seed}: ${failure instanceof Error ? failure.stack : failure}`;
    } finally {
        await simulation.end();
    }
}

/**
 * A request to other programs: `words` is a command line; `ends` stops the device with the library and returns the log
 * lines of each of its lives; `lists` returns the final notes of all programs.
 * @typedef {(request: { words?: string[], ends?: true, lists?: true }) =>
 *     Promise<{ status?: number, logs?: string[][], lists?: Record<string, any[]> }>} OtherClients
 */

const plain = (/** @type {any} */ { id, title, body, tags, pinned }) => ({ id, title, body, tags, pinned });

/** A network that drops, delays, duplicates and truncates requests and responses of a real server. */
class FaultyNetwork {
    isCalm = false;
    losesPosts = false;
    #random;
    #meanwhile;
    /** @type {(() => Promise<unknown>)[]} */
    #late = [];

    /**
     * @param {Random} random
     * @param {() => Promise<void>} meanwhile called while a response is delayed
     */
    constructor(random, meanwhile) {
        this.#random = random;
        this.#meanwhile = meanwhile;
    }

    /** Sends the delayed requests, whose responses are dropped. */
    async deliverLate() {
        for (const send of this.#late.splice(0)) await send();
    }

    /** @type {typeof fetch} */
    fetch = async (input, init) => {
        const lost = new TypeError("lost");
        if (this.losesPosts && init?.method === "POST") throw lost;
        switch (this.isCalm ? 99 : this.#random(16)) {
            case 0:
                throw lost;
            case 1:
                this.#late.push(() => fetch(input, { ...init, signal: null }));
                throw lost;
            case 2:
                await fetch(input, init);
                throw lost;
            case 3: {
                const answers = await Promise.all([fetch(input, init), fetch(input, init)]);
                return answers[this.#random(2)];
            }
            case 4: {
                const response = await fetch(input, init);
                const text = await response.text();
                return new Response(text.slice(0, this.#random(text.length + 1)), { status: response.status });
            }
            case 5:
                return new Response("<html>Bad gateway</html>", { status: 502 });
            case 6: {
                // Delays a response until later requests have been answered.
                const response = await fetch(input, init);
                if (init?.method === "POST") await this.#meanwhile();
                return response;
            }
            default:
                return await fetch(input, init);
        }
    };
}

class Device {
    #store;
    #parts;
    /** The number of crashes. After a crash, the old objects find no database. */
    #life = 0;
    /** All pending writes. @type {Promise<unknown>} */
    writing = Promise.resolve();

    /**
     * @param {string} name
     * @param {string} environment
     * @param {FaultyNetwork} network
     * @param {Texts} texts
     */
    constructor(name, environment, network, texts) {
        this.name = name;
        this.network = network;
        this.#parts = { environment, texts };
        this.#store = new NotesStore(name, indexedDB);
        const parts = this.#opened();
        this.notes = new Notes(parts);
        this.sync = new Sync(parts);
    }

    /** Creates the parts that a page starts with. */
    #opened() {
        const { environment, texts } = this.#parts;
        const beginning = `${this.name}-${this.#life}`;
        let count = 0;
        return {
            store: this.#store,
            server: new NotesServer(environment, this.network.fetch),
            text: texts,
            merge: texts.merge,
            now: () => Date.now(),
            identifier: () => {
                count += 1;
                return `${beginning}-${count}`;
            },
            announce: () => {},
        };
    }

    /** Closes the page in the middle of its work, and opens it again. */
    crash() {
        const before = this.#store;
        this.#life += 1;
        this.#store = new NotesStore(this.name, indexedDB);
        const parts = this.#opened();
        this.notes = new Notes(parts);
        this.sync = new Sync(parts);
        before.abandon();
    }

    async end() {
        await this.#store.close();
        await new Promise((resolve) => {
            const request = indexedDB.deleteDatabase(this.name);
            request.onsuccess = request.onerror = request.onblocked = resolve;
        });
    }
}

class Simulation {
    #random;
    #log = new WordLog();
    #tags = new TagLog();
    #user;
    #environment;
    #otherClients;
    /** @type {Device[]} */
    #devices;
    /** @type {Promise<unknown>[]} */
    #syncs = [];

    /**
     * @param {string} environment
     * @param {number} seed
     * @param {number} lines
     * @param {Texts} texts
     * @param {OtherClients | null} otherClients
     */
    constructor(environment, seed, lines, texts, otherClients) {
        this.#otherClients = otherClients;
        this.#random = random(seed);
        this.#user = { log: this.#log, tags: this.#tags, random: this.#random, lines };
        this.#environment = environment;
        this.#devices = Array.from({ length: 3 }, (_, index) => {
            const network = new FaultyNetwork(random(seed * 31 + index), () => this.#overtake(device));
            /** @type {Device} */
            const device = new Device(`simulation${seed}-d${index}`, environment, network, texts);
            return device;
        });
    }

    /** @param {number} steps */
    async run(steps) {
        for (let step = 0; step < steps; step += 1) {
            const device = anyOf(this.#devices, this.#random);
            await this.#change(device);
            const what = this.#random(12);
            if (what < 4) await this.#writeWhileSyncing(device);
            else if (what < 6) await device.sync.run().catch(() => {});
            else if (what === 6) await device.network.deliverLate();
            else if (what === 7) await this.#crash(device);
            else if (what === 8 && this.#otherClients) this.#syncs.push(this.#command(device, this.#otherClients));
        }
        await Promise.all(this.#syncs);
        await Promise.all(this.#devices.map(({ writing }) => writing));
        for (const device of this.#devices) {
            await device.network.deliverLate();
            device.network.isCalm = true;
        }
        // A device may have to fetch, merge and send again after another device's sync.
        for (let round = 0; round < 3; round += 1) {
            for (const device of this.#devices) await this.#converge(device);
            if (this.#otherClients && round === 0) await this.#replayOtherClients(this.#otherClients);
        }
        await this.#check();
    }

    async end() {
        for (const device of this.#devices) await device.end();
    }

    /**
     * Continues to write while syncs of several tabs send the same actions.
     * @param {Device} device
     */
    async #writeWhileSyncing(device) {
        this.#startSync(device);
        for (let more = this.#random(4); more > 0; more -= 1) {
            await this.#change(device);
            this.#startSync(device);
        }
    }

    /** @param {Device} device */
    #startSync(device) {
        this.#syncs.push(device.sync.run().catch(() => {}));
    }

    /**
     * Makes another tab send the same actions, and then send new ones that are lost.
     * @param {Device} device
     */
    async #overtake(device) {
        await device.sync.run().catch(() => {});
        for (let count = 1 + this.#random(3); count > 0; count -= 1) await this.#change(device);
        device.network.losesPosts = true;
        await device.sync.run().catch(() => {});
        device.network.losesPosts = false;
    }

    /** @param {Device} device */
    async #converge(device) {
        for (let attempt = 0; ; attempt += 1) {
            try {
                await device.sync.run();
                return;
            } catch (failure) {
                if (failure instanceof Error && "missing" in failure) await device.sync.decide("keep");
                else if (attempt === 5) throw failure;
            }
        }
    }

    /**
     * Performs a random change. The change must succeed, because the write log already contains its words.
     * @param {Device} device
     */
    async #change(device) {
        const done = decideChange(device.notes, this.#user).then((run) => run());
        device.writing = Promise.all([device.writing, done]);
        await done;
    }

    /**
     * Crashes a device while it has no pending write.
     * @param {Device} device
     */
    async #crash(device) {
        for (let writing = null; writing !== device.writing; ) {
            writing = device.writing;
            await writing;
        }
        device.crash();
    }

    /**
     * Writes with the command line, which may not know the note yet.
     * @param {Device} device
     * @param {OtherClients} otherClients
     */
    async #command({ notes }, otherClients) {
        const known = (await notes.all()).filter(({ place, shadow }) => place === "list" && shadow);
        const next = this.#random;
        const [what, word] = [next(6), this.#log.newWord()];
        if (what === 0 || known.length === 0) {
            await otherClients({ words: ["note", "create", "command", word] });
            return;
        }
        const { id } = anyOf(known, next);
        const { status } = await otherClients({ words: ["note", "edit", id, "--append", ` ${word}`] });
        if (status !== 0) {
            this.#log.unwrite(word);
            return;
        }
        if (what > 2) return;
        const tag = this.#tags.newTag(id);
        await otherClients({ words: ["note", "tag", id, "--add", tag] });
        if (what > 1) return;
        this.#tags.remove(tag, id);
        await otherClients({ words: ["note", "tag", id, "--remove", tag] });
    }

    /**
     * Stops the other programs, and replays their log lines.
     * @param {OtherClients} otherClients
     */
    async #replayOtherClients(otherClients) {
        const { logs = [] } = await otherClients({ ends: true });
        for (const lines of logs) {
            this.#log.replay(lines);
            this.#tags.replay(lines);
        }
    }

    /** Compares every device's notes with the server's, and every word with the write log. */
    async #check() {
        const answer = await this.#read("notes?limit=1000");
        /** @type {string[]} */
        const order = answer.order;
        const listed = order.map((id) => ({ id, ...noteText(answer.details[id]) }));
        for (const { name, notes } of this.#devices) {
            const unsorted = (await notes.all()).filter(({ place }) => place === "list");
            const list = withPendingMoves(unsorted.sort(byPosition));
            const [mine, theirs] = [list.map((note) => note.id).join(), order.join()];
            if (mine !== theirs) throw new Error(`${name} lists ${mine}, but the server lists ${theirs}`);
            for (const [index, note] of list.entries()) {
                if (!isSame(note.text, listed[index]))
                    throw new Error(`${name} has a different text of ${note.id} than the server`);
                if (status(note) !== "onServer")
                    throw new Error(`${name} reports ${note.id} as ${status(note)} instead of onServer`);
            }
        }
        const { lists = {} } = (await this.#otherClients?.({ lists: true })) ?? {};
        const shown = [...listed.filter(({ pinned }) => pinned), ...listed.filter(({ pinned }) => !pinned)];
        for (const [name, notes] of Object.entries(lists)) {
            const [mine, theirs] = [notes, shown].map((list) => JSON.stringify(list.map(plain)));
            if (mine !== theirs) throw new Error(`${name} has ${mine}, but the server has ${theirs}`);
        }
        const trashed = [];
        const gone = answer.revision > 0 ? (await this.#read("notes?since=0&limit=1000")).deleted : [];
        for (const id of gone) {
            trashed.push({ id, ...noteText(await this.#read(`notes/${id}?revision=${answer.revision}`)) });
        }
        const wrong = problem(this.#log, this.#tags, listed, trashed);
        if (wrong) throw new Error(wrong);
    }

    /** @param {string} path */
    async #read(path) {
        const response = await fetch(`${this.#environment}/${path}`);
        if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
        return await response.json();
    }
}
