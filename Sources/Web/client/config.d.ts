/** An object with the methods of Web Storage. */
export interface Storage {
    getItem(key: string): string | null;
    setItem(key: string, value: string): void;
    removeItem(key: string): void;
}

export interface Options {
    /** The address of the instance, such as `https://config.example.com`. */
    url: string;
    environment: string;
    /** The version that the app was built for, such as `"1"`: values keep the types and keys of this major. */
    version: string;
    /** A token with `config:read`, for an environment that is not public. Everybody who has the page can read it. */
    token?: string;
    /** Values until the server or the cache has others. */
    defaults?: Record<string, unknown>;
    /** The storage of the cache: `localStorage` in a page and none in Node by default; null stores nothing. */
    storage?: Storage | null;
    /** False fetches at the start, when the page becomes visible again, and by `refresh`. */
    live?: boolean;
    /** `"next-start"` stores fetched values and uses them from the next start; without a cache, the first ones at once. */
    apply?: "now" | "next-start";
}

export interface Status {
    /** The origin of the values in use. */
    source: "server" | "cache" | "defaults";
    live: "stream" | "poll" | "off";
    /** `"refused"` if the storage threw: nothing is cached. */
    storage: "ok" | "none" | "refused";
    /** The failure of the last fetch; null after a success. */
    error: string | null;
    /** The version of the newest fetched config. */
    version: string | null;
}

type Widened<T> = T extends string ? string : T extends number ? number : T extends boolean ? boolean : T;

export interface Config {
    /** Resolves when the cache was read, or, without a cache, when the first fetch has ended. Never rejects. */
    readonly ready: Promise<void>;
    readonly status: Status;
    /** Returns the value of a key if it has the type of the default, else the default. Never throws. */
    get<T>(key: string, fallback: T): Widened<T>;
    /** Returns all values, with the defaults of missing keys. */
    entries(): Record<string, unknown>;
    /** Calls `fn` with the changed keys among `keys` (null: all keys). Returns a function that ends this. */
    subscribe(
        keys: string | readonly string[] | null,
        fn: (changed: string[]) => void,
        options?: { signal?: AbortSignal },
    ): () => void;
    /** Fetches what has changed. Returns false if that failed; `status.error` is the reason. */
    refresh(): Promise<boolean>;
    /** Ends the connection; the values stay readable. */
    close(): void;
}

export function createConfig(options: Options): Config;
