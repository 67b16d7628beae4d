import assert from "node:assert/strict";
import * as shares from "../../../Sources/Web/console/state/flags-shares.js";
import { readTree } from "../../../Sources/Web/console/state/flags-tree.js";
import { random } from "./checks.js";

/** Returns the server's bucket for a hash. @param {number[]} weights @param {bigint} hash */
function bucketOf(weights, hash) {
    const at = (hash * BigInt(shares.sumOf(weights))) >> 32n;
    let sum = 0n;
    return weights.findIndex((weight) => {
        sum += BigInt(weight);
        return sum > at;
    });
}

Deno.test("finer weights leave everybody where they are", () => {
    const below = random(3);
    for (let round = 0; round < 500; round += 1) {
        const weights = Array.from({ length: 1 + below(4) }, () => below(12));
        if (shares.sumOf(weights) === 0) continue;
        const fine = shares.scaledToHundredths(weights);
        assert.equal(shares.sumOf(fine) % 100, 0);
        for (let id = 0; id < 40; id += 1) {
            const hash = BigInt(below(2 ** 32));
            assert.equal(bucketOf(fine, hash), bucketOf(weights, hash), `${weights} ${hash}`);
        }
    }
    assert.deepEqual(shares.scaledToHundredths([1, 1]), [50, 50]);
    assert.deepEqual(shares.scaledToHundredths([0, 0]), [100, 0]);
    assert.deepEqual(shares.scaledToHundredths([2 ** 31 - 2, 1]), [2 ** 31 - 2, 1]);
});

Deno.test("typed percentages become the smallest whole weights, and stored weights become percentages", () => {
    assert.deepEqual(shares.weightsOfPercents(["12.5", "87.5"]), [125, 875]);
    assert.deepEqual(shares.weightsOfPercents(["10", "90"]), [10, 90]);
    assert.deepEqual(shares.weightsOfPercents(["0,25", "99,75"]), [25, 9975]);
    assert.deepEqual(shares.weightsOfPercents(["33.33", "33.33", "33.34"]), [3333, 3333, 3334]);
    for (const texts of [
        ["12.5", "87"],
        ["50", "50.01"],
        ["50", ""],
        ["", "100"],
        ["0", "0"],
    ])
        assert.equal(shares.weightsOfPercents(texts), null, `${texts}`);
    for (const text of ["-5", "many", "", "100.01", "1.234", "1e2", ".5", "5."])
        assert.equal(shares.readPercent(text), null, text);
    const percents = (/** @type {number[]} */ ...weights) =>
        shares.percentsOf(weights.map((weight) => ({ variant: "on", weight })));
    assert.deepEqual(percents(125, 875), [12.5, 87.5]);
    assert.deepEqual(percents(1, 1, 1), [33.33, 33.33, 33.33]);
    assert.deepEqual(percents(0), [0]);
    const below = random(5);
    for (let round = 0; round < 500; round += 1) {
        const first = below(10_001);
        const weights = shares.weightsOfPercents([`${first / 100}`, `${(10_000 - first) / 100}`]) ?? [];
        assert.deepEqual(percents(...weights), [first / 100, (10_000 - first) / 100]);
    }
});

Deno.test("one percentage of two fills in the other one", () => {
    const format = (/** @type {number} */ percent) => `${percent}`;
    assert.deepEqual(shares.withPercent(["10", "90"], 0, "12,5", format), ["12,5", "87.5"]);
    assert.deepEqual(shares.withPercent(["10", "x"], 0, "33.33", format), ["33.33", "66.67"]);
    assert.deepEqual(shares.withPercent(["10", "90"], 1, "100", format), ["0", "100"]);
    assert.deepEqual(shares.withPercent(["10", "90"], 1, "101", format), ["10", "101"]);
    assert.deepEqual(shares.withPercent(["10", "80", "10"], 1, "70", format), ["10", "70", "10"]);
    assert.deepEqual(shares.withPercent(["100"], 0, "70", format), ["70"]);
});

