public import Foundation

/// Defaults in a JSON document: an object of keys and values, or any other that a mapper makes one of.
public struct JSONSettingsSource: SettingsSource {
    /// That of the file, or the address.
    public let name: String
    private let load: @Sendable () async throws -> [UInt8]
    private let map: @Sendable ([UInt8]) throws -> [String: ConfigJSON]

    /// Takes each member of an object as a setting.
    public static let object: @Sendable ([UInt8]) throws -> [String: ConfigJSON] = { document in
        try ConfigObject.values(in: document[...])
    }

    /// A document that is here already.
    public init(
        _ document: [UInt8], name: String = "JSON",
        map: @escaping @Sendable ([UInt8]) throws -> [String: ConfigJSON] = object
    ) {
        self.name = name
        self.map = map
        load = { document }
    }

    /// A file.
    public init(file: URL, map: @escaping @Sendable ([UInt8]) throws -> [String: ConfigJSON] = object) {
        name = file.lastPathComponent
        self.map = map
        load = { try Array(Data(contentsOf: file)) }
    }

    /// A document on a server.
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

    /// The values of the document as it is now.
    public func values() async throws -> [String: ConfigJSON] { try await map(load()) }
}
