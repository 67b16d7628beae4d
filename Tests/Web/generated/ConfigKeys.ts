// The config of production, version 2.3.1.
// Written by 'almanac config generate typescript'; not to be edited.

export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue };

/** A key and its default: the arguments of `config.get(...keys.name)`. */
export type Key<Value> = readonly [name: string, fallback: Value];

const key = <Value>(name: string, fallback: Value): Key<Value> => [name, fallback];

/** The major that these keys are of. */
export const major = "2";

export type AppLimitsBackOff = {
  "one": number;
  "steps": number[];
};

export type AppLimitsHosts = {
  "name": string;
  "port"?: number | null;
};

export type AppLimits = {
  "max": number;
  "back-off": AppLimitsBackOff;
  "hosts": AppLimitsHosts[];
};

export type String = {
  "a": number;
};

export type ConstructorProto = {
  "class": JsonValue[];
  "price$": number;
};

export type Constructor = {
  "__proto__": ConstructorProto;
};

export type Empty = {
};

export type MapOf = {
  "sizes": number[];
  "on": boolean;
};

export const keys = {
  /**
   * Behind the button.
   * In sRGB.
   *
   * `app.background.color`
   */
  appBackgroundColor: key<string>("app.background.color", "#FFB6C1"),
  /** `app.fun_button.text` */
  appFunButtonText: key<string>("app.fun_button.text", "Meeeeoowwww! 😸 \"\\(now)\"\u000a"),
  /** `app.fun_button.url` */
  appFunButtonUrl: key<string>("app.fun_button.url", "https://www.example.com/a?b=c"),
  /** `app.is_new` */
  appIsNew: key<boolean>("app.is_new", true),
  /**
   * How often.
   *
   * `app.limits`
   */
  appLimits: key<AppLimits>("app.limits", { "max": 3, "back-off": { "one": 1, "steps": [1, 2.5] }, "hosts": [{ "name": "a", "port": 80 }, { "name": "b" }] }),
  /** `app.mixed` */
  appMixed: key<JsonValue[]>("app.mixed", [1, "two", { "three": null }]),
  /** `app.nulls` */
  appNulls: key<JsonValue>("app.nulls", [1, null]),
  /** `app.retries` */
  appRetries: key<number>("app.retries", 3),
  /**
   * `app.timeout`
   *
   * Builds of major 1 see another value, because they know the key with another type.
   */
  appTimeout: key<number>("app.timeout", 30.0),
  /**
   * Almost the same.
   *
   * `app_timeout`
   */
  appTimeout2: key<JsonValue[]>("app_timeout", []),
  /** `default` */
  default: key<string>("default", "d"),
  /** `string` */
  string: key<String>("string", { "a": 1 }),
  /** `2fa` */
  value2fa: key<boolean>("2fa", true),
  /**
   * /&#42; one *&#47; `d` ${e} /&#42;/ *&#47;*
   *
   * `a *&#47; "b" 'c' \ `d` ${e} é`
   */
  aBCDE: key<string>("a */ \"b\" 'c' \\ `d` ${e} é", "/*/ $name ${1 + 1} \u0009\u202e"),
  /** `app.hosts` */
  appHosts: key<string[]>("app.hosts", ["a.example.com", "$b", "https://c.example.com/*"]),
  /** `class` */
  class: key<string>("class", "wide"),
  /** `constructor` */
  constructor: key<Constructor>("constructor", { ["__proto__"]: { "class": [[], {}, [null]], "price$": 1.0 } }),
  /** `empty` */
  empty: key<Empty>("empty", {}),
  /** `get` */
  get: key<string>("get", "GET"),
  /**
   * Above the list.
   *
   * `greeting`
   */
  greeting: key<string>("greeting", "Hello"),
  /** `grid` */
  grid: key<JsonValue[][]>("grid", [[1], [], [2, 3]]),
  /** `hash-code` */
  hashCode: key<number>("hash-code", 7),
  /** `home/banner` */
  homeBanner: key<string>("home/banner", "Übersicht — 日本語"),
  /** `int` */
  int: key<number>("int", -2147483648),
  /** `list-of` */
  listOf: key<number[]>("list-of", [1, 5000000000]),
  /**
   * The smallest.
   *
   * `long`
   */
  long: key<number>("long", -9223372036854775808),
  /** `major` */
  major: key<number>("major", 1),
  /** `map-of` */
  mapOf: key<MapOf>("map-of", { "sizes": [1, 3000000000], "on": true }),
  /** `nothing` */
  nothing: key<JsonValue>("nothing", null),
  /** `numbers` */
  numbers: key<number[]>("numbers", [9007199254740993, 1e-7, -1.5e308, 12345678901234567890]),
  /** `price$` */
  price: key<number>("price$", 9.50),
  /** `py.title` */
  pyTitle: key<string>("py.title", "Ready?"),
  /**
   * A time in milliseconds.
   *
   * `read`
   */
  read: key<number>("read", 1606642165000),
  /** `to` */
  to: key<string>("to", "you"),
  /**
   * 日本
   *
   * `日本`
   */
  value: key<boolean>("日本", false),
} as const;
