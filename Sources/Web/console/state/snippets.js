/** Code that reads one entry or flag from one environment, for apps in several languages. */

/** The version of the client for web pages that the server has. */
export const clientVersion = "1.0.0";

/** The placeholder of the API token. */
export const tokenName = "ALMANAC_TOKEN";

/**
 * @typedef {object} Target
 * @property {string} origin the API's address
 * @property {string} environment
 * @property {string} key
 * @property {string} major the major version that the app is built for
 * @property {string} type `string`, `number`, `boolean`, `array` or `object`
 * @property {boolean} isFlag
 * @property {boolean} needsToken
 */

/**
 * Returns the API's address. By convention, the console's host is the API's host with `console.` in front.
 * @param {string} origin the page's address
 */
export const apiOrigin = (origin) => origin.replace("//console.", "//");

const types = ["string", "number", "boolean", "array", "object"];

/** @param {Target} target @param {string[]} choices one for each of `types` */
const byType = ({ type }, choices) => choices[types.indexOf(type)] ?? choices[0];

/** Joins lines, without those that are false. @param {(string | false)[]} all */
const lines = (...all) => all.filter((line) => line !== false).join("\n");

/** @param {Target} target */
const address = ({ origin, environment }) => `${origin}/${environment}`;

/** @param {Target} target */
const entryAddress = (target) => `${address(target)}/config/${target.key}?version=${target.major}`;

/** @param {Target} target @param {string} any the library's type of any value */
const readInSwift = (target, any) => {
    const { key } = target;
    return byType(target, [
        `string("${key}", default: "")`,
        `double("${key}", default: 0)`,
        `bool("${key}", default: false)`,
        `decoded("${key}", as: [${any}].self, default: [])`,
        `decoded("${key}", as: [String: ${any}].self, default: [:])`,
    ]);
};

/** @param {Target} target */
const swift = (target) => {
    const { major, isFlag, needsToken } = target;
    const [library, options, more, client, fetch, any] = isFlag
        ? ["Flags", "FlagOptions", 'context: FlagContext(targetingKey: "ada"), ', "RemoteFlags", "fetch", "FlagData"]
        : ["Config", "ConfigOptions", "", "ConfigClient", "fetchAndActivate", "ConfigJSON"];
    return lines(
        `import Almanac${library}`,
        "import Foundation",
        "",
        `var options = ${options}(`,
        `    environment: URL(string: "${address(target)}")!,`,
        `    ${more}version: "${major}")`,
        needsToken && `options.tokens = FixedToken("${tokenName}")`,
        `let client = ${client}(options)`,
        `_ = try? await client.${fetch}()`,
        `let value = client.${readInSwift(target, any)}`,
    );
};

/** @param {Target} target */
const javascript = (target) => {
    const { origin, environment, key, major, isFlag, needsToken } = target;
    const name = isFlag ? "AlmanacProvider" : "createConfig";
    const fallback = byType(target, ['""', "0", "false", "[]", "{}"]);
    const type = byType(target, ["String", "Number", "Boolean", "Object", "Object"]);
    return lines(
        `import { ${name} } from "${origin}/sdk/${clientVersion}/${isFlag ? "flags" : "config"}.js";`,
        "",
        `const client = ${isFlag ? "new " : ""}${name}({`,
        `    url: "${origin}",`,
        `    environment: "${environment}",`,
        `    version: "${major}",`,
        needsToken && `    token: "${tokenName}",`,
        "});",
        isFlag ? 'await client.initialize({ targetingKey: "ada" });' : "await client.ready;",
        isFlag
            ? `const { value } = client.resolve${type}Evaluation("${key}", ${fallback});`
            : `const value = client.get("${key}", ${fallback});`,
        "console.log(value);",
    );
};

