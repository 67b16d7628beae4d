import type { Storage } from "./config.d.ts";

export interface ProviderOptions {
    /** The address of the instance, such as `https://config.example.com`. */
    url: string;
    environment: string;
    /** The version that the page was built for, such as `"2"`; without one, the newest flags. */
    version?: string;
    /** A token with `flags:evaluate`; without one, public flags only. Everybody who has the page can read it. */
    token?: string;
    /** The storage of the last evaluation: `localStorage` in a page and none in Node by default; null stores nothing. */
    storage?: Storage | null;
    /** False evaluates at the start, when the context changes, and when the page becomes visible again. */
    live?: boolean;
}

export interface Resolution<T> {
    value: T;
    variant?: string;
    reason?: string;
    flagMetadata?: Record<string, string | number | boolean>;
    // biome-ignore lint/suspicious/noExplicitAny: OpenFeature's enumeration ErrorCode has the same texts.
    errorCode?: any;
    errorMessage?: string;
}

/** A provider for `OpenFeature.setProvider` of OpenFeature's web SDK. */
export interface Provider {
    readonly metadata: { readonly name: string };
    readonly runsOn: "client";
    // biome-ignore lint/suspicious/noExplicitAny: OpenFeature's SDK has the type of the emitter.
    readonly events: any;
    initialize(context?: object): Promise<void>;
    onContextChange(before: object, after: object): Promise<void>;
    onClose(): Promise<void>;
    resolveBooleanEvaluation(key: string, fallback: boolean): Resolution<boolean>;
    resolveStringEvaluation(key: string, fallback: string): Resolution<string>;
    resolveNumberEvaluation(key: string, fallback: number): Resolution<number>;
    resolveObjectEvaluation<T>(key: string, fallback: T): Resolution<T>;
}

export class AlmanacProvider implements Provider {
    constructor(options: ProviderOptions);
    readonly metadata: { readonly name: string };
    readonly runsOn: "client";
    // biome-ignore lint/suspicious/noExplicitAny: OpenFeature's SDK has the type of the emitter.
    readonly events: any;
    initialize(context?: object): Promise<void>;
    onContextChange(before: object, after: object): Promise<void>;
    onClose(): Promise<void>;
    resolveBooleanEvaluation(key: string, fallback: boolean): Resolution<boolean>;
    resolveStringEvaluation(key: string, fallback: string): Resolution<string>;
    resolveNumberEvaluation(key: string, fallback: number): Resolution<number>;
    resolveObjectEvaluation<T>(key: string, fallback: T): Resolution<T>;
}
