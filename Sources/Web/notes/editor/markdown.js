/** Markdown in the body while it is typed: its looks, tasks that tick, links that open, lists that go on. */
import { Decoration, EditorSelection, EditorView, RangeSet, RangeValue, StateField, ViewPlugin } from "codemirror";
import { enter, tick, toggleTasks } from "./lists.js";
import { afterFence, fenceOf, kindOf, marksOf } from "./marks.js";

/** @import { ChangeSpec, Range, Text, ViewUpdate } from "codemirror" */
/** @import { Fence } from "./marks.js" */

class FenceAt extends RangeValue {
    /** @param {Fence} fence */
    constructor(fence) {
        super();
        this.fence = fence;
    }
}

/**
 * The fences in some lines.
 * @param {Text} text
 * @param {number} from
 * @param {number} to
 */
function fencesIn(text, from, to) {
    /** @type {Range<FenceAt>[]} */
    const found = [];
    let offset = text.lineAt(from).from;
    const last = text.lineAt(to).to;
    for (const line of text.sliceString(offset, last).split("\n")) {
        const fence = fenceOf(line);
        if (fence) found.push(new FenceAt(fence).range(offset));
        offset += line.length + 1;
    }
    return found;
}

/** Where fences are, so that a keystroke need not look at the lines above. */
const fences = StateField.define({
    create: (state) => RangeSet.of(fencesIn(state.doc, 0, state.doc.length)),
    update(found, transaction) {
        if (!transaction.docChanged) return found;
        const { doc } = transaction.state;
        let result = found.map(transaction.changes);
        transaction.changes.iterChangedRanges((_fromA, _toA, fromB, toB) => {
            const from = doc.lineAt(fromB).from;
            const to = doc.lineAt(toB).to;
            result = result.update({
                filterFrom: from,
                filterTo: to,
                filter: (at) => at < from || at > to,
                add: fencesIn(doc, from, to),
            });
        });
        return result;
    },
});

const inCode = Decoration.line({ class: "cm-md-fenced" });
/** @type {Map<string, Decoration>} */
const styles = new Map();

/** @param {string} kind */
function style(kind) {
    const mark = styles.get(kind) ?? Decoration.mark({ class: `cm-md-${kind}` });
    styles.set(kind, mark);
    return mark;
}

/** @param {string} kind such as `heading heading-2` */
const lineStyle = (kind) => Decoration.line({ class: kind.replace(/\S+/g, "cm-md-$&") });

/** @param {EditorView} view */
function decorated(view) {
    const { state } = view;
    /** @type {Range<Decoration>[]} */
    const found = [];
    for (const { from, to } of view.visibleRanges) {
        /** @type {Fence | null} */
        let open = null;
        /** @type {Map<number, Fence>} */
        const here = new Map();
        state.field(fences).between(0, to, (at, _to, { fence }) => {
            if (at < from) open = afterFence(open, fence);
            else here.set(at, fence);
        });
        for (let at = from; at <= to; ) {
            const line = state.doc.lineAt(at);
            const fence = here.get(line.from);
            const wasOpen = open;
            if (fence) open = afterFence(open, fence);
            if (wasOpen || open) found.push(inCode.range(line.from));
            else {
                const kind = kindOf(line.text);
                if (kind) found.push(lineStyle(kind).range(line.from));
                for (const mark of marksOf(line.text)) {
                    if (mark.from === mark.to) continue;
                    const look = mark.href
                        ? Decoration.mark({ class: "cm-md-link", attributes: { "data-address": mark.href } })
                        : style(mark.kind);
                    found.push(look.range(line.from + mark.from, line.from + mark.to));
                }
            }
            at = line.to + 1;
        }
    }
    return Decoration.set(found, true);
}

const looks = ViewPlugin.fromClass(
    class {
        /** @param {EditorView} view */
        constructor(view) {
            this.decorations = decorated(view);
        }

        /** @param {ViewUpdate} update */
        update({ view, docChanged, viewportChanged }) {
            if (docChanged || viewportChanged) this.decorations = decorated(view);
        }
    },
    { decorations: (plugin) => plugin.decorations },
);

/**
 * Changes lines of the selection.
 * @param {EditorView} view
 * @param {(lines: string[]) => ({ from: number, to: number, insert: string } | null)[]} change
 */
function changeLines(view, change) {
    const { doc, selection } = view.state;
    const first = doc.lineAt(selection.main.from);
    const last = doc.lineAt(selection.main.to);
    const lines = Array.from({ length: last.number - first.number + 1 }, (_, index) => doc.line(first.number + index));
    /** @type {{ from: number, to: number, insert: string }[]} */
    const changes = [];
    for (const [index, each] of change(lines.map(({ text }) => text)).entries()) {
        const start = lines[index].from;
        if (each) changes.push({ from: start + each.from, to: start + each.to, insert: each.insert });
    }
    const made = view.state.update({ changes }).changes;
    const { anchor, head } = selection.main;
    view.dispatch({
        changes,
        selection: { anchor: made.mapPos(anchor, 1), head: made.mapPos(head, 1) },
        scrollIntoView: true,
        userEvent: "input",
    });
}

