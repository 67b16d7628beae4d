/** The looks of Markdown in the editor. */
import { Decoration, EditorView, syntaxTree, ViewPlugin } from "codemirror";
import { attachmentOf } from "../attachments/references.js";
import { targetOf } from "../markdown/inlines.js";
import { noteOf } from "../markdown/note-links.js";
import { safe } from "../markdown/render.js";
import { codeColors } from "./code-languages.js";
import { LiveMarks } from "./live-marks.js";

/** @import { EditorState, Range, SelectionRange, SyntaxNode, ViewUpdate } from "codemirror" */

/** The styles of lines by block. @type {Record<string, string>} */
const lineKinds = {
    Blockquote: "quote",
    CodeBlock: "fenced",
    FencedCode: "fenced",
    HorizontalRule: "rule",
    Table: "table",
};
/** The styles of parts of lines. @type {Record<string, string>} */
const partKinds = {
    CodeInfo: "info",
    Emphasis: "emphasis",
    HeaderMark: "sign",
    InlineCode: "code",
    ListMark: "sign",
    QuoteMark: "sign",
    Strikethrough: "strike",
    StrongEmphasis: "strong",
    TaskMarker: "task",
};
/**
 * The length of a visible range that gets decorations, in UTF-16 units. A long line is visible as a whole until it is
 * measured, and its decorations would take seconds.
 */
const maxDecorated = 1 << 16;

/** The nodes with an address. */
export const links = new Set(["Autolink", "Image", "Link"]);

/** Returns the styles of a block's lines, such as `heading heading-2`. @param {string} name */
function lineKindOf(name) {
    const level = /^ATXHeading(\d)$|^SetextHeading(1)$/.exec(name)?.slice(1).join("");
    return level ? `heading heading-${level}` : lineKinds[name];
}

/**
 * Returns the style of a part of a line.
 * @param {EditorState} state
 * @param {SyntaxNode} node
 * @returns {{ from: number, to: number, class: string, attributes?: Record<string, string> } | null}
 */
function partOf(state, { name, from, to, node }) {
    if (links.has(name) || (name === "URL" && !links.has(node.parent?.name ?? ""))) {
        const target = targetOf({ slice: (from, to) => state.sliceDoc(from, to) }, node);
        const address = noteOf(target) || attachmentOf(target) ? target : safe(target);
        return { from, to, class: "cm-md-link", attributes: address === null ? {} : { "data-address": address } };
    }
    const mark = name === "Task" ? node.firstChild : null;
    if (mark && /x/i.test(state.sliceDoc(mark.from, mark.to))) return { from: mark.to + 1, to, class: "cm-md-done" };
    return partKinds[name] ? { from, to, class: `cm-md-${partKinds[name]}` } : null;
}

/**
 * @param {Pick<EditorView, "state" | "visibleRanges">} view
 * @param {readonly SelectionRange[] | null} carets the selections that show the marks they touch; null shows all marks
 */
export function decorated({ state, visibleRanges }, carets) {
    /** @type {Range<Decoration>[]} */
    const found = [];
    const live = carets && new LiveMarks(state, carets);
    for (const { from, to } of visibleRanges) {
        const range = { from, to: Math.min(to, from + maxDecorated) };
        found.push(...codeColors(state, range));
        syntaxTree(state).iterate({
            ...range,
            enter(node) {
                const lineKind = lineKindOf(node.name);
                if (lineKind) {
                    const look = Decoration.line({ class: lineKind.replace(/\S+/g, "cm-md-$&") });
                    const end = Math.min(node.to, range.to);
                    for (let at = Math.max(node.from, range.from); at <= end; ) {
                        const line = state.doc.lineAt(at);
                        found.push(look.range(line.from));
                        at = line.to + 1;
                    }
                }
                const part = partOf(state, node);
                if (part && part.from < part.to) found.push(Decoration.mark(part).range(part.from, part.to));
                live?.add(node.node, range);
            },
        });
    }
    return Decoration.set([...found, ...(live?.end() ?? [])], true);
}

