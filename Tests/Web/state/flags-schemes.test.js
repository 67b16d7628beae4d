import assert from "node:assert/strict";
import { readOutcome, writeOutcome } from "../../../Sources/Web/console/state/flags-rules.js";
import * as schemes from "../../../Sources/Web/console/state/flags-schemes.js";
import { readTree, replacedIn, writeTree } from "../../../Sources/Web/console/state/flags-tree.js";
import { outcomeText } from "../../../Sources/Web/console/state/flags-words.js";
import { flags as english } from "../../../Sources/Web/console/texts/flags.en.js";
import { Texts } from "../../../Sources/Web/shared/texts.js";

/** @param {string} parameters @param {string} ranges @param {string} [unit] */
const split = (parameters, ranges, unit = '{"var": "targetingKey"}') =>
    readTree(`{"almanac.split": [${parameters}, ${unit}, ${ranges}]}`);
const launchDarkly = '{"scheme": "launchdarkly", "key": "new-ui", "salt": "8d6f"}';

/** @param {string} parameters @param {string} ranges */
const pieces = (parameters, ranges) =>
    schemes.piecesOf(readTree(parameters), readTree(ranges))?.map(({ variant, to }) => [variant, to]) ?? null;

Deno.test("the ranges of a split are adjacent pieces of all buckets", () => {
    assert.deepEqual(pieces(launchDarkly, '[[0, 20000, "on"], [20000, 100000, "off"]]'), [
        ["on", 20_000],
        ["off", 100_000],
    ]);
    // The last range of LaunchDarkly has all that lies behind it; elsewhere, the default follows.
    assert.deepEqual(pieces(launchDarkly, '[[0, 20000, "on"]]'), [["on", 100_000]]);
    assert.deepEqual(pieces('{"scheme": "unleash", "groupId": "a"}', '[[10, 20, "on"]]'), [
        [null, 10],
        ["on", 20],
        [null, 100],
    ]);
    assert.deepEqual(pieces('{"scheme": "firebase"}', '[[-1, 50000000, "on"]]'), [
        ["on", 50_000_000],
        [null, 100_000_000],
    ]);
    for (const ranges of [
        '[[0, 20, "on"], [10, 30, "off"]]',
        '[[20, 10, "on"]]',
        '[[0, 101, "on"]]',
        '[[0, 10, {"if": [true, "on"]}]]',
        '[[0, "10", "on"]]',
        "[[0, 10]]",
        "[1]",
        "3",
    ])
        assert.equal(pieces('{"scheme": "unleash", "groupId": "a"}', ranges), null, ranges);
    assert.equal(pieces('{"scheme": "new"}', '[[0, 10, "on"]]'), null);
    assert.equal(pieces('{"scheme": "__proto__"}', '[[0, 10, "on"]]'), null);
});

Deno.test("the number of buckets follows from the parameters", () => {
    for (const [parameters, count] of /** @type {[string, number][]} */ ([
        ['{"scheme": "growthbook", "seed": "s"}', 1000],
        ['{"scheme": "growthbook", "seed": "s", "hashVersion": 2}', 10_000],
        ['{"scheme": "goff", "flagName": "f", "maxPercentage": 100000}', 100_000],
        ['{"scheme": "unleash-variants", "groupId": "g", "totalWeight": "1000"}', 1000],
        ['{"scheme": "goff", "flagName": "f"}', 0],
        ['{"scheme": "flagsmith", "key": "1"}', 9998],
    ]))
        assert.equal(schemes.bucketCount(readTree(parameters)), count, parameters);
});

