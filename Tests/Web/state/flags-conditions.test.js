import assert from "node:assert/strict";
import * as rules from "../../../Sources/Web/console/state/flags-rules.js";
import * as trees from "../../../Sources/Web/console/state/flags-tree.js";

Deno.test("conditions that the form has a shape for are read into it", () => {
    const subject = '{"var": "plan"}';
    for (const [text, operator, shown] of [
        [`{"==": [${subject}, "pro"]}`, "==", "pro"],
        [`{"in": [${subject}, ["pro", 1]]}`, "in", "pro, 1"],
        [`{"in": ["@x.org", ${subject}]}`, "has", "@x.org"],
        [`{"ends_with": [${subject}, "1"]}`, "ends_with", "1"],
        [`{"sem_ver": [${subject}, "^", "2.0.0"]}`, "sem_ver ^", "2.0.0"],
        [`{"almanac.date": [${subject}, ">=", "2026-07-01T09:00:00Z"]}`, "almanac.date >=", "2026-07-01T09:00:00Z"],
        [`{"==": [${subject}, {"var": "b"}]}`, "==", '{"var": "b"}'],
        [`{"<": [${subject}, 1.10]}`, "<", "1.10"],
        [`{"almanac.version": [${subject}, ">=", "2.10.0.4"]}`, "almanac.version >=", "2.10.0.4"],
        [`{"almanac.padded": [${subject}, "<", "2.10"]}`, "almanac.padded <", "2.10"],
        [`{"almanac.network": [${subject}, "10.0.0.0/8"]}`, "almanac.network", "10.0.0.0/8"],
        [`{"almanac.network": [${subject}, ["10.0.0.0/8", "::1"]]}`, "almanac.network", "10.0.0.0/8, ::1"],
        [`{"in": [{"almanac.lower": ${subject}}, ["a", "b"]]}`, "in", "a, b"],
        [`{"almanac.matches": [${subject}, "(?i)^a"]}`, "almanac.matches", "(?i)^a"],
    ]) {
        const read = rules.readCondition(trees.readTree(text));
        assert.equal(read.operator, operator);
        assert.equal(rules.subjectText(read.parts[0]), "plan");
        assert.equal(rules.valueText(operator, read.parts[1]), shown);
    }
    for (const [text, operator] of [
        [`{"!!": [${subject}]}`, "!!"],
        ['{"and": [true, {"$ref": "staff"}]}', "and"],
        ['{"!": {"$ref": "staff"}}', "!"],
        ['{"$ref": "staff of ours"}', "$ref staff of ours"],
    ])
        assert.equal(rules.readCondition(trees.readTree(text)).operator, operator);
    assert.equal(rules.subjectText(trees.readTree('{"almanac.flag": "new-ui"}')), '{"almanac.flag": "new-ui"}');
});

Deno.test("comparisons in lower case and of hashes keep their subject", () => {
    const subject = '{"var": "mail"}';
    for (const text of [
        `{"==": [{"almanac.lower": ${subject}}, "a"]}`,
        `{"ends_with": [{"almanac.lower": [${subject}]}, "a"]}`,
        `{"in": [{"almanac.hashed": [${subject}, ["s", "k"], -8]}, ["ab", "cd"]]}`,
    ]) {
        const condition = rules.readCondition(trees.readTree(text));
        assert.equal(rules.subjectText(condition.parts[0]), "mail");
        assert.equal(trees.writeTree(rules.writeCondition(condition)), text);
    }
    for (const text of [
        `{"<": [{"almanac.lower": ${subject}}, "a"]}`,
        `{"==": [{"almanac.lower": [${subject}, 1]}, "a"]}`,
        `{"starts_with": [{"almanac.hashed": [${subject}, "s"]}, "a"]}`,
    ])
        assert.match(rules.subjectText(rules.readCondition(trees.readTree(text)).parts[0]), /almanac/);
});

Deno.test("a network is one text or a list, and typed networks are a list", () => {
    const typed = (/** @type {string} */ text) => trees.writeTree(rules.readValue("almanac.network", text));
    assert.equal(typed("10.0.0.0/8, ::1"), '["10.0.0.0/8", "::1"]');
    assert.equal(typed("10.0.0.0/8"), '["10.0.0.0/8"]');
    assert.ok(rules.isBlank("almanac.network", " , "));
    assert.equal(rules.readCondition(trees.readTree('{"almanac.network": [{"var": "ip"}, [1]]}')).operator, "");
});
