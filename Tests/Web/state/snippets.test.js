import assert from "node:assert/strict";
import { apiOrigin, clientVersion, languages, lastRequest } from "../../../Sources/Web/console/state/snippets.js";

const client = new URL("../../../Sources/Web/client/", import.meta.url);
const target = {
    origin: "https://localhost:8443",
    environment: "staging",
    key: "app.theme",
    major: "3",
    type: "string",
    isFlag: false,
    needsToken: false,
};
const types = ["string", "number", "boolean", "array", "object"];
/** @param {string} language @param {Partial<typeof target>} [other] */
const codeOf = (language, other) => languages[language].code({ ...target, ...other });

Deno.test("the code of every language names the server, the environment, the key and the major", () => {
    for (const language of Object.keys(languages))
        for (const isFlag of [false, true])
            for (const type of types) {
                const code = codeOf(language, { isFlag, type });
                for (const part of ["https://localhost:8443", "staging", "app.theme", "3"])
                    assert.ok(code.includes(part), `${language}: ${part} in ${code}`);
                assert.doesNotMatch(code, /undefined|ALMANAC_TOKEN|\n\n\n/, language);
                assert.match(codeOf(language, { isFlag, type, needsToken: true }), /ALMANAC_TOKEN/, language);
            }
});

Deno.test("curl lines call the addresses of the API", () => {
    assert.equal(codeOf("curl"), 'curl "https://localhost:8443/staging/config/app.theme?version=3"');
    assert.equal(
        codeOf("curl", { isFlag: true, needsToken: true }),
        [
            'curl "https://localhost:8443/staging/ofrep/v1/evaluate/flags/app.theme?version=3"',
            '-H "Authorization: Bearer $ALMANAC_TOKEN"',
            `--json '{"context": {"targetingKey": "ada"}}'`,
        ].join(" \\\n    "),
    );
});

Deno.test("the default has the type of the value", () => {
    const defaults = ['""', "0", "false", "[]", "{}"];
    for (const [at, type] of types.entries()) {
        assert.ok(codeOf("javascript", { type }).includes(`get("app.theme", ${defaults[at]})`), type);
        const method = ["String", "Number", "Boolean", "Object", "Object"][at];
        assert.ok(codeOf("javascript", { type, isFlag: true }).includes(`resolve${method}Evaluation("app.theme", `));
    }
    assert.match(codeOf("swift", { type: "boolean" }), /client\.bool\("app\.theme", default: false\)/);
    assert.match(codeOf("swift", { type: "object", isFlag: true }), /as: \[String: FlagData\]\.self, default: \[:\]/);
});

Deno.test("JavaScript's code imports what the server's client exports", async () => {
    assert.equal(JSON.parse(Deno.readTextFileSync(new URL("package.json", client))).version, clientVersion);
    for (const isFlag of [false, true]) {
        const [, name, file] = codeOf("javascript", { isFlag }).match(/import \{ (\w+) \} from ".*\/(\w+\.js)"/) ?? [];
        assert.ok(name in (await import(new URL(file, client).href)), name);
    }
});

Deno.test("the API's host is the console's without its first name", () => {
    assert.equal(apiOrigin("https://console.localhost:8443"), "https://localhost:8443");
    assert.equal(apiOrigin("https://console.api.example.com"), "https://api.example.com");
    assert.equal(apiOrigin("https://flags.example.com"), "https://flags.example.com");
});

Deno.test("the last request of an app is the latest of all majors", () => {
    const majors = (/** @type {(string | null)[]} */ ...times) =>
        /** @type {any} */ (times.map((time) => ({ last_asked_at: time })));
    assert.equal(lastRequest(majors()), undefined);
    assert.equal(lastRequest(majors(null, null)), undefined);
    assert.equal(
        lastRequest(majors("2026-11-02T09:00:00.000Z", null, "2026-11-01T09:00:00.000Z")),
        "2026-11-02T09:00:00.000Z",
    );
});
