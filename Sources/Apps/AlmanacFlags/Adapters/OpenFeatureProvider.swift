// Only where the package's trait is asked for, which takes in open-feature/swift-sdk 0.5.0.
#if OpenFeature && canImport(OpenFeature)
    public import Combine
    public import OpenFeature
    internal import Synchronization

    /// A provider for OpenFeature's SDK, which is alpha: this is for its version 0.5.0.
    ///
    /// ```swift
    /// await OpenFeatureAPI.shared.setProviderAndWait(provider: RemoteFlagsProvider(flags), initialContext: context)
    /// ```
    ///
    /// The context is the one that OpenFeature is given for all; that of a single evaluation does not count. The
    /// provider follows the server from when it is set until nobody holds it any more.
    public final class RemoteFlagsProvider: FeatureProvider, Sendable {
        private struct Metadata: ProviderMetadata {
            let name: String? = "Almanac"
        }

        private let flags: RemoteFlags
        /// What follows the server; nil until the provider is set.
        private let following = Mutex<Task<Void, Never>?>(nil)

        /// Gives OpenFeature the flags that a client keeps.
        public init(_ flags: RemoteFlags) {
            self.flags = flags
        }

        deinit {
            following.withLock { $0 }?.cancel()
        }

        /// None.
        public var hooks: [any Hook] { [] }

        /// The provider's name.
        public var metadata: any ProviderMetadata { Metadata() }

        /// Fetches what the server chooses for the context, and begins to follow it.
        ///
        /// - Throws: an `OpenFeatureError` when there is nothing for this context, not even of an earlier run.
        public func initialize(initialContext: (any EvaluationContext)?) async throws {
            let context = initialContext.map { FlagContext($0) } ?? flags.values.context
            following.withLock { following in
                if following == nil { following = Task { [flags] in await flags.follow() } }
            }
            try await change(to: context)
        }

        /// Fetches what the server chooses for another context; until then, what an earlier run has left for it holds.
        public func onContextSet(
            oldContext: (any EvaluationContext)?, newContext: any EvaluationContext
        ) async throws {
            try await change(to: FlagContext(newContext))
        }

        /// Says which flags are evaluated to something else.
        public func observe() -> AnyPublisher<ProviderEvent?, Never> {
            SequencePublisher(flags.updates.dropFirst())
                .map { .configurationChanged(ProviderEventDetails(flagsChanged: $0.keys.sorted())) }
                .eraseToAnyPublisher()
        }

        /// True or false.
        public func getBooleanEvaluation(
            key: String, defaultValue: Bool, context: (any EvaluationContext)?
        ) throws -> ProviderEvaluation<Bool> { try evaluate(key, defaultValue) { $0 } }

        /// A text.
        public func getStringEvaluation(
            key: String, defaultValue: String, context: (any EvaluationContext)?
        ) throws -> ProviderEvaluation<String> { try evaluate(key, defaultValue) { $0 } }

        /// A number without a fraction.
        public func getIntegerEvaluation(
            key: String, defaultValue: Int64, context: (any EvaluationContext)?
        ) throws -> ProviderEvaluation<Int64> { try evaluate(key, Int(clamping: defaultValue)) { Int64($0) } }

        /// Any number.
        public func getDoubleEvaluation(
            key: String, defaultValue: Double, context: (any EvaluationContext)?
        ) throws -> ProviderEvaluation<Double> { try evaluate(key, defaultValue) { $0 } }

        /// A value of any form.
        public func getObjectEvaluation(
            key: String, defaultValue: Value, context: (any EvaluationContext)?
        ) throws -> ProviderEvaluation<Value> { try evaluate(key, FlagData(defaultValue)) { Value($0) } }

        private func change(to context: FlagContext) async throws {
            do throws(FlagFailure) {
                _ = try await flags.setContext(context)
            } catch {
                // What an earlier run has left for this context is better than nothing.
                if flags.values.origin == .none || error.isForGood { throw OpenFeatureError(error) }
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
                failure.isForGood
                ? .providerFatalError(message: "\(failure)") : .generalError(message: "\(failure)")
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
        /// OpenFeature's metadata are texts, numbers and truths.
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
