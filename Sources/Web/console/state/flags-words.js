/** Sentences about flags: conditions, outcomes, and the differences of two definitions. */
import { same } from "../../shared/json-forms.js";
import { editableDefinition, isArchived, isPublic, metadataOf, stateWord } from "./flags.js";
import { audiencesOf } from "./flags-references.js";
import { groups, readCondition, readOutcome, readTargeting, subjectText, unitText, valueText } from "./flags-rules.js";
import { schemeName } from "./flags-schemes.js";
import { sampleShares, sharesOf, sharesOfOutcome } from "./flags-shares.js";
import { instantOf } from "./flags-times.js";
import { formatValue, readTree, writeTree } from "./flags-tree.js";

/** @typedef {import("./flags-tree.js").Tree} Tree */
/** @typedef {import("./flags-tree.js").Members} Members */
/** @typedef {import("./draft.js").Content} Content */
/** @typedef {import("../../shared/texts.js").Texts} Texts */
/**
 * @typedef {object} Said a sentence about a change
 * @property {string} text
 * @property {Tree} [when] the condition of the rule
 * @property {(Tree | undefined)[]} [gives] the rule's outcomes before and after; undefined if there is no such rule
 */

/** The limit on the length of a value in a sentence, in UTF-16 units. */
const maxLength = 120;

/** @param {string} text */
export const short = (text) => (text.length > maxLength ? `${text.slice(0, maxLength)}…` : text);

/** The formatters of percentages by language, because creating one for each row makes typing slow. */
const percents = /** @type {Record<string, Intl.NumberFormat>} */ ({});

/**
 * @param {Texts} texts
 * @param {number} share a fraction of 1
 */
export function percent({ language }, share) {
    percents[language] ??= new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 3 });
    return percents[language].format(share);
}

/**
 * @param {Texts} texts
 * @param {import("./flags-shares.js").Share[]} shares
 * @param {(variant: string | null) => string} [name]
 */
export const sharesText = (texts, shares, name = (variant) => variant ?? texts.say("flag.then.default")) =>
    shares.map(({ variant, share }) => `${name(variant)} ${percent(texts, share)}`).join(", ");

/**
 * @param {Texts} texts
 * @param {string} operator after `lower` and a space if it compares in lower case
 * @returns {string}
 */
export function operatorText(texts, operator) {
    if (/^lower /.test(operator)) return texts.say("flag.lower", { operator: operatorText(texts, operator.slice(6)) });
    const [base, ...relation] = operator.split(" ");
    const words = [texts.has(`flag.is.${base}`) ? texts.say(`flag.is.${base}`) : base, ...relation].join(" ");
    return words.replace("!=", "≠").replace("<=", "≤").replace(">=", "≥");
}

/**
 * Formats a rule's time for the user's zone, without seconds if they are 0; another text is returned unchanged.
 * @param {Texts} texts
 * @param {string} text
 */
export function formatTime(texts, text) {
    const instant = instantOf(text);
    if (Number.isNaN(instant)) return text;
    const timeStyle = instant % 60_000 ? "medium" : "short";
    return new Intl.DateTimeFormat(texts.locale, { dateStyle: "medium", timeStyle }).format(instant);
}

/** Returns true for comparisons of times. @param {string} operator */
export const comparesTimes = (operator) => operator.startsWith("almanac.date");

/**
 * Returns the text of a value that an operator compares.
 * @param {Texts} texts
 * @param {string} operator
 * @param {Tree} value
 */
export const comparedText = (texts, operator, value) =>
    short(comparesTimes(operator) ? formatTime(texts, valueText(operator, value)) : valueText(operator, value));

/**
 * Returns the words for a time and its relation, such as "from Dec 1, 2026, 9:00 AM".
 * @param {Texts} texts
 * @param {string} operator
 * @param {string} time
 */
export const timeWords = (texts, operator, time) => texts.say(`flag.time.${operator.split(" ")[1]}`, { time });

