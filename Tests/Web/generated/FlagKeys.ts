// The flags of production.
// Written by 'almanac flags generate typescript'; not to be edited.

import type { Client, JsonValue } from "@openfeature/web-sdk";

export type FlagKey = {
  "flag-data": string;
};

export type LimitsBackOff = {
  "let": number;
  "steps": number[];
};

export type LimitsHosts = {
  "name": string;
  "port"?: number | null;
  "inout"?: boolean | null;
};

export type Limits = {
  "max": number;
  "back-off": LimitsBackOff;
  "none"?: JsonValue | null;
  "hosts": LimitsHosts[];
};

export type Mixed = {
  "all": JsonValue[];
  "empty": JsonValue[];
};

export const flags = {
  /** `2fa` */
  value2fa: (client: Client): boolean => client.getBooleanValue("2fa", true),
  /** `Type` */
  type: (client: Client): number => client.getNumberValue("Type", 3),
  /** `__` */
  value: (client: Client): boolean => client.getBooleanValue("__", true),
  /**
   * /&#42; one *&#47; ${e} /&#42;/ *&#47;*
   *
   * `class`
   */
  class: (client: Client): string => client.getStringValue("class", "wide"),
  /** `client` */
  client: (client: Client): boolean => client.getBooleanValue("client", true),
  /** `default` */
  default: (client: Client): string => client.getStringValue("default", "a \"b\" \\(c)\u000a"),
  /** `empty` */
  empty: (client: Client): JsonValue => client.getObjectValue<JsonValue>("empty", {}),
  /** `far` */
  far: (client: Client): number => client.getNumberValue("far", 5000000000),
  /** `flag-key` */
  flagKey: (client: Client): FlagKey => client.getObjectValue<JsonValue>("flag-key", { "flag-data": "#FFF" }) as FlagKey,
  /** `home/banner` */
  homeBanner: (client: Client): string => client.getStringValue("home/banner", "Übersicht — 日本語 $name ${1 + 1} \u0009"),
  /** `init` */
  init: (client: Client): string => client.getStringValue("init", ""),
  /**
   * How often.
   *
   * `limits`
   */
  limits: (client: Client): Limits => client.getObjectValue<JsonValue>("limits", { "max": 3, "back-off": { "let": 1, "steps": [1, 2.5] }, "none": null, "hosts": [{ "name": "a", "port": 80 }, { "name": "b", "inout": true }] }) as Limits,
  /** `list` */
  list: (client: Client): JsonValue => client.getObjectValue<JsonValue>("list", ["$a", null, true, 1.5, -2147483648, 5000000000, {}]),
  /** `mixed` */
  mixed: (client: Client): Mixed => client.getObjectValue<JsonValue>("mixed", { "all": [1, "two", [null], { "a": 1.0 }], "empty": [] }) as Mixed,
  /**
   * Two steps
   * in one.
   *
   * `new-basket`
   */
  newBasket: (client: Client): boolean => client.getBooleanValue("new-basket", false),
  /** `new.basket` */
  newBasket2: (client: Client): boolean => client.getBooleanValue("new.basket", true),
  /** `new_basket` */
  newBasket3: (client: Client): boolean => client.getBooleanValue("new_basket", false),
  /** `price$` */
  price: (client: Client): number => client.getNumberValue("price$", 9.50),
  /** `py.title` */
  pyTitle: (client: Client): string => client.getStringValue("py.title", "Ready?"),
  /** `ratio` */
  ratio: (client: Client): number => client.getNumberValue("ratio", 1),
  /** `retries` */
  retries: (client: Client): number => client.getNumberValue("retries", -1),
  /** `self` */
  self: (client: Client): string => client.getStringValue("self", "https://example.com"),
  /** `share` */
  share: (client: Client): number => client.getNumberValue("share", 2.5e-3),
  /** `to-string` */
  toString: (client: Client): string => client.getStringValue("to-string", "*/"),
} as const;
