// The package's trait OpenFeature adds the dependency open-feature/swift-sdk 0.5.0.
#if OpenFeature && canImport(OpenFeature)
    public import Combine
    public import OpenFeature
    internal import Synchronization

    /// A provider for version 0.5.0 of OpenFeature's SDK, an alpha release.
    ///
    /// ```swift
    /// await OpenFeatureAPI.shared.setProviderAndWait(provider: RemoteFlagsProvider(flags), initialContext: context)
    /// ```
    ///
    /// The provider uses OpenFeature's global context and ignores the context of a single evaluation. It follows the
    /// server's event stream from its initialization until it is released.
    public final class RemoteFlagsProvider: FeatureProvider, Sendable {
        private struct Metadata: ProviderMetadata {
            let name: String? = "Almanac"
        }

        private let flags: RemoteFlags
        /// The task that follows the server's event stream; nil before the initialization.
        private let following = Mutex<Task<Void, Never>?>(nil)

        /// Creates a provider of a client's flags.
        public init(_ flags: RemoteFlags) { self.flags = flags }

        deinit { following.withLock { $0 }?.cancel() }

        /// No hooks.
        public var hooks: [any Hook] { [] }

        /// The provider's name.
        public var metadata: any ProviderMetadata { Metadata() }

        /// Fetches the evaluations for the context and starts to follow the server's event stream.
        ///
        /// - Throws: an `OpenFeatureError` if the fetch fails and there are no cached evaluations for this context, or
        ///   if the server rejects the token or the context.
        public func initialize(initialContext: (any EvaluationContext)?) async throws {
            let context = initialContext.map { FlagContext($0) } ?? flags.values.context
            following.withLock { following in
                if following == nil { following = Task { [flags] in await flags.follow() } }
            }
            try await change(to: context)
        }

        /// Fetches the evaluations for another context. Cached evaluations for that context apply until then.
        public func onContextSet(oldContext: (any EvaluationContext)?, newContext: any EvaluationContext) async throws {
            try await change(to: FlagContext(newContext))
        }

        /// Returns a publisher of changed flags.
        public func observe() -> AnyPublisher<ProviderEvent?, Never> {
            SequencePublisher(flags.updates.dropFirst())
                .map { .configurationChanged(ProviderEventDetails(flagsChanged: $0.keys.sorted())) }
                .eraseToAnyPublisher()
        }

        /// Evaluates a Boolean flag.
        public func getBooleanEvaluation(
            key: String, defaultValue: Bool, context: (any EvaluationContext)?
        ) throws -> ProviderEvaluation<Bool> { try evaluate(key, defaultValue) { $0 } }

        /// Evaluates a string flag.
        public func getStringEvaluation(
            key: String, defaultValue: String, context: (any EvaluationContext)?
        ) throws -> ProviderEvaluation<String> { try evaluate(key, defaultValue) { $0 } }

        /// Evaluates an integer flag.
        public func getIntegerEvaluation(
            key: String, defaultValue: Int64, context: (any EvaluationContext)?
        ) throws -> ProviderEvaluation<Int64> { try evaluate(key, Int(clamping: defaultValue)) { Int64($0) } }

        /// Evaluates a number flag.
        public func getDoubleEvaluation(
            key: String, defaultValue: Double, context: (any EvaluationContext)?
        ) throws -> ProviderEvaluation<Double> { try evaluate(key, defaultValue) { $0 } }

        /// Evaluates a flag of any type.
        public func getObjectEvaluation(
            key: String, defaultValue: Value, context: (any EvaluationContext)?
        ) throws -> ProviderEvaluation<Value> { try evaluate(key, FlagData(defaultValue)) { Value($0) } }

        private func change(to context: FlagContext) async throws {
            do throws(FlagFailure) {
                _ = try await flags.setContext(context)
            } catch {
                // Cached evaluations for this context are better than an error.
                if flags.values.origin == .none || error.isPermanent { throw OpenFeatureError(error) }
            }
        }

        private func evaluate<Kept: Decodable & Sendable, Given>(
            _ key: String, _ defaultValue: Kept, _ convert: (Kept) -> Given
        ) throws -> ProviderEvaluation<Given> {
            let details = flags.details(key, default: defaultValue)
            if let error = details.error { throw OpenFeatureError(error, key: key) }
            return ProviderEvaluation(
                value: convert(details.value), flagMetadata: details.metadata.compactMapValues { MetadataValue($0) },
                variant: details.variant, reason: details.origin == .cached ? "CACHED" : details.reason.rawValue)
        }
    }

    extension OpenFeatureError {
        fileprivate init(_ failure: FlagFailure) {
            self =
                failure.isPermanent ? .providerFatalError(message: "\(failure)") : .generalError(message: "\(failure)")
        }

        fileprivate init(_ error: FlagError, key: String) {
            self =
                switch error.code {
                case .notReady: .providerNotReadyError
                case .notFound: .flagNotFoundError(key: key)
                case .parseError: .parseError(message: error.details)
                case .typeMismatch: .typeMismatchError
                case .targetingKeyMissing: .targetingKeyMissingError
                case .invalidContext: .invalidContextError
                default: .generalError(message: "\(error)")
                }
        }
    }

    extension FlagContext {
        fileprivate init(_ context: any EvaluationContext) {
            let key = context.getTargetingKey()
            self.init(targetingKey: key.isEmpty ? nil : key, context.asMap().mapValues { FlagData($0) })
        }
    }

    extension FlagData {
        fileprivate init(_ value: Value) {
            self =
                switch value {
                case .boolean(let value): .bool(value)
                case .string(let value): .string(value)
                case .integer(let value): .int(Int(clamping: value))
                case .double(let value): .double(value)
                case .date(let value): .date(value)
                case .list(let value): .list(value.map { FlagData($0) })
                case .structure(let value): .object(value.mapValues { FlagData($0) })
                case .null: .null
                }
        }
    }

    extension Value {
        fileprivate init(_ data: FlagData) {
            self =
                switch data {
                case .bool(let value): .boolean(value)
                case .string(let value): .string(value)
                case .int(let value): .integer(Int64(value))
                case .double(let value): .double(value)
                case .date(let value): .date(value)
                case .list(let value): .list(value.map { Value($0) })
                case .object(let value): .structure(value.mapValues { Value($0) })
                case .null: .null
                }
        }
    }

    extension MetadataValue {
        /// Creates metadata. OpenFeature supports strings, numbers and Booleans only.
        fileprivate init?(_ data: FlagData) {
            switch data {
            case .bool(let value): self = .boolean(value)
            case .string(let value): self = .string(value)
            case .int(let value): self = .integer(Int64(value))
            case .double(let value): self = .double(value)
            case .date, .list, .object, .null: return nil
            }
        }
    }
#endif
