/** JSON as text, so that no number loses a digit: `9007199254740993`, `1.10` and `1e400` stay as written. */

/** A syntax error with its position in the text. */
export class JSONFailure extends Error {
    /**
     * @param {string} reason a key of the texts: `json.end`, `json.value`, …
     * @param {string} text
     * @param {number} offset the position in UTF-16 units
     */
    constructor(reason, text, offset) {
        super(reason);
        this.reason = reason;
        this.offset = offset;
        const before = text.slice(0, offset);
        this.line = before.split("\n").length;
        this.column = offset - before.lastIndexOf("\n");
    }
}

const numberForm = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them bare inside a string
const plainForm = /[^"\\\u0000-\u001f]*/y;
const escapeForm = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const spaceForm = /[ \t\r\n]*/y;
const wordForm = /true|false|null/y;
/** The server's limit on nesting. */
const maxDepth = 64;

/** @typedef {"string" | "number" | "boolean" | "array" | "object" | "null"} JSONType */

/** A parser that reads a text once, from its start. */
export class JSONReader {
    /** @param {string} text */
    constructor(text) {
        this.text = text;
        this.at = 0;
    }

    /**
     * @param {RegExp} pattern a sticky regular expression
     * @returns {string | null}
     */
    match(pattern) {
        pattern.lastIndex = this.at;
        const match = pattern.exec(this.text);
        if (!match) return null;
        this.at = pattern.lastIndex;
        return match[0];
    }

    space() {
        const code = this.text.charCodeAt(this.at);
        if (code === 32 || (code <= 13 && code >= 9)) this.match(spaceForm);
    }

    /**
     * @param {string} reason
     * @returns {never}
     */
    fail(reason) {
        throw new JSONFailure(this.at >= this.text.length ? "json.end" : reason, this.text, this.at);
    }

    /** Skips a string and returns its source, including the quotes. */
    string() {
        const start = this.at;
        if (this.text[this.at] !== '"') this.fail("json.name");
        this.at += 1;
        for (;;) {
            this.match(plainForm);
            const next = this.text[this.at];
            if (next === '"') {
                this.at += 1;
                return this.text.slice(start, this.at);
            }
            if (next === "\\") {
                if (this.match(escapeForm) === null) this.fail("json.escape");
            } else this.fail("json.control");
        }
    }

    /**
     * Walks one value and passes each token to the visitor.
     * @param {(kind: "open" | "close" | "name" | "scalar" | "comma", source: string) => void} [visitor]
     * @param {number} [depth]
     */
    value(visitor, depth = 0) {
        this.space();
        const first = this.text[this.at];
        if (first === "{" || first === "[") {
            if (depth >= maxDepth) this.fail("json.depth");
            this.inside(first, visitor, depth);
        } else if (first === '"') {
            const source = this.string();
            visitor?.("scalar", source);
        } else {
            const source = this.match(first === "-" || (first >= "0" && first <= "9") ? numberForm : wordForm);
            if (source === null) this.fail("json.value");
            visitor?.("scalar", source);
        }
    }

    /**
     * @param {string} open
     * @param {((kind: "open" | "close" | "name" | "scalar" | "comma", source: string) => void) | undefined} visitor
     * @param {number} depth
     * @param {() => unknown} [read] reads a member's value or an element
     */
    inside(open, visitor, depth, read = () => this.value(visitor, depth + 1)) {
        const close = open === "{" ? "}" : "]";
        this.at += 1;
        visitor?.("open", open);
        this.space();
        if (this.text[this.at] === close) {
            this.at += 1;
            visitor?.("close", close);
            return;
        }
        for (;;) {
            if (open === "{") {
                this.space();
                const name = this.string();
                visitor?.("name", name);
                this.space();
                if (this.text[this.at] !== ":") this.fail("json.colon");
                this.at += 1;
            }
            read();
            this.space();
            const next = this.text[this.at];
            this.at += 1;
            if (next === close) {
                visitor?.("close", close);
                return;
            }
            if (next !== ",") {
                this.at -= 1;
                this.fail(open === "{" ? "json.member" : "json.element");
            }
            visitor?.("comma", ",");
        }
    }

    /** Returns the source of the next value, unchanged. */
    source() {
        this.space();
        const start = this.at;
        this.value();
        return this.text.slice(start, this.at);
    }

    /**
     * Parses an object; its values stay JSON texts.
     * @returns {Record<string, string>}
     */
    members() {
        /** @type {[string, string][]} */
        const found = [];
        let name = "";
        this.space();
        if (this.text[this.at] !== "{") this.fail("json.value");
        // The last token before a value is its name.
        const visitor = (/** @type {string} */ _, /** @type {string} */ source) => {
            name = source;
        };
        this.inside("{", visitor, 0, () => found.push([JSON.parse(name), this.source()]));
        return Object.fromEntries(found);
    }

    end() {
        this.space();
        if (this.at < this.text.length) this.fail("json.after");
    }
}

/** The members of responses that hold a value of the config. Inside of a string, a backslash precedes each quote. */
const valueMember = /[{,\s]"(?:value|before|after|now)"\s*:/g;

/**
 * Parses a response of the API; the members `value`, `before` and `after` stay JSON texts.
 * @param {string} text
 * @returns {any}
 */
export function parseResponse(text) {
    const reader = new JSONReader(text);
    let quoted = "";
    let end = 0;
    valueMember.lastIndex = 0;
    while (valueMember.test(text)) {
        reader.at = valueMember.lastIndex;
        // JSON.parse is many times faster than a reader, so it parses all but the values.
        quoted += text.slice(end, reader.at) + JSON.stringify(reader.source());
        end = valueMember.lastIndex = reader.at;
    }
    return JSON.parse(quoted + text.slice(end));
}

/**
 * Parses an object whose members are values of the config, such as `/config.json`, into JSON texts.
 * @param {string} text
 */
export function readMembers(text) {
    const reader = new JSONReader(text);
    const members = reader.members();
    reader.end();
    return members;
}

/** Parses the entries of a response's array while the text still arrives. */
export class ElementReader {
    constructor() {
        /** The unparsed text. */
        this.unread = "";
    }

    /**
     * Returns the entries that end in this piece of the text, or some of them.
     * @param {string} piece
     * @returns {any[]}
     */
    read(piece) {
        const text = this.unread + piece;
        this.unread = text;
        const end = text.endsWith("]") ? text.length - 1 : text.lastIndexOf('},{"key":') + 1;
        try {
            // A bracket or a comma precedes the first entry. The text is an array only if its last entry is complete.
            const found = parseResponse(`[${text.slice(1, end)}]`);
            this.unread = text.slice(end);
            return found;
        } catch {
            return [];
        }
    }
}

/**
 * Walks a text that holds one JSON value, and passes each token to the visitor.
 * @param {string} text
 * @param {(kind: "open" | "close" | "name" | "scalar" | "comma", source: string) => void} [visitor]
 */
export function visit(text, visitor) {
    const reader = new JSONReader(text);
    reader.value(visitor);
    reader.end();
}

/**
 * Returns the syntax error of a text, or null if the text is one JSON value.
 * @param {string} text
 * @returns {JSONFailure | null}
 */
export function failureOf(text) {
    try {
        const reader = new JSONReader(text);
        reader.value();
        reader.end();
        return null;
    } catch (failure) {
        if (failure instanceof JSONFailure) return failure;
        throw failure;
    }
}

/**
 * @param {string} text a JSON text
 * @returns {JSONType}
 */
export function typeOf(text) {
    switch (text.trimStart()[0]) {
        case "{":
            return "object";
        case "[":
            return "array";
        case '"':
            return "string";
        case "t":
        case "f":
            return "boolean";
        case "n":
            return "null";
        default:
            return "number";
    }
}
