/// The protocol as declared in swift-configuration 1.2.
public protocol ConfigProvider: Sendable {
    var providerName: String { get }

    func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult
    func fetchValue(forKey key: AbsoluteConfigKey, type: ConfigType) async throws -> LookupResult
    func watchValue<Return: ~Copyable>(
        forKey key: AbsoluteConfigKey, type: ConfigType,
        updatesHandler: (
            _ updates: ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>
        ) async throws -> Return
    ) async throws -> Return
    func snapshot() -> any ConfigSnapshot
    func watchSnapshot<Return: ~Copyable>(
        updatesHandler: (_ updates: ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>) async throws -> Return
    ) async throws -> Return
}

public protocol ConfigSnapshot: Sendable {
    var providerName: String { get }

    func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult
}

public struct AbsoluteConfigKey: Sendable {
    public var components: [String]

    public init(_ components: [String]) { self.components = components }
}

public struct LookupResult: Sendable, Equatable, Hashable {
    public var encodedKey: String
    public var value: ConfigValue?

    public init(encodedKey: String, value: ConfigValue?) { (self.encodedKey, self.value) = (encodedKey, value) }
}

public struct ConfigValue: Sendable, Equatable, Hashable {
    public var content: ConfigContent
    public var isSecret: Bool

    public init(_ content: ConfigContent, isSecret: Bool) {
        self.content = content
        self.isSecret = isSecret
    }
}

@frozen public enum ConfigType: String, Sendable, Equatable, Hashable {
    case string, int, double, bool, bytes, stringArray, intArray, doubleArray, boolArray, byteChunkArray
}

@frozen public enum ConfigContent: Sendable, Equatable, Hashable {
    case string(String)
    case int(Int)
    case double(Double)
    case bool(Bool)
    case bytes([UInt8])
    case stringArray([String])
    case intArray([Int])
    case doubleArray([Double])
    case boolArray([Bool])
    case byteChunkArray([[UInt8]])
}

public struct ConfigUpdatesAsyncSequence<Element: Sendable, Failure: Error>: AsyncSequence {
    private let upstream: any AsyncSequence<Element, Failure>

    public init(_ upstream: some AsyncSequence<Element, Failure>) { self.upstream = upstream }

    struct Iterator: AsyncIteratorProtocol {
        var upstream: any AsyncIteratorProtocol<Element, Failure>

        mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
            try await upstream.next(isolation: actor)
        }
    }

    public func makeAsyncIterator() -> some AsyncIteratorProtocol<Element, Failure> {
        Iterator(upstream: upstream.makeAsyncIterator())
    }
}
