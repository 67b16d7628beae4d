public final class OpenFeatureAPI: @unchecked Sendable {
    // Safe because the class has no mutable state: unlike OpenFeature's, it stores no provider.
    public static let shared = OpenFeatureAPI()

    public func setProviderAndWait(provider: FeatureProvider, initialContext: EvaluationContext?) async {
        try? await provider.initialize(initialContext: initialContext)
    }
}
