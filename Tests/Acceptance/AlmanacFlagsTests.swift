import AlmanacFlags
import AlmanacJSON
import AlmanacTestSupport
import Foundation
import Testing

extension Live {
    @Suite(.timeLimit(.minutes(5))) struct AlmanacFlagsTests {
        private let folder: TemporaryFolder
        private let development: LiveEnvironment

        init() throws { (folder, development) = try (TemporaryFolder(), LiveEnvironment("development")) }

        private func options(_ context: FlagContext, token: String? = nil, version: String? = nil) -> FlagOptions {
            var options = FlagOptions(
                environment: URL(string: "\(development.instance.url)/development")!, context: context,
                version: version, cache: URL(filePath: "\(folder.path)/cache"))
            options.minimumInterval = .zero
            options.transport = AlmanacHTTPTransport(caFile: URL(filePath: development.instance.caFile))
            options.tokens = token.map { FixedToken($0) }
            return options
        }

        @discardableResult
        private func write(_ key: String, _ definition: JSONValue) throws -> HTTPResponse {
            let response = try development.client().send(
                "PUT", development.path("config/\(key)"),
                json: .object(JSONObject([("kind", "flag"), ("value", definition)])))
            try #require(response.status == 200 || response.status == 201)
            return response
        }

        /// Returns a flag that serves the variant `pro` to users on the plan `pro`.
        private static func plan(_ pro: JSONValue, _ otherPlans: JSONValue, isPublic: Bool = true) -> JSONValue {
            [
                "state": "ENABLED", "variants": ["pro": pro, "others": otherPlans], "defaultVariant": "others",
                "targeting": ["if": [["==": [["var": "plan"], "pro"]], "pro", "others"]],
                "metadata": ["almanac.public": isPublic ? true : false],
            ]
        }

        @Test func `each context gets what the server chooses for it, also without a network`() async throws {
            try development.reset()
            try write("checkout.new", Self.plan(true, false))
            try write("checkout.limit", Self.plan(5, 3))
            try write("checkout.theme", Self.plan(["dark": true], ["dark": false]))
            try write("checkout.hidden", Self.plan("yes", "no", isPublic: false))
            let pro = FlagContext(targetingKey: "ada", ["plan": "pro"])
            let free = FlagContext(targetingKey: "ada", ["plan": "free"])
            let flags = RemoteFlags(options(pro))
            try await flags.fetch()
            #expect(flags.bool("checkout.new", default: false))
            #expect(flags.int("checkout.limit", default: 0) == 5)
            #expect(flags.decoded("checkout.theme", as: [String: Bool].self, default: [:]) == ["dark": true])
            #expect(flags.details("checkout.hidden", default: "").error?.code == .notFound)
            let details = flags.details("checkout.new", default: false)
            #expect(details.variant == "pro" && details.reason == .targetingMatch)
            #expect(try await flags.fetch() == .unchanged)
            // Only the attribute that the rules read changes.
            try await flags.setContext(free)
            #expect(!flags.bool("checkout.new", default: true))
            #expect(flags.int("checkout.limit", default: 0) == 3)

            var offline = options(pro)
            offline.environment = URL(string: "https://localhost:1/development")!
            #expect(RemoteFlags(offline).status.origin == .none)
            offline = options(pro)
            #expect(RemoteFlags(offline).int("checkout.limit", default: 0) == 5)
            offline.context = free
            #expect(RemoteFlags(offline).int("checkout.limit", default: 0) == 3)

            let known = RemoteFlags(options(pro, token: development.token))
            try await known.fetch()
            #expect(known.string("checkout.hidden", default: "") == "yes")
            let wrong = RemoteFlags(options(pro, token: "almanac_development_wrong"))
            let failure = await #expect(throws: FlagFailure.self) { try await wrong.fetch(force: true) }
            if case .refused(401, _, _)? = failure {} else { Issue.record("\(String(describing: failure))") }
        }

        @Test(arguments: [false, true]) func `a kill switch is seen by those who follow`(hasToken: Bool) async throws {
            try development.reset()
            try write("checkout.new", Self.plan(true, true))
            let flags = RemoteFlags(
                options(FlagContext(targetingKey: "ada"), token: hasToken ? development.token : nil))
            let following = Task { await flags.follow() }
            for await update in flags.updates {
                let details = update.values.details("checkout.new", default: false)
                if details.reason == .targetingMatch {
                    #expect(details.value)
                    let disabling: JSONValue = ["checkout.new": ["state": "DISABLED"]]
                    #expect(try development.client().patch(development.path("config"), disabling).status == 200)
                } else if details.reason == .disabled {
                    #expect(!details.value)
                    break
                }
            }
            await following.cancelAndWait()
            #expect(flags.status.lastFailure == nil)
        }

        @Test func `a build that pins its major keeps a variant that was removed`() async throws {
            try development.reset()
            let start = try write("checkout.limit", Self.plan(5, 3))
            let major = try #require(start.version?.split(separator: ".").first.map(String.init))
            let pro = FlagContext(targetingKey: "ada", ["plan": "pro"])
            let pinned = RemoteFlags(options(pro, version: major))
            try await pinned.fetch()
            try write(
                "checkout.limit",
                [
                    "state": "ENABLED", "variants": ["others": "many"], "defaultVariant": "others",
                    "metadata": ["almanac.public": true],
                ])
            try await pinned.fetch(force: true)
            #expect(pinned.details("checkout.limit", default: 0).variant == "pro")
            #expect(pinned.int("checkout.limit", default: 0) == 5)
            let newest = RemoteFlags(options(pro))
            try await newest.fetch()
            #expect(newest.string("checkout.limit", default: "") == "many")
        }
    }
}
