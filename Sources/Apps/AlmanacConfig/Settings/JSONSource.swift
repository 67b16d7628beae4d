public import Foundation

/// Defaults in a JSON document: an object of keys and values, or any other that a mapper makes one of.
public struct JSONSource: SettingsSource {
    public let name: String
    private let load: @Sendable () async throws -> Data
    private let map: @Sendable (Data) throws -> [String: ConfigValue]

    /// What makes settings of an object as it stands.
    public static let object: @Sendable (Data) throws -> [String: ConfigValue] = { data in
        try ConfigDocument.values(in: Array(data)[...])
    }

    /// A document that is here already.
    public init(
        _ data: Data, name: String = "JSON", map: @escaping @Sendable (Data) throws -> [String: ConfigValue] = object
    ) {
        self.name = name
        self.map = map
        load = { data }
    }

    /// A file.
    public init(file: URL, map: @escaping @Sendable (Data) throws -> [String: ConfigValue] = object) {
        name = file.lastPathComponent
        self.map = map
        load = { try Data(contentsOf: file) }
    }

    /// A document on a server.
    public init(
        url: URL, headers: [String: String] = [:], transport: any ConfigTransport = ConfigHTTPTransport(),
        map: @escaping @Sendable (Data) throws -> [String: ConfigValue] = object
    ) {
        name = url.absoluteString
        self.map = map
        let loader = URLConfigLoader(url, headers: headers, transport: transport)
        load = {
            guard let document = try await loader.load(validator: nil) else { return Data() }
            return document.data
        }
    }

    public func values() async throws -> [String: ConfigValue] { try await map(load()) }
}