/**
 * Returns true for the time of the evaluation in a comparison of times.
 * @param {string} operator
 * @param {Tree} subject
 */
export const isClock = (operator, subject) => comparesTimes(operator) && subjectText(subject) === "$flagd.timestamp";

/**
 * Returns the words for an operator and the hidden values that it compares by their hashes.
 * @param {Texts} texts
 * @param {import("./flags-rules.js").Condition} condition a condition with hashed values
 */
export function hiddenWords(texts, { operator, parts, hashed = [] }) {
    const n = Array.isArray(parts[1]) ? parts[1].length : 1;
    const bytes = writeTree(hashed[1] ?? null);
    const plain = operator === "in" && n === 1 ? "==" : operator;
    const part = /^-/.test(bytes) ? "ends_with" : "starts_with";
    const shown = bytes === "null" || /^!/.test(operator) ? plain.slice(0, 2) : part;
    return `${operatorText(texts, shown)} ${texts.say("flag.hidden", { n })}`;
}

/**
 * @param {Texts} texts
 * @param {Tree} tree
 * @returns {string}
 */
export function conditionText(texts, tree) {
    const condition = readCondition(tree);
    const { operator, parts, lower, hashed } = condition;
    const [first, value] = parts;
    if (!operator) return short(writeTree(tree));
    if (hashed) return `${subjectText(first)} ${hiddenWords(texts, condition)}`;
    const word = operatorText(texts, lower ? `lower ${operator}` : operator);
    if (groups.includes(operator)) {
        const inner = parts.map((part) => {
            const isGroup = groups.includes(readCondition(part).operator) && parts.length > 1;
            return isGroup ? `(${conditionText(texts, part)})` : conditionText(texts, part);
        });
        if (operator === "!") return `${word} (${inner[0]})`;
        const type = operator === "and" ? "conjunction" : "disjunction";
        return new Intl.ListFormat(texts.language, { type }).format(inner);
    }
    if (first === undefined) return word;
    const compared = value !== undefined && comparedText(texts, operator, value);
    return [
        !isClock(operator, first) && subjectText(first),
        ...(comparesTimes(operator) ? [timeWords(texts, operator, `${compared}`)] : [word, compared]),
    ]
        .filter(Boolean)
        .join(" ");
}

/**
 * @param {Texts} texts
 * @param {Tree} tree
 * @returns {string}
 */
export function outcomeText(texts, tree) {
    const outcome = readOutcome(tree);
    const { kind } = outcome;
    const named = (/** @type {string | null} */ variant) => variant ?? texts.say("flag.then.default");
    if (kind === "variant") return outcome.name;
    if (kind === "ref") return `${texts.say("screen.audiences")}: ${outcome.name}`;
    if (kind === "default") return named(null);
    if (kind === "split") {
        const by = outcome.by === undefined ? [] : [texts.say("flag.by"), subjectText(outcome.by)];
        return [sharesText(texts, sharesOf(outcome.buckets)), ...by].join(" ");
    }
    if (kind === "scheme") {
        const shares = sharesText(texts, sharesOfOutcome(tree, 0) ?? []);
        return `${shares} ${texts.say("flag.by")} ${unitText(outcome.by)} (${schemeName(outcome.scheme)})`;
    }
    if (kind === "ramp") {
        const steps = outcome.points.map(
            ([time, { text }]) => `${percent(texts, Number(text) / 100)} (${formatTime(texts, time)})`,
        );
        return `${named(outcome.rest[0])} ${steps.join(" – ")}${outcome.scheme ? ` (${schemeName(outcome.scheme)})` : ""}`;
    }
    // Nested rules are too long for a sentence.
    return short(writeTree(tree));
}

/**
 * @param {Texts} texts
 * @param {string} kind
 */
export const kindText = (texts, kind) => (texts.has(`flag.kind.${kind}`) ? texts.say(`flag.kind.${kind}`) : kind);