Deno.test("a border that is moved takes from one neighbour what the other gets, and stops at the next border", () => {
    assert.deepEqual(shares.moved([10, 90], 0, 1), [11, 89]);
    assert.deepEqual(shares.moved([1, 1, 2], 1, -10), [25, 15, 60]);
    assert.deepEqual(shares.moved([10, 20, 70], 0, 100), [30, 0, 70]);
    assert.deepEqual(shares.moved([10, 20, 70], 1, -100), [10, 0, 90]);
    assert.deepEqual(shares.moved([100, 900], 0, 1), [110, 890]);
    const below = random(4);
    for (let round = 0; round < 1000; round += 1) {
        const weights = Array.from({ length: 2 + below(4) }, () => below(2000));
        const total = shares.sumOf(shares.scaledToHundredths(weights));
        const next = shares.moved(weights, below(weights.length - 1), below(400) - 200);
        assert.equal(shares.sumOf(next), total);
        assert.ok(
            next.every((weight) => weight >= 0 && Number.isInteger(weight)),
            `${weights} ${next}`,
        );
    }
});

Deno.test("a ramp is a line through its points", () => {
    const points = /** @type {any} */ (
        readTree('[["2026-07-01T00:00:00", 10], ["2026-07-02 00:00Z", 20], ["2026-07-04T02:00:00+02:00", 100]]')
    );
    const at = (/** @type {string} */ time) => shares.rampAt(points, Date.parse(time));
    assert.equal(at("2026-06-01T00:00:00Z"), 10);
    assert.equal(at("2026-07-01T12:00:00Z"), 15);
    assert.equal(at("2026-07-03T00:00:00Z"), 60);
    assert.equal(at("2027-01-01T00:00:00Z"), 100);
});

Deno.test("the bar of the list says what those get whom no rule is for", () => {
    const now = Date.parse("2026-07-01T12:00:00Z");
    /** @param {string} targeting */
    const outlook = (targeting) => {
        const definition = /** @type {any} */ (readTree(`{"targeting": ${targeting}}`));
        const { rules, shares: found } = shares.sharesWithoutRule(definition, now);
        return [rules, found?.map(({ variant, share }) => `${variant} ${Math.round(share * 1000) / 10}`) ?? null];
    };
    assert.deepEqual(outlook("{}"), [0, ["null 100"]]);
    assert.deepEqual(outlook('{"fractional": [["a", 1], ["b", 3]]}'), [0, ["a 25", "b 75"]]);
    assert.deepEqual(outlook('{"fractional": [["a", 0]]}'), [0, ["a 0"]]);
    assert.deepEqual(outlook('{"if": [true, "a"]}'), [1, ["null 100"]]);
    assert.deepEqual(outlook('{"if": [true, "a", false, "b", "c"]}'), [2, ["c 100"]]);
    assert.deepEqual(outlook('{"var": "variant"}'), [0, null]);
    const ramp = '[["2026-07-01T00:00:00Z", 0], ["2026-07-02T00:00:00Z", 50]]';
    assert.deepEqual(outlook(`{"almanac.ramp": [${ramp}, "a", "b"]}`), [0, ["a 25", "b 75"]]);
    const steep = '[["2026-07-01T00:00:00Z", 0], ["2026-07-02T00:00:00Z", 66.67]]';
    assert.deepEqual(outlook(`{"almanac.ramp": [${steep}, "a", "b"]}`), [0, ["a 33", "b 67"]]);
    assert.deepEqual(outlook(`{"almanac.ramp": [{"var": "x"}, ${ramp}, "a"]}`), [0, ["a 25", "null 75"]]);
});

Deno.test("the shares before a change follow from those after it and from the moves", () => {
    const [before, after] = shares.sampleShares({
        sampled: 1000,
        variants: [
            { name: "on", count: 200 },
            { name: "off", count: 700 },
            { name: null, count: 100 },
        ],
        moves: [
            { from: "old", to: "on", count: 50 },
            { from: "off", to: "on", count: 100 },
            { from: "off", to: null, count: 100 },
        ],
    });
    assert.deepEqual(
        before.map(({ variant, share }) => [variant, share]),
        [
            ["on", 0.05],
            ["off", 0.9],
            [null, 0],
            ["old", 0.05],
        ],
    );
    assert.deepEqual(
        after.map(({ share }) => share),
        [0.2, 0.7, 0.1, 0],
    );
    assert.deepEqual(shares.sampleShares({ sampled: 0, variants: [], moves: [] }), [[], []]);
});