/**
 * Makes tasks of the lines of the selection, or ticks them.
 * @param {EditorView} view
 */
export function toggleChecklist(view) {
    if (view.state.readOnly) return;
    changeLines(view, toggleTasks);
    view.focus();
}

/** @param {EditorView} view */
function goOn(view) {
    const { doc, selection, readOnly } = view.state;
    if (readOnly || !selection.main.empty || selection.ranges.length > 1) return false;
    const line = doc.lineAt(selection.main.head);
    const change = enter(line.text, selection.main.head - line.from);
    if (!change) return false;
    const from = line.from + change.from;
    view.dispatch({
        changes: { from, to: line.from + change.to, insert: change.insert },
        selection: { anchor: from + change.insert.length },
        scrollIntoView: true,
        userEvent: "input",
    });
    return true;
}

/**
 * Puts signs around the selection, or takes them away.
 * @param {string} sign
 */
const surround = (sign) => (/** @type {EditorView} */ view) => {
    if (view.state.readOnly) return true;
    const wide = sign.length;
    const spec = view.state.changeByRange(({ from, to }) => {
        const { doc } = view.state;
        const isInside = doc.sliceString(from - wide, from) === sign && doc.sliceString(to, to + wide) === sign;
        /** @type {ChangeSpec} */
        const changes = isInside
            ? [
                  { from: from - wide, to: from },
                  { from: to, to: to + wide },
              ]
            : [
                  { from, insert: sign },
                  { from: to, insert: sign },
              ];
        const moved = isInside ? -wide : wide;
        return { changes, range: EditorSelection.range(from + moved, to + moved) };
    });
    view.dispatch(view.state.update(spec, { scrollIntoView: true, userEvent: "input" }));
    return true;
};

/**
 * Ticks the task whose box is at a place of the text.
 * @param {EditorView} view
 * @param {number} position
 */
function tickAt(view, position) {
    const line = view.state.doc.lineAt(position);
    const change = tick(line.text);
    if (!change || view.state.readOnly) return false;
    const from = line.from + change.from;
    view.dispatch({ changes: { from, to: from + 1, insert: change.insert }, userEvent: "input" });
    return true;
}

const presses = EditorView.domEventHandlers({
    mousedown(event, view) {
        if (event.button !== 0 || !(event.target instanceof Element)) return false;
        const address = event.target.closest("[data-address]")?.getAttribute("data-address");
        // A finger opens it while nobody writes; else it puts the caret there.
        const isRead = !view.hasFocus && matchMedia("(pointer: coarse)").matches;
        if (address && (event.ctrlKey || event.metaKey || isRead)) {
            event.preventDefault();
            window.open(address, "_blank", "noopener,noreferrer");
            return true;
        }
        const box = event.target.closest(".cm-md-task");
        if (!box || event.shiftKey) return false;
        event.preventDefault();
        return tickAt(view, view.posAtDOM(box));
    },
});

const look = EditorView.theme({
    ".cm-md-heading": { fontWeight: "650", lineHeight: "1.35" },
    ".cm-md-heading-1": { fontSize: "1.45em" },
    ".cm-md-heading-2": { fontSize: "1.25em" },
    ".cm-md-heading-3": { fontSize: "1.1em" },
    ".cm-md-sign": { color: "var(--soft)", fontWeight: "400" },
    ".cm-md-strong": { fontWeight: "700" },
    ".cm-md-emphasis": { fontStyle: "italic" },
    ".cm-md-strike, .cm-md-done": { textDecoration: "line-through", color: "var(--soft)" },
    ".cm-md-code": { fontFamily: "var(--mono)", fontSize: "0.925em", backgroundColor: "var(--sunken)" },
    ".cm-md-fenced": { fontFamily: "var(--mono)", fontSize: "0.925em", backgroundColor: "var(--sunken)" },
    ".cm-md-quote": { borderInlineStart: "3px solid var(--line)", paddingInlineStart: "0.75em", color: "var(--soft)" },
    ".cm-md-rule": { color: "var(--soft)" },
    ".cm-md-link": { color: "var(--accent)", textDecoration: "underline", textUnderlineOffset: "0.15em" },
    ".cm-md-task": { fontFamily: "var(--mono)", color: "var(--accent)", cursor: "pointer", fontWeight: "700" },
});

export const markdown = [fences, looks, presses, look];

/** @type {readonly import("codemirror").KeyBinding[]} */
export const markdownKeys = [
    { key: "Enter", run: goOn },
    { key: "Mod-b", run: surround("**"), preventDefault: true },
    { key: "Mod-i", run: surround("*"), preventDefault: true },
];
