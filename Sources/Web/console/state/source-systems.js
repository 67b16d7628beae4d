/** The flag systems whose files can be imported, and their recognition by the members of a file. */

/** The names of the systems by their names in the API. @type {Record<string, string>} */
export const systems = {
    unleash: "Unleash",
    launchdarkly: "LaunchDarkly",
    firebase: "Firebase Remote Config",
    goff: "GO Feature Flag",
    flipt: "Flipt",
    configcat: "ConfigCat",
    growthbook: "GrowthBook",
    flagsmith: "Flagsmith",
};

/** @param {any} value @returns {value is Record<string, any>} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** @type {[system: string, test: (file: Record<string, any>) => boolean][]} the tests of each system's files */
const tests = [
    ["flagsmith", (file) => Array.isArray(file.feature_states ?? file.project?.segments)],
    [
        "unleash",
        ({ features, featureStrategies, segments, version }) =>
            Array.isArray(features)
                ? Array.isArray(featureStrategies) || features.some((one) => isObject(one) && "strategies" in one)
                : Array.isArray(segments) &&
                  version === undefined &&
                  segments.some((one) => "constraints" in Object(one)),
    ],
    [
        "launchdarkly",
        ({ items, flags, segments }) =>
            Array.isArray(items)
                ? items.some((one) => isObject(one) && ("variations" in one || "included" in one || "_links" in one))
                : isObject(flags) && isObject(segments),
    ],
    ["growthbook", ({ features }) => isObject(features)],
    ["firebase", ({ parameters, conditions }) => isObject(parameters) || (Array.isArray(conditions) && !parameters)],
    ["configcat", ({ p, f }) => isObject(p) && isObject(f)],
    [
        "flipt",
        ({ flags, segments, namespace }) =>
            (Array.isArray(flags) || Array.isArray(segments)) &&
            (namespace !== undefined || [flags, segments].flat().every((one) => isObject(one) && "key" in one)),
    ],
    [
        "goff",
        (file) => {
            const flags = Object.values(file).filter(isObject);
            return flags.length > 0 && flags.every((one) => isObject(one.variations) && isObject(one.defaultRule));
        },
    ],
];

/**
 * Returns the system that exports such a file, or an empty text for files of none.
 * @param {string} text
 */
export function systemOf(text) {
    // The config has no entry without a value, so `{` begins every file that is recognized.
    if (text.trimStart()[0] !== "{") return "";
    try {
        const file = JSON.parse(text);
        return tests.find(([, test]) => test(file))?.[0] ?? "";
    } catch {
        return "";
    }
}

/** The limit on the files of one import, in bytes: that of a request. */
const maxBytes = 4 << 20;

/**
 * Returns the reason why only the command line takes the files (a key of the texts), or an empty text.
 * @param {{ name: string, text: string }[]} files
 */
export function commandReason(files) {
    // The names of the files and the members around them are in the request too.
    const size = files.reduce((sum, { text }) => sum + new TextEncoder().encode(text).length + 500, 0);
    if (size > maxBytes) return "source.large";
    return files.some(({ name, text }) => /\.ya?ml$/i.test(name) && !/^\s*[[{]/.test(text)) ? "source.yaml" : "";
}
