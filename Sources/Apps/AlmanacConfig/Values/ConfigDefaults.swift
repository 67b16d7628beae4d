public import Foundation

/// The values that an app ships with, which hold until the server has said otherwise.
public struct ConfigDefaults: Sendable, ExpressibleByDictionaryLiteral {
    let values: [String: ConfigJSON]

    public init(_ values: [String: ConfigJSON]) {
        self.values = values
    }

    /// The last of doubled keys counts.
    public init(dictionaryLiteral elements: (String, ConfigJSON)...) {
        values = Dictionary(elements) { $1 }
    }

    /// Reads an object of keys and values, as `GET /{environment}/config.json` answers it.
    ///
    /// - Throws: ``ConfigFailure/invalidValue(_:)`` when it is not such an object.
    public init(json: some Sequence<UInt8>) throws(ConfigFailure) {
        values = try ConfigObject.values(in: Array(json)[...])
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
