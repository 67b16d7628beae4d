/** The part of CodeMirror 6 that the editor uses, after its reference. deploy/lib/codemirror.sh fetches the module. */

export interface Text {
    readonly length: number;
    readonly lines: number;
    lineAt(position: number): Line;
    line(number: number): Line;
    sliceString(from: number, to?: number, lineSeparator?: string): string;
    iterLines(from?: number, to?: number): Iterable<string>;
    eq(other: Text): boolean;
    toString(): string;
}
export const Text: { of(lines: readonly string[]): Text; empty: Text };

export interface Line {
    readonly from: number;
    readonly to: number;
    readonly number: number;
    readonly text: string;
    readonly length: number;
}

export interface ChangeDesc {
    readonly length: number;
    readonly newLength: number;
    readonly empty: boolean;
    mapPos(position: number, association?: number): number;
    touchesRange(from: number, to?: number): boolean | "cover";
}

type ChangeSpec = { from: number; to?: number; insert?: string | Text } | ChangeSet | readonly ChangeSpec[];

export interface ChangeSet extends ChangeDesc {
    apply(text: Text): Text;
    compose(other: ChangeSet): ChangeSet;
    map(other: ChangeDesc, before?: boolean): ChangeSet;
    invert(text: Text): ChangeSet;
    iterChanges(
        each: (fromA: number, toA: number, fromB: number, toB: number, inserted: Text) => void,
        individual?: boolean,
    ): void;
    iterChangedRanges(
        each: (fromA: number, toA: number, fromB: number, toB: number) => void,
        individual?: boolean,
    ): void;
}
export const ChangeSet: {
    of(changes: ChangeSpec, length: number, lineSeparator?: string): ChangeSet;
    empty(length: number): ChangeSet;
};

export interface SelectionRange {
    readonly from: number;
    readonly to: number;
    readonly anchor: number;
    readonly assoc: -1 | 0 | 1;
    readonly head: number;
    readonly empty: boolean;
    map(changes: ChangeDesc): SelectionRange;
}

export interface EditorSelection {
    readonly main: SelectionRange;
    readonly ranges: readonly SelectionRange[];
    eq(other: EditorSelection): boolean;
}
export const EditorSelection: {
    cursor(position: number): SelectionRange;
    range(anchor: number, head: number): SelectionRange;
};

export interface Extension {
    readonly extension?: unknown;
}
export type Extensions = Extension | readonly Extensions[];

export interface Annotation<T> {
    readonly value: T;
}
export interface AnnotationType<T> {
    of(value: T): Annotation<T>;
}
export const Annotation: { define<T>(): AnnotationType<T> };

export interface StateEffect<T> {
    readonly value: T;
    is<S>(type: StateEffectType<S>): this is StateEffect<S>;
}
export interface StateEffectType<T> {
    of(value: T): StateEffect<T>;
}
export const StateEffect: { define<T>(): StateEffectType<T> };

export interface TransactionSpec {
    changes?: ChangeSpec;
    selection?: { anchor: number; head?: number } | EditorSelection;
    annotations?: Annotation<unknown> | readonly Annotation<unknown>[];
    effects?: StateEffect<unknown> | readonly StateEffect<unknown>[];
    scrollIntoView?: boolean;
    userEvent?: string;
    sequential?: boolean;
}

export interface Transaction {
    readonly changes: ChangeSet;
    readonly docChanged: boolean;
    readonly startState: EditorState;
    readonly state: EditorState;
    readonly newDoc: Text;
    readonly newSelection: EditorSelection;
    readonly effects: readonly StateEffect<unknown>[];
    annotation<T>(type: AnnotationType<T>): T | undefined;
    isUserEvent(event: string): boolean;
}
export const Transaction: {
    addToHistory: AnnotationType<boolean>;
    remote: AnnotationType<boolean>;
    userEvent: AnnotationType<string>;
};

