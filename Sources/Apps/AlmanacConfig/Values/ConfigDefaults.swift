public import Foundation

/// The values that an app ships with, which hold until the server has said otherwise.
public struct ConfigDefaults: Sendable, ExpressibleByDictionaryLiteral {
    let all: [String: ConfigJSON]

    /// Takes values by their keys.
    public init(_ values: [String: ConfigJSON]) {
        all = values
    }

    /// The last of doubled keys counts.
    public init(dictionaryLiteral elements: (String, ConfigJSON)...) {
        all = Dictionary(elements) { $1 }
    }

    /// Reads an object of keys and values, as `GET /{environment}/config.json` answers it.
    ///
    /// - Throws: ``ConfigFailure/invalidValue(_:)`` when it is not such an object.
    public init(json: some Sequence<UInt8>) throws(ConfigFailure) {
        all = try ConfigObject.values(in: Array(json)[...])
    }

    /// Reads a file of that form, usually one in the app's bundle.
    ///
    /// - Throws: ``ConfigFailure/invalidValue(_:)`` when it is absent or not of that form, so that a test finds it.
    public init(file: URL) throws(ConfigFailure) {
        let data: Data
        do {
            data = try Data(contentsOf: file)
        } catch {
            throw .invalidValue("expected a file that can be read at \(file.path)")
        }
        try self.init(json: data)
    }
}
