public import Foundation

/// A settings source from a JSON document: an object with a member for each key, or another document with a mapper.
public struct JSONSettingsSource: SettingsSource {
    /// The file name or the URL.
    public let name: String
    private let load: @Sendable () async throws -> [UInt8]
    private let map: @Sendable ([UInt8]) throws -> [String: ConfigJSON]

    /// Returns the members of a JSON object as settings.
    public static let object: @Sendable ([UInt8]) throws -> [String: ConfigJSON] = { document in
        try ConfigObject.values(in: document[...])
    }

    /// Creates a source from a document in memory.
    public init(
        _ document: [UInt8], name: String = "JSON",
        map: @escaping @Sendable ([UInt8]) throws -> [String: ConfigJSON] = object
    ) {
        self.name = name
        self.map = map
        load = { document }
    }

    /// Creates a source from a file.
    public init(file: URL, map: @escaping @Sendable ([UInt8]) throws -> [String: ConfigJSON] = object) {
        name = file.lastPathComponent
        self.map = map
        load = { try Array(Data(contentsOf: file)) }
    }

    /// Creates a source from a document on a server.
    public init(
        url: URL, headers: [(name: String, value: String)] = [],
        transport: any ClientTransport = AlmanacHTTPTransport(),
        map: @escaping @Sendable ([UInt8]) throws -> [String: ConfigJSON] = object
    ) {
        name = url.absoluteString
        self.map = map
        let loader = ConfigDocumentURLLoader(url: url, headers: headers, transport: transport)
        load = { try await loader.load(validator: nil)?.bytes ?? [] }
    }

    /// Loads the document and returns its values.
    public func values() async throws -> [String: ConfigJSON] { try await map(load()) }
}