/** @param {string} name @param {Members} before @param {Members} after */
const isChanged = (name, before, after) =>
    !same(writeTree(before.get(name) ?? null), writeTree(after.get(name) ?? null));

/**
 * Returns the sentences about the differences of two objects.
 * @param {Texts} texts
 * @param {Members[]} pair
 * @param {(name: string) => string} call names a member
 * @param {(value: Tree) => string} [format]
 * @returns {Said[]}
 */
function memberChanges(texts, [old, young], call, format = formatValue) {
    return [...new Set([...young.keys(), ...old.keys()])].flatMap((name) => {
        const [was, now] = [old, young].map((members) => short(format(members.get(name) ?? null)));
        const slots = { name: call(name), now: young.has(name) ? now : was, was };
        const key = !old.has(name) ? "added" : !young.has(name) ? "removed" : isChanged(name, old, young) && "was";
        return key ? { text: texts.say(`flag.diff.${key}`, slots) } : [];
    });
}

/**
 * Returns the sentences about the differences of the settings that flags share.
 * @param {Texts} texts
 * @param {Content | null | undefined} before
 * @param {Content | null | undefined} after
 * @returns {Said[]}
 */
export function audienceChanges(texts, before, after) {
    const [one, other] = [before, after].map((content) => readTree(content?.value ?? "{}"));
    if (!(one instanceof Map && other instanceof Map)) return [];
    const told = "$evaluators";
    const others = [...new Set([...one.keys(), ...other.keys()])].filter(
        (name) => name !== told && isChanged(name, one, other),
    );
    return [
        ...memberChanges(
            texts,
            [before, after].map(audiencesOf),
            (name) => `${texts.say("audience")} ${name}`,
            (tree) => conditionText(texts, tree),
        ),
        ...others.map((name) => ({ text: texts.say("flag.diff.changed", { name }) })),
    ];
}

/**
 * Returns the sentences about the differences of two flags, or an empty list if words cannot say them.
 * @param {Texts} texts
 * @param {Content | null | undefined} before
 * @param {Content | null | undefined} after
 * @returns {Said[]}
 */
