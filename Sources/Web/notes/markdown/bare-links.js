/**
 * Finds addresses in a text that are links without brackets, by the rules of GitHub's extended autolinks (GFM 0.29
 * §6.9).
 *
 * Some rules go further, for addresses that people paste. A host may be in any script, may follow a user name, and may
 * be an IPv6 address. Brackets are balanced. No space follows an address in Chinese or Japanese, so its punctuation and
 * typographic quotes end the address. CodeMirror's own extension accepts neither such hosts nor ports, `localhost`,
 * upper-case schemes or a query right after the host.
 */

const label = String.raw`[\p{L}\p{N}_][\p{L}\p{M}\p{N}_-]*`;
/** A label without underscores, which the last two labels of a host must not contain. */
const name = String.raw`[\p{L}\p{N}][\p{L}\p{M}\p{N}-]*`;
const latinLabel = "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?![a-z0-9]|[_-]+[a-z0-9])";
/** The last label. An ASCII label ends before a letter of another script, which begins the next word. */
const lastLabel = String.raw`(?:${latinLabel}|(?![a-z0-9])${name})(?!\.[\p{L}\p{N}_])`;
const dotted = String.raw`(?:${label}\.)*${name}\.${lastLabel}`;
const port = String.raw`(?::\d{1,5})?`;
const user = String.raw`(?:[\w.~%!$&'()*+,;=:-]{1,100}@)?`;
const mailbox = String.raw`[\p{sc=Latin}\d][\p{sc=Latin}\d._+-]{0,63}@${dotted}(?![-_@]|:[\w/~])`;
const start = new RegExp(
    [
        String.raw`(?<![a-z0-9])https?:\/\/${user}(?:${dotted}|${lastLabel}|\[[\da-f:.]+\])${port}`,
        String.raw`(?<![\p{sc=Latin}\d.@/-])www\.${dotted}${port}`,
        String.raw`(?<![\p{sc=Latin}\d.+@/-]|xmpp:)(?<mail>(?:mailto:)?${mailbox})`,
    ].join("|"),
    "giu",
);

const invisible = String.raw`\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069`;
/** The next bracket, or the next characters that end an address wherever they stand. */
const stop = new RegExp(
    String.raw`[()[\]]|[\s\p{Cc}<>"\x60${invisible}…“”„«»‹›、。〃〈-】〔-〟！＂（），：；？［］｛｝｟-､]|\*\*|~~`,
    "gu",
);
/** A character that is not the last one of an address. */
const trailing = /[?!.,:;*_~'|\\\u200c\u200d]|(?![\0-\x7f])\p{P}/u;
const entity = /&(?:#\d{1,7}|#x[a-f\d]{1,6}|\w{1,31});$/i;
/** Unmatched brackets and punctuation. */
const unmatched = /[)?!.,:;*_~'|\\]*/y;

/** Returns the ranges of the addresses in a text, in their order. @param {string} text */
export function bareLinks(text) {
    const found = [];
    if (!/:\/\/|www\.|@/i.test(text)) return [];
    start.lastIndex = 0;
    for (let match = start.exec(text); match; match = start.exec(text)) {
        const next = text[start.lastIndex];
        const isMail = match.groups?.mail !== undefined;
        const hasMore = isMail ? next === "?" && /^mailto:/i.test(match[0]) : /[/?#]/.test(next ?? "");
        if (hasMore) start.lastIndex = endOf(text, start.lastIndex);
        found.push({ from: match.index, to: start.lastIndex });
    }
    return found;
}

/** Returns true if a text is an address, and nothing else. @param {string} text */
export function isBareLink(text) {
    const [link] = bareLinks(text);
    return link?.from === 0 && link.to === text.length;
}

/** Returns the end of an address. @param {string} text @param {number} from the end of the host */
function endOf(text, from) {
    const open = { ")": 0, "]": 0 };
    let to = text.length;
    stop.lastIndex = from;
    for (let match = stop.exec(text); match; match = stop.exec(text)) {
        const sign = match[0];
        if (sign === "(") open[")"] += 1;
        else if (sign === "[") open["]"] += 1;
        else if ((sign === ")" || sign === "]") && open[sign] > 0) open[sign] -= 1;
        else {
            unmatched.lastIndex = match.index;
            unmatched.exec(text);
            // GitHub goes on after an unmatched parenthesis that more of an address follows.
            const isInside = sign === ")" && /[!#-;=?-Z\\^-z|~]/.test(text[unmatched.lastIndex] ?? "");
            if (!isInside) {
                to = match.index;
                break;
            }
            stop.lastIndex = unmatched.lastIndex;
        }
    }
    while (to > from && trailing.test(text[to - 1])) {
        to -= entity.exec(text.slice(Math.max(from, to - 40), to))?.[0].length ?? 1;
    }
    return to;
}

/**
 * Returns the target of an address in a text or in angle brackets.
 * @param {string} address
 */
export function addressTarget(address) {
    if (/^www\./i.test(address)) return `http://${address}`;
    return /^[a-z][a-z0-9+.-]*:/i.test(address) ? address : `mailto:${address}`;
}
