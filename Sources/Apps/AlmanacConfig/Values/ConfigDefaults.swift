public import Foundation

/// The app's bundled values, which apply until the server supplies others.
public struct ConfigDefaults: Sendable, ExpressibleByDictionaryLiteral {
    let all: [String: ConfigJSON]

    /// Creates defaults from a dictionary.
    public init(_ values: [String: ConfigJSON]) { all = values }

    /// Creates defaults from a literal. The last of duplicate keys applies.
    public init(dictionaryLiteral elements: (String, ConfigJSON)...) { all = Dictionary(elements) { $1 } }

    /// Parses an object of keys and values, the form of `GET /{environment}/config.json`.
    ///
    /// - Throws: ``ConfigFailure/invalidValue(_:)`` if the JSON has another form.
    public init(json: some Sequence<UInt8>) throws(ConfigFailure) {
        all = try ConfigObject.values(in: Array(json)[...])
    }

    /// Reads a JSON file, usually of the app's bundle.
    ///
    /// - Throws: ``ConfigFailure/invalidValue(_:)`` if the file is missing or invalid, so that a test finds the error.
    public init(file: URL) throws(ConfigFailure) {
        let data: Data
        do {
            data = try Data(contentsOf: file)
        } catch {
            throw .invalidValue("the file \(file.path) could not be read")
        }
        try self.init(json: data)
    }
}
