import { ElementReader, failureOf, parseResponse, readMembers, typeOf } from "../../../Sources/Web/shared/json.js";
import { canonical, compact, pretty, same } from "../../../Sources/Web/shared/json-forms.js";
import { equal, random } from "./checks.js";

Deno.test("values of an answer keep every digit", () => {
    const text =
        '[{"key":"a","value":9007199254740993,"bytes":16},{"key":"b","value":{"x":1.10,"value":1e400},"bytes":3}]';
    equal(parseResponse(text), [
        { key: "a", value: "9007199254740993", bytes: 16 },
        { key: "b", value: '{"x":1.10,"value":1e400}', bytes: 3 },
    ]);
    equal(readMembers('{"a": 1.10, "b": {"c": [1e400]}}'), { a: "1.10", b: '{"c": [1e400]}' });
});

Deno.test("quotes inside of strings end none", () => {
    const text = String.raw`[{"key":"a","description":"say \"x\", \\","value":"\"}"},{"key":"b","description":"","value":"\\"}]`;
    equal(parseResponse(text), [
        { key: "a", description: 'say "x", \\', value: String.raw`"\"}"` },
        { key: "b", description: "", value: String.raw`"\\"` },
    ]);
});

Deno.test("a key that objects have anyway is a key like another", () => {
    const members = readMembers('{"__proto__": 1, "constructor": 2}');
    equal(Object.getOwnPropertyNames(members), ["__proto__", "constructor"]);
    equal(Object.getPrototypeOf(members) === Object.prototype, true);
});

Deno.test("an array is read in pieces as it is at once, wherever it is cut", () => {
    const text = String.raw`[{"key":"a","value":1.0} , {"key":"b\"},{","value":[true,-2e3]},{"key":"c","value":"\u00e4\\"}]`;
    for (let cut = 0; cut <= text.length; cut += 1) {
        const reader = new ElementReader();
        equal([...reader.read(text.slice(0, cut)), ...reader.read(text.slice(cut))], parseResponse(text));
    }
    const slow = new ElementReader();
    equal(
        [...text].flatMap((character) => slow.read(character)),
        parseResponse(text),
    );
    equal(new ElementReader().read("[]"), []);
});

Deno.test("entries are read before the array ends, even if a value looks like entries", () => {
    const reader = new ElementReader();
    equal(reader.read('[{"key":"a","value":1},{"key":"b","value":[{"key":"c"},{"key":"d"'), []);
    equal(reader.read('}]},{"key":"e","preview":"\\"x"},{"key":'), [
        { key: "a", value: "1" },
        { key: "b", value: '[{"key":"c"},{"key":"d"}]' },
        { key: "e", preview: '"x' },
    ]);
    equal(reader.read('"f","value":[2]'), []);
    equal(reader.read("}]"), [{ key: "f", value: "[2]" }]);
});

Deno.test("members of values are no values of an answer, and no more are texts", () => {
    equal(parseResponse('{"a":"\\"value\\":1","value" : {"value":1,"before":[]},"b":{"after":"x"}}'), {
        a: '"value":1',
        value: '{"value":1,"before":[]}',
        b: { after: '"x"' },
    });
});

Deno.test("pretty and compact change spaces and nothing else", () => {
    const text = '{"a":[1.10,-0.0,1e400,9007199254740993],"b":{},"c":[],"d":"x: [1,  2]","e":[{"f":null}]}';
    equal(compact(pretty(text)), text);
    equal(pretty('{"a":[1.10,{"b":[]}],"c":{}}').split("\n"), [
        "{",
        '  "a": [',
        "    1.10,",
        "    {",
        '      "b": []',
        "    }",
        "  ],",
        '  "c": {}',
        "}",
    ]);
});

Deno.test("what JSON.parse takes is taken, and nothing else", () => {
    const next = random(7);
    const alphabet = [
        '{"a":',
        '"b"',
        "1",
        "-",
        ".5",
        "e3",
        "[",
        "]",
        "}",
        ",",
        ":",
        "true",
        "null",
        " ",
        "\n",
        '"\\u00e4"',
        "\\",
        "0",
    ];
    for (let run = 0; run < 20_000; run += 1) {
        const text = Array.from({ length: 1 + next(7) }, () => alphabet[next(alphabet.length)]).join("");
        let taken = true;
        try {
            JSON.parse(text);
        } catch {
            taken = false;
        }
        equal([text, failureOf(text) === null], [text, taken]);
    }
});

Deno.test("a failure says where", () => {
    const failure = failureOf('{\n  "a": 1\n  "b": 2\n}');
    equal([failure?.reason, failure?.line, failure?.column], ["json.member", 3, 3]);
    equal(failureOf("[1,")?.reason, "json.end");
    equal(failureOf('"a\tb"')?.reason, "json.control");
    equal(failureOf("1 2")?.reason, "json.after");
    equal(failureOf(`${"[".repeat(65)}${"]".repeat(65)}`)?.reason, "json.depth");
});

Deno.test("a string of 256 KiB is read without trouble", () => {
    const text = JSON.stringify('quoted "text"\n'.repeat(18_000));
    equal(failureOf(text), null);
    equal(compact(text) === text, true);
});

Deno.test("the same value is the same in any order and spacing, but not with other digits", () => {
    equal(same('{"a": 1, "b": [2]}', '{"b":[2],"a":1}'), true);
    equal(same('"\\u00e4"', '"ä"'), true);
    equal(same("1.10", "1.1"), false);
    equal(canonical('{"b":{"d":1,"c":[{"f":1,"e":2}]}}'), '{"b":{"c":[{"e":2,"f":1}],"d":1}}');
    equal(["{", "[", '"', "t", "f", "n", "-"].map(typeOf), [
        "object",
        "array",
        "string",
        "boolean",
        "boolean",
        "null",
        "number",
    ]);
});