Deno.test("a typed share has the vendor's bound, and a share that stays keeps its bucket", () => {
    const bound = (/** @type {string} */ parameters, /** @type {number} */ share) =>
        schemes.boundFor(readTree(parameters), share);
    // The bounds that the server computes for the same shares (SplitScheme.bound).
    assert.equal(bound('{"scheme": "flagsmith", "key": "1"}', 2000), 2000);
    assert.equal(bound('{"scheme": "unleash", "groupId": "g"}', 1250), 12);
    assert.equal(bound('{"scheme": "configcat", "key": "k"}', 1250), 13);
    assert.equal(bound('{"scheme": "growthbook", "seed": "s"}', 0), 0);
    assert.equal(bound('{"scheme": "growthbook", "seed": "s"}', 5000), 501);
    const parameters = readTree('{"scheme": "flagsmith", "key": "1"}');
    const before = schemes.piecesOf(parameters, readTree('[[0, 2000, "on"], [2000, 9998, "off"]]')) ?? [];
    assert.deepEqual(schemes.hundredthsOf(parameters, before), [2000, 8000]);
    const ranges = (/** @type {number[]} */ shares) =>
        writeTree(schemes.rangesOf(parameters, schemes.withShares(parameters, before, shares)));
    assert.equal(ranges([2000, 8000]), '[[0, 2000, "on"], [2000, 9998, "off"]]');
    assert.equal(ranges([2500, 7500]), '[[0, 2500, "on"], [2500, 9998, "off"]]');
    assert.equal(ranges([10_000, 0]), '[[0, 9998, "on"], [9998, 9998, "off"]]');
    // A bound between two shares of two decimals stays too.
    const odd = schemes.piecesOf(readTree(launchDarkly), readTree('[[0, 33333, "a"], [33333, 100000, "b"]]')) ?? [];
    const shares = schemes.hundredthsOf(readTree(launchDarkly), odd);
    assert.equal(schemes.withShares(readTree(launchDarkly), odd, shares)[0].to, 33_333);
});

Deno.test("splits and ramps of other systems are read and written again", () => {
    for (const text of [
        `{"almanac.split": [${launchDarkly}, {"var": "targetingKey"}, [[0, 20000, "on"], [20000, 100000, "off"]]]}`,
        '{"almanac.split": [{"scheme": "unleash", "groupId": "g"}, {"var": "user"}, [[10, 20, "on"]]]}',
        `{"almanac.ramp": [${launchDarkly}, {"var": "user"}, [["2026-12-01T09:00:00Z", 0], ["2026-12-08T09:00:00Z", 100]], "on", "off"]}`,
        `{"almanac.split": [${launchDarkly}, {"var": "user"}, [[0, 10, {"if": [true, "on"]}]]]}`,
    ])
        assert.equal(writeTree(writeOutcome(readOutcome(readTree(text)))), text);
    const texts = new Texts("en", english, () => 0);
    const outcome = split(launchDarkly, '[[0, 20000, "on"], [20000, 100000, "off"]]');
    assert.equal(outcomeText(texts, outcome), "on 20%, off 80% by targetingKey (LaunchDarkly)");
});

Deno.test("Almanac's own split has the same shares", () => {
    const own = (/** @type {import("../../../Sources/Web/console/state/flags-tree.js").Tree} */ tree) =>
        writeTree(schemes.withOwnHash(tree));
    assert.equal(
        own(split(launchDarkly, '[[0, 20000, "on"], [20000, 100000, "off"]]')),
        '{"fractional": [["on", 1], ["off", 4]]}',
    );
    assert.equal(
        own(split('{"scheme": "unleash", "groupId": "g"}', '[[0, 30, "on"]]', '{"var": "user"}')),
        '{"fractional": [{"if": [{"var": "user"}, {"cat": [{"var": "$flagd.flagKey"}, {"var": "user"}]}]}, ["on", 3], [null, 7]]}',
    );
    const points = '[["2026-12-01T09:00:00Z", 0], ["2026-12-08T09:00:00Z", 100]]';
    assert.equal(
        own(readTree(`{"almanac.ramp": [${launchDarkly}, {"var": "targetingKey"}, ${points}, "on", "off"]}`)),
        `{"almanac.ramp": [${points}, "on", "off"]}`,
    );
});

Deno.test("a part of a tree is replaced by its path", () => {
    const tree = readTree('{"targeting": {"if": [true, "on", "off"]}}');
    const replaced = (/** @type {string} */ path) => writeTree(replacedIn(tree, path.split("/").slice(1), "new"));
    assert.equal(replaced("/targeting/if/1"), '{"targeting": {"if": [true, "new", "off"]}}');
    assert.equal(replaced("/targeting"), '{"targeting": "new"}');
    assert.equal(replaced(""), '"new"');
});
