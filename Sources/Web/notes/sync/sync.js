/**
 * Sends local changes and fetches the server's until both sides are equal, like AlmanacNotes. The engine's tabs.js
 * allows one sync at a time on a device.
 */

import { Pull } from "./pull.js";
import { Push } from "./push.js";
import { Trash } from "./trash.js";

/** @import { NotesServer } from "./server.js" */
/** @import { NotesStore } from "./store.js" */
/** @import { Merge } from "./text.js" */
/** @import { Diff } from "./wire.js" */

/** The number of rounds that end a sync while the user still types. */
const maxRounds = 20;

export class Sync {
    #pull;
    #push;
    #trash;
    #pause;

    /**
     * @param {object} parts
     * @param {NotesStore} parts.store
     * @param {NotesServer} parts.server
     * @param {{ merge: Merge, diff: Diff }} parts.text
     * @param {() => string} parts.identifier makes the ids of actions
     * @param {(ids: Set<string>) => void} parts.announce receives the ids of the changed notes
     * @param {() => Promise<void>} [parts.pause] runs between two rounds
     */
    constructor({ store, server, text, identifier, announce, pause = async () => {} }) {
        this.#pull = new Pull({ store, server, merge: text.merge, announce });
        this.#push = new Push({ store, server, text, identifier, announce });
        this.#trash = new Trash({ store, server, announce });
        this.#pause = pause;
    }

    /** Runs a sync. Throws the reason if the two sides are not equal; the next sync resumes there. */
    async run() {
        await this.#pull.run();
        // Each note sends one action per round, so an edit of a new note takes two rounds.
        for (let round = 0; round < maxRounds && (await this.#push.hasMore()); round += 1) {
            if (round > 0) await this.#pause();
            if (!(await this.#push.run())) break;
            await this.#pull.run();
        }
        await this.#trash.run();
    }

    /**
     * Answers `DecisionNeeded`: moves notes that the server lost to the trash, or sends them again. The next sync
     * continues from there.
     * @param {"moveToTrash" | "keep"} decision
     */
    decide(decision) {
        return this.#pull.decide(decision);
    }
}
