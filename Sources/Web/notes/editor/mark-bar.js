/** The bar of common marks below the text; on phones it is above the keyboard. */
import { EditorView } from "codemirror";
import { fill, h } from "../../shared/dom.js";
import { iconButton } from "../icons.js";
import {
    cycleHeading,
    lineMarks,
    namesAt,
    toggleItems,
    toggleLink,
    toggleQuote,
    toggleWordMark,
    wordMarks,
} from "./mark-commands.js";
import { linkAt, move, toggleChecklist } from "./markdown.js";

/** @import { Command, EditorState } from "codemirror" */
/** @typedef {{ addressOf: (id: string) => string, openFile: (id: string) => void, addPictures: () => boolean }} Actions */
/** @import { Texts } from "../../shared/texts.js" */

/** The marks with their names in the syntax tree, in the order of the bar. */
const choices = /** @type {const} */ ([
    ["task", toggleChecklist, "Task"],
    ["bullets", toggleItems("bullets"), lineMarks.bullets.node],
    ["numbers", toggleItems("numbers"), lineMarks.numbers.node],
    ["outdent", move(true)],
    ["indent", move(false)],
    ["heading", cycleHeading, "HeaderMark"],
    ["strong", toggleWordMark("strong"), wordMarks.strong.node],
    ["emphasis", toggleWordMark("emphasis"), wordMarks.emphasis.node],
    ["strike", toggleWordMark("strike"), wordMarks.strike.node],
    ["link", toggleLink, "Link"],
    ["quote", toggleQuote, lineMarks.quote.node],
    ["code", toggleWordMark("code"), wordMarks.code.node],
]);

export class MarkBar {
    /**
     * @param {Texts} texts
     * @param {Actions} actions `addressOf` returns the address of a note
     */
    constructor(texts, actions) {
        /** @type {EditorView | null} */
        this.view = null;
        this.actions = actions;
        this.texts = texts;
        /** The id of the file that the link at the caret leads to. @type {string | null} */
        this.file = null;
        this.buttons = choices.map(([name, run]) => {
            const button = iconButton(texts, name, `editor.mark.${name}`, () => this.#run(run));
            button.tabIndex = -1;
            return button;
        });
        this.buttons[0].tabIndex = 0;
        this.buttons.push(iconButton(texts, "picture", "file.add", actions.addPictures));
        this.buttons[this.buttons.length - 1].tabIndex = -1;
        this.opener = h("a", {
            class: "mark-link",
            rel: "noopener noreferrer nofollow",
            hidden: true,
            onclick: this.#openFile,
        });
        this.element = h(
            "div",
            { class: "mark-bar", role: "toolbar", "aria-label": texts.say("editor.marks"), onkeydown: this.#walk },
            this.opener,
            this.buttons,
        );
        // A press leaves the focus in the text, so that a phone keeps its keyboard.
        this.element.addEventListener("mousedown", (event) => event.preventDefault());
    }

    /** Shows the marks at the caret. */
    get extension() {
        return EditorView.updateListener.of(({ state, docChanged, selectionSet, view }) => {
            this.view = view;
            if (docChanged || selectionSet) this.#show(state);
        });
    }

    /** @param {EditorState} state */
    #show(state) {
        const names = namesAt(state);
        for (const [index, [, , node]] of choices.entries()) {
            if (node) this.buttons[index].setAttribute("aria-pressed", String(names.has(node)));
        }
        const link = linkAt(state);
        if (this.opener.hidden !== (link === null)) this.opener.hidden = link === null;
        if (!link) return;
        const { note, address, text } = link;
        this.file = link.file;
        const isWeb = note === null && link.file === null;
        this.opener.href = note === null ? address : this.actions.addressOf(note);
        this.opener.target = isWeb ? "_blank" : "";
        const place = isWeb ? new URL(address).host || address : text;
        fill(this.opener, this.texts.say("editor.mark.open", { place }));
    }

    /** Downloads a file instead of opening its address. @param {MouseEvent} event */
    #openFile = (event) => {
        if (this.file === null) return;
        event.preventDefault();
        this.actions.openFile(this.file);
    };

    /** @param {Command} run */
    #run(run) {
        if (!this.view) return;
        run(this.view);
        this.view.focus();
    }

    /** Moves the focus within the bar, which is one stop of Tab. @param {KeyboardEvent} event */
    #walk = (event) => {
        const at = this.buttons.indexOf(/** @type {HTMLButtonElement} */ (event.target));
        const end = this.buttons.length - 1;
        const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: end }[event.key];
        if (at < 0 || next === undefined) return;
        event.preventDefault();
        this.buttons[at].tabIndex = -1;
        const button = this.buttons[Math.min(Math.max(next, 0), end)];
        button.tabIndex = 0;
        button.focus();
    };
}