export interface EditorState {
    readonly doc: Text;
    readonly selection: EditorSelection;
    readonly readOnly: boolean;
    field<T>(field: StateField<T>): T;
    sliceDoc(from?: number, to?: number): string;
    changes(spec: ChangeSpec): ChangeSet;
    wordAt(position: number): SelectionRange | null;
    update(...specs: readonly TransactionSpec[]): Transaction;
    changeByRange(each: (range: SelectionRange) => { range: SelectionRange; changes?: ChangeSpec }): TransactionSpec;
    replaceSelection(text: string): TransactionSpec;
}
export const EditorState: {
    create(config: {
        doc?: string | Text;
        selection?: { anchor: number; head?: number } | EditorSelection;
        extensions?: Extensions;
    }): EditorState;
    readOnly: { of(value: boolean): Extension };
    lineSeparator: { of(value: string): Extension };
    transactionFilter: {
        of(filter: (transaction: Transaction) => TransactionSpec | readonly (TransactionSpec | Transaction)[]): Extension;
    };
    phrases: { of(value: Record<string, string>): Extension };
};

export interface StateField<T> extends Extension {
    readonly init: (create: (state: EditorState) => T) => Extension;
}
export const StateField: {
    define<T>(config: {
        create(state: EditorState): T;
        update(value: T, transaction: Transaction): T;
        provide?(field: StateField<T>): Extension;
    }): StateField<T>;
};

export interface Compartment {
    of(extension: Extensions): Extension;
    reconfigure(extension: Extensions): StateEffect<unknown>;
}
export const Compartment: { new (): Compartment };

export interface Range<T> {
    readonly from: number;
    readonly to: number;
    readonly value: T;
}
export interface RangeSet<T> {
    readonly size: number;
    map(changes: ChangeDesc): RangeSet<T>;
    between(from: number, to: number, each: (from: number, to: number, value: T) => void | false): void;
}

export class Decoration {
    static none: DecorationSet;
    static set(ranges: readonly Range<Decoration>[], sort?: boolean): DecorationSet;
    static mark(spec: { class?: string; attributes?: Record<string, string>; tagName?: string }): Decoration;
    static widget(spec: { widget: WidgetType; side?: number; block?: boolean }): Decoration;
    static line(spec: { class?: string; attributes?: Record<string, string> }): Decoration;
    readonly spec: { class?: string; attributes?: Record<string, string> };
    range(from: number, to?: number): Range<Decoration>;
}
export type DecorationSet = RangeSet<Decoration>;

export class WidgetType {
    get estimatedHeight(): number;
    eq(widget: WidgetType): boolean;
    toDOM(view: EditorView): HTMLElement;
    updateDOM(element: HTMLElement, view: EditorView): boolean;
    ignoreEvent(event: Event): boolean;
    destroy(element: HTMLElement): void;
}

export interface ViewUpdate {
    readonly view: EditorView;
    readonly state: EditorState;
    readonly startState: EditorState;
    readonly transactions: readonly Transaction[];
    readonly changes: ChangeSet;
    readonly docChanged: boolean;
    readonly viewportChanged: boolean;
    readonly selectionSet: boolean;
    readonly focusChanged: boolean;
}

export const ViewPlugin: {
    fromClass<V extends { update?(update: ViewUpdate): void }>(
        plugin: new (view: EditorView) => V,
        spec?: { decorations?: (value: V) => DecorationSet },
    ): Extension;
};

export interface KeyBinding {
    key?: string;
    mac?: string;
    run?: Command;
    shift?: Command;
    preventDefault?: boolean;
}
export type Command = (view: EditorView) => boolean;

