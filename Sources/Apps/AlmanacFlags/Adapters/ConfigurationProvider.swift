// The package's trait SwiftConfiguration adds the dependency apple/swift-configuration 1.2.
#if SwiftConfiguration && canImport(Configuration)
    public import Configuration

    /// A swift-configuration provider whose values are flags. A configuration key is a flag's key.
    ///
    /// ```swift
    /// let config = ConfigReader(providers: [RemoteFlagsConfigProvider(flags)])
    /// let isNew = config.bool(forKey: "checkout.new", default: false)
    /// ```
    ///
    /// A flag without a value has none here either, so that the next provider or the default applies. To receive
    /// updates, also run ``RemoteFlags/follow()``.
    public struct RemoteFlagsConfigProvider: ConfigProvider {
        private let flags: RemoteFlags

        /// Creates a provider of a client's flags.
        public init(_ flags: RemoteFlags) { self.flags = flags }

        /// The provider's name in reports.
        public var providerName: String { Self.name }

        fileprivate static let name = "RemoteFlags"

        /// Returns the visible value.
        ///
        /// - Throws: ``FlagError`` if the value has another type.
        public func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
            try FlagsConfigSnapshot(values: flags.values).value(forKey: key, type: type)
        }

        /// Fetches the flags and returns the value.
        ///
        /// - Throws: ``FlagFailure`` if the fetch fails.
        public func fetchValue(forKey key: AbsoluteConfigKey, type: ConfigType) async throws -> LookupResult {
            try await flags.fetch(force: true)
            return try value(forKey: key, type: type)
        }

        /// Reports the visible value and each later one.
        public func watchValue<Return: ~Copyable>(
            forKey key: AbsoluteConfigKey, type: ConfigType,
            updatesHandler: (_ updates: ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>) async throws
                -> Return
        ) async throws -> Return {
            let name = key.flagName
            let results = flags.updates.filter { $0.isFirst || $0.keys.contains(name) }.map { update in
                Result { try FlagsConfigSnapshot(values: update.values).value(forKey: key, type: type) }
            }
            return try await updatesHandler(ConfigUpdatesAsyncSequence(results))
        }

        /// Returns all visible values.
        public func snapshot() -> any ConfigSnapshot { FlagsConfigSnapshot(values: flags.values) }

        /// Reports all visible values and each later set.
        public func watchSnapshot<Return: ~Copyable>(
            updatesHandler: (_ updates: ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>) async throws -> Return
        ) async throws -> Return {
            let snapshots = flags.updates.map { FlagsConfigSnapshot(values: $0.values) as any ConfigSnapshot }
            return try await updatesHandler(ConfigUpdatesAsyncSequence(snapshots))
        }
    }

    private struct FlagsConfigSnapshot: ConfigSnapshot {
        let values: FlagValues

        var providerName: String { RemoteFlagsConfigProvider.name }

        func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
            let name = key.flagName
            guard let answer = values.answer(name) else { return LookupResult(encodedKey: name, value: nil) }
            func read<Value: Decodable>(
                _ type: Value.Type, _ content: (Value) -> ConfigContent
            ) throws -> ConfigContent? {
                let (value, error) = values.read(name, answer, as: type)
                if let error, error.code == .typeMismatch { throw error }
                return value.map(content)
            }
            let content: ConfigContent? =
                switch type {
                case .string: try read(String.self) { .string($0) }
                case .int: try read(Int.self) { .int($0) }
                case .double: try read(Double.self) { .double($0) }
                case .bool: try read(Bool.self) { .bool($0) }
                case .stringArray: try read([String].self) { .stringArray($0) }
                case .intArray: try read([Int].self) { .intArray($0) }
                case .doubleArray: try read([Double].self) { .doubleArray($0) }
                case .boolArray: try read([Bool].self) { .boolArray($0) }
                case .bytes, .byteChunkArray:
                    throw FlagError(
                        code: .typeMismatch,
                        details: "flags have no values of this type; expected a type other than bytes")
                }
            return LookupResult(encodedKey: name, value: content.map { ConfigValue($0, isSecret: false) })
        }
    }

    extension AbsoluteConfigKey {
        /// The flag's key: the parts of the configuration key, joined by dots.
        fileprivate var flagName: String { components.joined(separator: ".") }
    }
#endif
