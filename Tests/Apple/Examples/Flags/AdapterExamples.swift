import AlmanacFlags
import Configuration
import OpenFeature

/// The examples of the adapters, which need the package's traits.
enum AdapterExamples {
    static func openFeature(_ flags: RemoteFlags, _ context: sending any EvaluationContext) async {
        let provider = RemoteFlagsProvider(flags)
        await OpenFeatureAPI.shared.setProviderAndWait(provider: provider, initialContext: context)
    }

    static func comment(_ flags: RemoteFlags, _ context: sending any EvaluationContext) async {
        await OpenFeatureAPI.shared.setProviderAndWait(provider: RemoteFlagsProvider(flags), initialContext: context)
    }

    static func configuration(_ flags: RemoteFlags) -> Bool {
        let config = ConfigReader(providers: [RemoteFlagsConfigProvider(flags)])
        let isNew = config.bool(forKey: "checkout.new", default: false)
        return isNew
    }
}
