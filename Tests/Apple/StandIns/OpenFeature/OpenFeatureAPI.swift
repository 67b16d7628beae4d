public final class OpenFeatureAPI: @unchecked Sendable {
    // Safe because nothing in it changes: unlike OpenFeature's, it keeps no provider.
    public static let shared = OpenFeatureAPI()

    public func setProviderAndWait(provider: FeatureProvider, initialContext: EvaluationContext?) async {
        try? await provider.initialize(initialContext: initialContext)
    }
}
