// Uses of generated modules, for the check of types only. An unused @ts-expect-error is an error of that check.
import { keys, major } from "./ConfigKeys.ts";
import { flags } from "./FlagKeys.ts";

/**
 * @param {import("../../../Sources/Web/client/config.d.ts").Config} config
 * @param {import("@openfeature/web-sdk").Client} client
 */
export function useKeys(config, client) {
    /** @type {"2"} */
    const pinned = major;
    /** @type {number} */
    const retries = config.get(...keys.appRetries);
    /** @type {boolean} */
    const second = config.get(...keys.value2fa);
    /** @type {string[]} */
    const hosts = config.get(...keys.appHosts);
    /** @type {number | null | undefined} */
    const port = config.get(...keys.appLimits).hosts[0]?.port;
    /** @type {string} */
    const wide = config.get(...keys.class) + config.get(...keys.homeBanner);
    // @ts-expect-error: the name is misspelt.
    config.get(...keys.appRetrys);
    // @ts-expect-error: the value is a number.
    const text = config.get(...keys.appRetries).trim();
    // @ts-expect-error: the object has no such member.
    const missing = config.get(...keys.appLimits).maximum;
    // @ts-expect-error: the default cannot be changed.
    keys.appRetries[1] = 4;

    /** @type {boolean} */
    const basket = flags.newBasket(client);
    /** @type {string} */
    const theme = flags.class(client);
    /** @type {number[]} */
    const steps = flags.limits(client)["back-off"].steps;
    // @ts-expect-error: the name is misspelt.
    flags.newBaskte(client);
    // @ts-expect-error: the value is a string.
    const sum = flags.default(client) * 2;
    // @ts-expect-error: the argument is not a client.
    flags.newBasket(config);
    return { pinned, retries, second, hosts, port, wide, text, missing, basket, theme, steps, sum };
}