/** @param {Target} target */
const kotlin = (target) => {
    const { key, major, isFlag, needsToken } = target;
    if (!isFlag)
        return lines(
            "import java.net.URL",
            "import org.json.JSONObject",
            "",
            `val connection = URL("${entryAddress(target)}").openConnection()`,
            needsToken && `connection.setRequestProperty("Authorization", "Bearer ${tokenName}")`,
            "val text = connection.getInputStream().bufferedReader().readText()",
            'val value = JSONObject(text).get("value")',
        );
    const type = byType(target, ["String", "Double", "Boolean", "Object", "Object"]);
    const fallback = byType(target, ['""', "0.0", "false", "Value.List(listOf())", "Value.Structure(mapOf())"]);
    return lines(
        "import dev.openfeature.kotlin.contrib.providers.ofrep.OfrepProvider",
        "import dev.openfeature.kotlin.contrib.providers.ofrep.bean.OfrepOptions",
        "import dev.openfeature.kotlin.sdk.*",
        "import okhttp3.Headers",
        "",
        "val headers = Headers.headersOf(",
        needsToken && `    "Authorization", "Bearer ${tokenName}",`,
        `    "Almanac-Major", "${major}")`,
        `val options = OfrepOptions(endpoint = "${address(target)}", headers = headers)`,
        'OpenFeatureAPI.setEvaluationContext(ImmutableContext("ada"))',
        "OpenFeatureAPI.setProviderAndWait(OfrepProvider(options))",
        `val value = OpenFeatureAPI.getClient().get${type}Value("${key}", ${fallback})`,
    );
};

/** @param {Target} target */
const python = (target) => {
    const { key, major, isFlag, needsToken } = target;
    if (!isFlag)
        return lines(
            "import json",
            needsToken && "import os",
            "from urllib.request import Request, urlopen",
            "",
            `request = Request("${entryAddress(target)}")`,
            needsToken && `request.add_header("Authorization", "Bearer " + os.environ["${tokenName}"])`,
            'print(json.load(urlopen(request))["value"])',
        );
    const type = byType(target, ["string", "float", "boolean", "object", "object"]);
    const fallback = byType(target, ['""', "0.0", "False", "[]", "{}"]);
    return lines(
        needsToken && "import os",
        "from openfeature import api",
        "from openfeature.contrib.provider.ofrep import OFREPProvider",
        "from openfeature.evaluation_context import EvaluationContext",
        "",
        `headers = {"Almanac-Major": "${major}"}`,
        needsToken && `headers["Authorization"] = "Bearer " + os.environ["${tokenName}"]`,
        `api.set_provider(OFREPProvider("${address(target)}", headers_factory=lambda: headers))`,
        "client = api.get_client()",
        `print(client.get_${type}_value("${key}", ${fallback}, EvaluationContext("ada")))`,
    );
};

/** @param {Target} target */
const curl = (target) => {
    const { key, major, isFlag, needsToken } = target;
    const flag = `${address(target)}/ofrep/v1/evaluate/flags/${key}?version=${major}`;
    return [
        `curl "${isFlag ? flag : entryAddress(target)}"`,
        needsToken && `-H "Authorization: Bearer $${tokenName}"`,
        isFlag && `--json '{"context": {"targetingKey": "ada"}}'`,
    ]
        .filter(Boolean)
        .join(" \\\n    ");
};

/**
 * The languages in the order of their buttons.
 * @type {Record<string, { name: string, generator?: string, trust?: string, code: (target: Target) => string }>}
 * `generator` is the format that the command line generates typed keys in; `trust` names the file of an authority
 */
export const languages = {
    swift: { name: "Swift", generator: "swift", code: swift },
    javascript: { name: "JavaScript", generator: "typescript", code: javascript },
    kotlin: { name: "Kotlin", generator: "kotlin", code: kotlin },
    python: { name: "Python", trust: "SSL_CERT_FILE=tls/ca.pem", code: python },
    curl: { name: "curl", trust: "--cacert tls/ca.pem", code: curl },
};

/**
 * Returns the time of the last request of an app, or undefined if there was none.
 * @param {import("./majors.js").Major[]} majors
 */
export const lastRequest = (majors) =>
    majors
        .flatMap(({ last_asked_at: time }) => time ?? [])
        .sort()
        .at(-1);
