// The part of OpenFeature's SDK for the web that generated accessors call.
export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue };

export interface Client {
    getBooleanValue(key: string, fallback: boolean): boolean;
    getStringValue<T extends string = string>(key: string, fallback: T): T;
    getNumberValue<T extends number = number>(key: string, fallback: T): T;
    getObjectValue<T extends JsonValue = JsonValue>(key: string, fallback: T): T;
}
