public import Foundation

/// The visible values, one at a time. Values that belong together are better read from one ``values``.
extension ConfigClient {
    public nonisolated func string(_ key: String, default: String) -> String { values.string(key, default: `default`) }

    public nonisolated func bool(_ key: String, default: Bool) -> Bool { values.bool(key, default: `default`) }

    public nonisolated func int(_ key: String, default: Int) -> Int { values.int(key, default: `default`) }

    public nonisolated func double(_ key: String, default: Double) -> Double { values.double(key, default: `default`) }

    public nonisolated func url(_ key: String, default: URL) -> URL { values.url(key, default: `default`) }

    public nonisolated func date(_ key: String, default: Date) -> Date { values.date(key, default: `default`) }

    public nonisolated func color(_ key: String, default: ConfigColor) -> ConfigColor {
        values.color(key, default: `default`)
    }

    public nonisolated func decoded<Value: Decodable>(
        _ key: String, as type: Value.Type, default: Value
    ) -> Value {
        values.decoded(key, as: type, default: `default`)
    }
}