/** @param {boolean} isLive */
const looks = (isLive) =>
    ViewPlugin.fromClass(
        class {
            #isHeld = false;
            /** True if the decorations were only moved, not made anew. */
            #isMoved = false;
            #closing = new AbortController();

            /** @param {EditorView} view */
            constructor(view) {
                this.decorations = this.#of(view);
                if (!isLive) return;
                const { signal } = this.#closing;
                // Marks that appear under the pointer would move the text, and so the selection.
                const hold = () => {
                    this.#isHeld = true;
                };
                view.contentDOM.addEventListener("pointerdown", hold, { signal });
                for (const end of ["pointerup", "pointercancel", "dragend"]) {
                    addEventListener(end, () => this.#release(view), { signal, capture: true });
                }
            }

            destroy() {
                this.#closing.abort();
            }

            /** @param {EditorView} view */
            #release(view) {
                if (!this.#isHeld) return;
                this.#isHeld = false;
                // CodeMirror reads the selection after the event.
                setTimeout(() => this.#closing.signal.aborted || view.dispatch({}));
            }

            /** @param {ViewUpdate} update */
            update({ view, startState, state, changes, docChanged, viewportChanged, selectionSet, focusChanged }) {
                // An input method loses its text when the elements around it are made anew.
                if (view.composing || view.compositionStarted || this.#isHeld) {
                    this.decorations = this.decorations.map(changes);
                    this.#isMoved = true;
                    return;
                }
                const isParsed = syntaxTree(startState) !== syntaxTree(state);
                const isNear = isLive && (selectionSet || focusChanged);
                if (docChanged || viewportChanged || isParsed || isNear || this.#isMoved) {
                    this.#isMoved = false;
                    this.decorations = this.#of(view);
                }
            }

            /** @param {EditorView} view */
            #of(view) {
                const { selection, readOnly } = view.state;
                return decorated(view, isLive ? (view.hasFocus && !readOnly ? selection.ranges : []) : null);
            }
        },
        { decorations: (plugin) => plugin.decorations },
    );

const look = EditorView.theme({
    // A letter lays out the text alone, not the page around it.
    "&": { contain: "size layout style" },
    ".cm-md-heading": { fontWeight: "650", lineHeight: "1.35" },
    ".cm-md-heading-1": { fontSize: "1.45em" },
    ".cm-md-heading-2": { fontSize: "1.25em" },
    ".cm-md-heading-3": { fontSize: "1.1em" },
    ".cm-md-sign": { color: "var(--soft)", fontWeight: "400" },
    ".cm-md-strong": { fontWeight: "700" },
    ".cm-md-emphasis": { fontStyle: "italic" },
    ".cm-md-strike, .cm-md-done": { textDecoration: "line-through", color: "var(--soft)" },
    ".cm-md-code": { fontFamily: "var(--mono)", fontSize: "0.925em", backgroundColor: "var(--sunken)" },
    ".cm-line.cm-md-fenced": {
        fontFamily: "var(--mono)",
        fontSize: "0.925em",
        backgroundColor: "var(--sunken)",
        paddingInline: "0.75em",
    },
    ".cm-md-quote": { borderInlineStart: "3px solid var(--line)", paddingInlineStart: "0.75em", color: "var(--soft)" },
    ".cm-md-rule": { color: "var(--soft)" },
    // The line of a picture that the caret does not touch is only a gap above the picture.
    ".cm-md-pictured": { lineHeight: "0.5" },
    ".cm-md-drawn": {
        background: "linear-gradient(var(--line), var(--line)) no-repeat center / 100% 1px",
    },
    ".cm-md-table": { fontFamily: "var(--mono)", fontSize: "0.925em" },
    ".cm-md-info": { color: "var(--soft)" },
    ".cm-code-comment": { color: "var(--soft)" },
    ".cm-code-keyword": { color: "var(--code-keyword)" },
    ".cm-code-string": { color: "var(--code-string)" },
    ".cm-code-number": { color: "var(--code-number)" },
    ".cm-code-name": { color: "var(--code-name)" },
    // Breaks of lines stay where they are in plain text: an inline block would add some. Opacity would make each mark
    // a layer, which each letter takes time for.
    ".cm-md-hidden, .cm-md-hidden *": { fontSize: "0.01px", color: "transparent !important" },
    ".cm-md-item": { paddingInlineStart: "var(--indentation)", textIndent: "calc(-1 * var(--indentation))" },
    ".cm-md-rest": { paddingInlineStart: "var(--indentation)" },
    ".cm-md-prefix": {
        display: "inline-block",
        boxSizing: "border-box",
        minWidth: "var(--indentation)",
        textAlign: "end",
        textIndent: "0",
        whiteSpace: "pre",
    },
    ".cm-md-bullet": { position: "relative", marginInlineEnd: "0.35em", color: "transparent" },
    ".cm-md-bullet::before": {
        content: "'•'",
        position: "absolute",
        inset: "0",
        color: "var(--soft)",
        textAlign: "center",
    },
    ".cm-md-box": {
        position: "relative",
        appearance: "none",
        width: "1.05em",
        height: "1.05em",
        margin: "0",
        marginInlineEnd: "0.4em",
        borderRadius: "0.25rem",
        background: "var(--surface)",
        boxShadow: "inset 0 0 0 1px var(--edge)",
        color: "var(--on-accent)",
        font: "inherit",
        verticalAlign: "-0.15em",
        cursor: "pointer",
    },
    ".cm-md-box:checked": { background: "var(--accent)", boxShadow: "none" },
    ".cm-md-box:checked::before": {
        content: "''",
        position: "absolute",
        inset: "0.2em",
        background: "currentcolor",
        clipPath: "polygon(14% 44%, 0 60%, 40% 96%, 100% 18%, 84% 4%, 38% 65%)",
    },
    "@media (forced-colors: active)": { ".cm-md-box": { appearance: "auto" } },
    ".cm-md-link": { color: "var(--accent)", textDecoration: "underline", textUnderlineOffset: "0.15em" },
    ".cm-md-task": { fontFamily: "var(--mono)", color: "var(--accent)", cursor: "pointer", fontWeight: "700" },
});

/** @param {boolean} isLive true to hide marks that no caret touches, false to show the source */
export const marks = (isLive) => [looks(isLive), look];