export interface EditorView {
    readonly state: EditorState;
    readonly dom: HTMLElement;
    readonly contentDOM: HTMLElement;
    readonly scrollDOM: HTMLElement;
    readonly root: Document | ShadowRoot;
    readonly composing: boolean;
    readonly compositionStarted: boolean;
    readonly hasFocus: boolean;
    readonly viewport: { from: number; to: number };
    readonly visibleRanges: readonly { from: number; to: number }[];
    dispatch(...specs: readonly (TransactionSpec | Transaction)[]): void;
    setState(state: EditorState): void;
    focus(): void;
    destroy(): void;
    posAtCoords(coordinates: { x: number; y: number }): number | null;
    posAtDOM(node: Node, offset?: number): number;
    coordsAtPos(position: number, side?: -1 | 1): { top: number; bottom: number; left: number } | null;
    lineBlockAtHeight(height: number): { from: number; length: number; top: number; height: number };
    requestMeasure(): void;
}
export const EditorView: {
    new (config: {
        state?: EditorState;
        parent?: Element | DocumentFragment;
        root?: Document | ShadowRoot;
        dispatchTransactions?: (transactions: readonly Transaction[], view: EditorView) => void;
    }): EditorView;
    theme(spec: Record<string, Record<string, unknown>>, options?: { dark?: boolean }): Extension;
    updateListener: { of(listener: (update: ViewUpdate) => void): Extension };
    editable: { of(value: boolean): Extension };
    decorations: { from<T>(field: StateField<T>, get: (value: T) => DecorationSet): Extension };
    contentAttributes: { of(value: Record<string, string>): Extension };
    domEventHandlers(
        handlers: { [Type in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Type], view: EditorView) => unknown },
    ): Extension;
    lineWrapping: Extension;
    perLineTextDirection: { of(value: boolean): Extension };
    clipboardInputFilter: { of(filter: (text: string, state: EditorState) => string): Extension };
    scrollIntoView(position: number, options?: { y?: "nearest" | "start" | "end" | "center" }): StateEffect<unknown>;
};

export const keymap: { of(bindings: readonly KeyBinding[]): Extension };
export function runScopeHandlers(view: EditorView, event: KeyboardEvent, scope: string): boolean;
export const defaultKeymap: readonly KeyBinding[];
export const historyKeymap: readonly KeyBinding[];
export function history(config?: { newGroupDelay?: number }): Extension;
export function drawSelection(): Extension;
export function placeholder(text: string): Extension;
export function highlightSpecialChars(config: {
    specialChars: RegExp;
    render(code: number): HTMLElement;
}): Extension;
export const undo: Command;
export const redo: Command;
export const historyField: StateField<unknown>;
export const invertedEffects: { of(effects: (transaction: Transaction) => readonly StateEffect<unknown>[]): Extension };
export const isolateHistory: AnnotationType<"before" | "after" | "full">;

/** Lezer's syntax trees. */
export interface SyntaxNode {
    readonly name: string;
    readonly from: number;
    readonly to: number;
    readonly node: SyntaxNode;
    readonly parent: SyntaxNode | null;
    readonly firstChild: SyntaxNode | null;
    readonly lastChild: SyntaxNode | null;
    readonly prevSibling: SyntaxNode | null;
    readonly nextSibling: SyntaxNode | null;
    childAfter(position: number): SyntaxNode | null;
    getChild(name: string): SyntaxNode | null;
    getChildren(name: string): SyntaxNode[];
}
export interface Tree {
    resolve(position: number, side?: -1 | 0 | 1): SyntaxNode;
    readonly length: number;
    readonly topNode: SyntaxNode;
    iterate(spec: {
        from?: number;
        to?: number;
        enter(node: SyntaxNode): boolean | void;
    }): void;
}