export function flagChanges(texts, before, after) {
    const [one, other] = [before, after].map((content) => editableDefinition(readTree(content?.value ?? "{}")));
    if (!one || !other) return [];
    /** @type {Said[]} */
    const said = [];
    /** @param {string} key @param {Record<string, string>} [slots] @param {Omit<Said, "text">} [rule] */
    const tell = (key, slots, rule) => said.push({ text: texts.say(`flag.diff.${key}`, slots), ...rule });
    if (!before || !after) tell(after ? "created" : "gone");
    if (!after) return said;
    /** @param {string} name @param {string} now @param {string} was @param {Omit<Said, "text">} [rule] */
    const compare = (name, now, was, rule) =>
        now !== was &&
        (before ? tell("was", { name, now, was }, rule) : said.push({ text: `${name}: ${now}`, ...rule }));
    const differs = (/** @type {string} */ name) => isChanged(name, one, other);
    const words = (/** @type {Content | null | undefined} */ content) =>
        short(content?.description ?? "") || texts.say("value.empty");
    compare(texts.say("column.description"), words(after), words(before));
    const word = stateWord(other.get("state"));
    if (differs("state") && word !== "unknown") tell(word);
    const flip = (/** @type {boolean} */ on) => texts.say(`flag.state.${on ? "on" : "off"}`);
    compare(texts.say("flags.show.public"), flip(isPublic(other)), flip(isPublic(one)));
    compare(texts.say("flags.show.archived"), flip(isArchived(other)), flip(isArchived(one)));
    const compareMembers = (/** @type {Parameters<typeof memberChanges>} */ ...members) =>
        said.push(...memberChanges(...members));
    compareMembers(
        texts,
        [one, other].map((flag) => {
            // The words above tell the first two members, and the digests of an import say nothing to readers.
            const told = ["almanac.public", "archived"];
            const isTold = (/** @type {string} */ name, /** @type {Tree} */ value) =>
                name === "almanac.source.parts" || (value === true && told.includes(name));
            return new Map([...metadataOf(flag)].filter(([name, value]) => !isTold(name, value)));
        }),
        (name) => (texts.has(`flags.column.${name}`) ? texts.say(`flags.column.${name}`) : name),
        (value) => (typeof value === "string" ? kindText(texts, value) : writeTree(value)),
    );
    compareMembers(
        texts,
        [one, other].map((flag) => flag.get("variants") ?? new Map()),
        (name) => `${texts.say("flag.variant")} ${name}`,
    );
    const standard = (/** @type {Members} */ flag) => String(flag.get("defaultVariant") ?? texts.say("flag.none"));
    compare(texts.say("flag.then.default"), standard(other), standard(one));

    const [past, present] = [one, other].map((flag) => readTargeting(flag.get("targeting")));
    /** @type {number[]} the former place of each rule, found by its condition, or -1 */
    const places = [];
    const name = (/** @type {number} */ at) => texts.say("flag.rule", { n: at + 1 });
    const sentence = (/** @type {{ when: Tree, gives: Tree }} */ { when, gives }) =>
        `${texts.say("flag.if")} ${conditionText(texts, when)}, ${texts.say("flag.then")} ${outcomeText(texts, gives)}`;
    for (const [at, rule] of present.rules.entries()) {
        const isSame = (/** @type {{ when: Tree }} */ { when }, /** @type {number} */ old) =>
            !places.includes(old) && writeTree(when) === writeTree(rule.when);
        const place = past.rules.findIndex(isSame);
        places.push(place);
        const slots = { name: name(at), now: sentence(rule) };
        const { when } = rule;
        const was = past.rules[place]?.gives;
        const gives = [was, rule.gives];
        if (was === undefined) tell("added", slots, { when, gives });
        else if (writeTree(was) !== writeTree(rule.gives))
            tell("was", { ...slots, was: outcomeText(texts, was) }, { when, gives });
    }
    const kept = places.filter((place) => place >= 0);
    if (kept.some((place, at) => place < kept[at - 1])) tell("order");
    for (const [at, rule] of past.rules.entries())
        if (!places.includes(at))
            tell(
                "removed",
                { name: name(at), now: sentence(rule) },
                { when: rule.when, gives: [rule.gives, undefined] },
            );
    const last = [past, present].map(({ otherwise = null }) => otherwise);
    const [was, now] = last.map((tree) => outcomeText(texts, tree));
    compare(texts.say(present.rules.length + past.rules.length ? "flag.otherwise" : "flag.everybody"), now, was, {
        gives: before ? last : [undefined, last[1]],
    });

    const told = ["variants", "defaultVariant", "targeting", "metadata", word !== "unknown" && "state"];
    for (const member of new Set([...one.keys(), ...other.keys()]))
        if (!told.includes(member) && differs(member)) tell("changed", { name: member });
    return said;
}

/**
 * Returns the sentence about the variants of sampled users before and after a change.
 * @param {Texts} texts
 * @param {any} found the response of `POST /flags/{key}/sample`
 * @param {Members} attributes the attributes of the sampled users
 * @param {boolean} isNew true for a flag that did not exist before
 */
export function sampleText(texts, found, attributes, isNew) {
    const { sampled: of, moved: n } = found;
    const named = (/** @type {string | null} */ variant) => variant || texts.say("flag.none");
    const [was, now] = sampleShares(found).map((shares) =>
        sharesText(
            texts,
            shares.filter(({ share }) => share > 0),
            named,
        ),
    );
    const name = [...attributes].map(([name, value]) => `${name} = ${short(formatValue(value))}`).join(", ");
    const who = texts.say(`flag.sampled.${name ? "with" : "without"}`, { name });
    return texts.say(`flag.sampled.${isNew ? "new" : n ? "moved" : "same"}`, { of, n, who, was, now });
}
