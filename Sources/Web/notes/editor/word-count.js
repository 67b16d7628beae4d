/** Counts the words of a note while it is written. */
import { EditorView } from "codemirror";
import { fill, h, whenIdle } from "../../shared/dom.js";
import { segments } from "./note-facts.js";

/** @import { Texts } from "../../shared/texts.js" */

/** The words that a person reads in a minute. */
const wordsPerMinute = 220;
/** The pause in typing before the words are counted, in milliseconds. */
const typingPause = 300;
/** The words that are counted before the page can handle other events. */
const wordsPerTurn = 2000;

/** Shows the number of words, and the time to read them from one minute on. */
export class WordCount {
    #texts;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;
    /** The number of the latest count, which ends earlier ones. */
    #latest = 0;

    /** @param {Texts} texts */
    constructor(texts) {
        this.#texts = texts;
        this.element = h("p", { class: "note-count" });
    }

    /** The extension of the field whose words are counted. */
    get extension() {
        return EditorView.updateListener.of(({ docChanged, view }) => {
            if (docChanged) this.countSoon(view, typingPause);
        });
    }

    /**
     * @param {EditorView} view
     * @param {number} [pause] the time before the count, in milliseconds
     */
    countSoon(view, pause = 0) {
        this.close();
        this.#timer = setTimeout(() => this.#count(view.state.doc.toString()), pause);
    }

    close() {
        clearTimeout(this.#timer);
        this.#latest += 1;
    }

    /** @param {string} text */
    async #count(text) {
        const mine = this.#latest;
        let [words, looked] = [0, 0];
        for (const { isWordLike } of segments.words.segment(text)) {
            if (isWordLike) words += 1;
            looked += 1;
            if (looked % wordsPerTurn > 0) continue;
            await new Promise((resolve) => whenIdle(() => resolve(null)));
            if (mine !== this.#latest) return;
        }
        const n = Math.round(words / wordsPerMinute);
        fill(this.element, [
            words > 0 && this.#texts.say("editor.count", { n: words }),
            n > 0 && ` · ${this.#texts.say("editor.count.minutes", { n })}`,
        ]);
    }
}
