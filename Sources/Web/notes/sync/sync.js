/**
 * Sends what is only here and fetches what is new, until both sides are up to date; as AlmanacNotes does. One runs at a
 * time on a device: the engine's tabs.js sees to that.
 */

import { Pull } from "./pull.js";
import { Push } from "./push.js";
import { Trash } from "./trash.js";

/** @import { NotesServer } from "./server.js" */
/** @import { NotesStore } from "./store.js" */
/** @import { Merge } from "./text.js" */
/** @import { Diff } from "./wire.js" */

/** So many rounds end a sync even while its user goes on typing. */
const mostRounds = 20;

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
     * @param {(ids: Set<string>) => void} parts.announce is told which notes have changed
     * @param {() => Promise<void>} [parts.pause] between two rounds, while its user goes on typing
     */
    constructor({ store, server, text, identifier, announce, pause = async () => {} }) {
        this.#pull = new Pull({ store, server, merge: text.merge, announce });
        this.#push = new Push({ store, server, text, identifier, announce });
        this.#trash = new Trash({ store, server, announce });
        this.#pause = pause;
    }

    /** Throws why the two sides are not up to date; the next one begins where this one ended. */
    async run() {
        await this.#pull.run();
        // One action a note at a time: an edit of a new note takes two rounds.
        for (let round = 0; round < mostRounds && (await this.#push.hasMore()); round += 1) {
            if (round > 0) await this.#pause();
            if (!(await this.#push.run())) break;
            await this.#pull.run();
        }
        await this.#trash.run();
    }

    /**
     * Answers `DecisionNeeded`: notes that the server does not have any more go to the trash here too, or are sent again.
     * The next sync goes on with it.
     * @param {"moveToTrash" | "keep"} decision
     */
    decide(decision) {
        return this.#pull.decide(decision);
    }
}