/** Lezer's parser of Markdown, with the members of 1.4 that extensions need. */
export interface MarkdownParser {
    parse(text: string): Tree;
    parseInline(text: string, offset: number): InlineElement[];
    configure(spec: {
        remove?: readonly string[];
        parseBlock?: readonly BlockParser[];
        parseInline?: readonly InlineParser[];
        wrap?: ParseWrapper;
    }): MarkdownParser;
}
export interface InlineElement {
    readonly from: number;
    readonly to: number;
}
export interface InlineContext {
    readonly text: string;
    readonly offset: number;
    readonly end: number;
    readonly parts: (InlineElement & { type: unknown; side?: number } | null)[];
    char(position: number): number;
    addDelimiter(type: object, from: number, to: number, opens: boolean, closes: boolean): number;
    addElement(element: InlineElement): number;
    elt(name: string, from: number, to: number, children?: readonly InlineElement[]): InlineElement;
    findOpeningDelimiter(type: object): number | null;
    takeContent(index: number): InlineElement[];
}
export interface InlineParser {
    name: string;
    before?: string;
    parse(context: InlineContext, next: number, position: number): number;
}
export interface BlockContext {
    readonly parser: MarkdownParser;
    readonly depth: number;
    /** The innermost open block; the value of a list item is the width of its indentation. */
    readonly block: { value: number };
    readonly lineStart: number;
    peekLine(): string;
    nextLine(): boolean;
    addElement(element: InlineElement): void;
    elt(name: string, from: number, to: number, children?: readonly InlineElement[]): InlineElement;
}
export interface BlockParser {
    name: string;
    before?: string;
    parse?(context: BlockContext, line: { text: string; pos: number }): boolean;
    endLeaf?(
        context: BlockContext,
        line: { text: string; pos: number },
        leaf: { content: string; parsers: readonly { rows?: unknown }[] },
    ): boolean;
}
export const markdownLanguage: { parser: MarkdownParser };

export const Language: {
    new (data: unknown, parser: MarkdownParser, extensions?: readonly Extension[], name?: string): { extension: Extension };
};
export function defineLanguageFacet(): unknown;
export function syntaxTree(state: EditorState): Tree;
export function ensureSyntaxTree(state: EditorState, to: number, timeout?: number): Tree | null;

/** Parsers of code, and how their trees are colored. */
export interface CodeParser {
    parse(text: string): Tree;
}
export interface StreamParser {
    token(stream: unknown, state: unknown): string | null;
}
export type ParseWrapper = (parse: unknown, input: unknown, fragments: unknown, ranges: unknown) => unknown;
export function parseMixed(
    nest: (
        node: SyntaxNode,
        input: { read(from: number, to: number): string },
    ) => { parser: CodeParser; overlay: (node: SyntaxNode) => boolean } | null,
): ParseWrapper;
export const ParseContext: { getSkippingParser(until: Promise<unknown>): CodeParser };
export const StreamLanguage: { define(parser: StreamParser): { parser: CodeParser } };

export type Tag = object;
type TagName =
    | "atom" | "bool" | "className" | "comment" | "escape" | "keyword" | "literal" | "meta" | "modifier" | "null"
    | "propertyName" | "regexp" | "string" | "typeName" | "unit" | "variableName";
type TagModifier = "definition" | "function" | "special" | "standard";
export const tags: { [Name in TagName]: Tag } & { [Name in TagModifier]: (tag: Tag) => Tag };
export interface HighlightStyle {
    style(tags: readonly Tag[]): string | null;
}
export const HighlightStyle: { define(styles: readonly { tag: readonly Tag[]; class: string }[]): HighlightStyle };
export function highlightTree(
    tree: Tree,
    style: HighlightStyle,
    color: (from: number, to: number, style: string) => void,
    from?: number,
    to?: number,
): void;

type Lezer = () => Promise<{ parser: CodeParser }>;
export const codeModules: {
    clike: () => Promise<{ csharp: StreamParser; kotlin: StreamParser; objectiveCpp: StreamParser }>;
    css: Lezer;
    go: Lezer;
    html: Lezer;
    java: Lezer;
    json: Lezer;
    javascript: () => Promise<{
        javascript: StreamParser;
        mkJavaScript(config: { name: string; typescript?: boolean }): StreamParser;
    }>;
    python: () => Promise<{ mkPython(config: object): StreamParser }>;
    ruby: () => Promise<{ ruby: StreamParser }>;
    shell: () => Promise<{ shell: StreamParser }>;
    sql: Lezer;
    swift: () => Promise<{ swift: StreamParser }>;
    xml: Lezer;
    yaml: Lezer;
};
