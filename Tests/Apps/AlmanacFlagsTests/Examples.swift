import AlmanacFlags
import Foundation
import Testing

extension FlagKeys {
    static let fasterCheckout = FlagKey("faster-checkout", default: false)
    static let retryLimits = FlagKey("limits", default: RetryLimits(retries: 3))
}

struct RetryLimits: Codable, Sendable {
    var retries: Int
}

/// The examples of the documentation, compiled. A test in Tests/Architecture compares both.
enum Examples {
    struct User {
        let id: String
    }

    static func overview(_ environment: URL, _ user: User, cache: URL) async -> Bool {
        var options = FlagOptions(
            environment: environment,
            context: FlagContext(targetingKey: user.id, ["plan": "pro", "appVersion": "3.2.1"]))
        options.cache = cache
        let flags = RemoteFlags(options)

        _ = try? await flags.fetch()
        let isFaster = flags.bool("faster-checkout", default: false)
        return isFaster
    }

    static func context(_ user: User) -> FlagContext {
        let context = FlagContext(targetingKey: user.id, ["plan": "pro", "appVersion": "3.2.1"])
        return context
    }

    static func changes(_ flags: RemoteFlags, show: (String) -> Void) async {
        let following = Task { await flags.follow() }
        for await update in flags.updates where update.keys.contains("theme") {
            show(update.values.string("theme", default: "light"))
        }
        following.cancel()
    }

    static func somebodyElse(_ flags: RemoteFlags, _ other: User) async throws {
        try await flags.setContext(FlagContext(targetingKey: other.id, ["plan": "free"]))
    }

    static func first(_ environment: URL, _ device: String, _ caches: URL) async -> RemoteFlags {
        var options = FlagOptions(environment: environment, context: FlagContext(targetingKey: device), version: "1")
        options.cache = caches.appending(path: "flags")
        options.report = { report in print(report) }
        let flags = RemoteFlags(options)

        _ = try? await flags.fetch()
        if flags.bool("faster-checkout", default: false) { print("The faster checkout.") }
        return flags
    }

    static func why(_ flags: RemoteFlags) -> FlagDetails<Bool> {
        let details = flags.details("faster-checkout", default: false)
        print(details.value, details.variant ?? "default", details.reason, details.error?.description ?? "")
        return details
    }

    static func together(_ flags: RemoteFlags) -> (Bool, Int) {
        let values = flags.values
        let (isFaster, limit) = (values.bool("faster-checkout", default: false), values.int("limit", default: 3))
        return (isFaster, limit)
    }

    static func previews() -> RemoteFlags {
        let preview = RemoteFlags(preview: ["faster-checkout": true, "theme": "dark", "limits": ["retries": 3]])
        return preview
    }

    static func typed(_ flags: RemoteFlags) -> (Bool, Int, FlagReason) {
        let isFaster = flags[.fasterCheckout]
        let retries = flags.values[.retryLimits].retries
        let reason = flags.details(.fasterCheckout).reason
        return (isFaster, retries, reason)
    }
}

@Suite struct ExampleTests {
    @Test func `the examples do what the documentation says, without a network`() async throws {
        let nowhere = URL(string: "http://127.0.0.1:1/test")!
        let folder = FileManager.default.temporaryDirectory
        #expect(await !Examples.overview(nowhere, Examples.User(id: "ada"), cache: folder))
        let flags = await Examples.first(nowhere, "device", folder)
        #expect(flags.status.lastFailure != nil)
        #expect(Examples.why(flags).error?.code == .notReady)
        #expect(Examples.together(flags) == (false, 3))
        await #expect(throws: FlagFailure.self) {
            try await Examples.somebodyElse(flags, Examples.User(id: "bob"))
        }
        #expect(flags.values.context.targetingKey == "bob")
        let preview = Examples.previews()
        #expect(Examples.typed(preview) == (true, 3, .static))
        #expect(Examples.context(Examples.User(id: "ada")).attributes["plan"] == "pro")
    }
}
