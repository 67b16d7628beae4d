import AlmanacJSON
import AlmanacNotes
import AlmanacPOSIX
import AlmanacTestSupport

/// A new user of the running instance.
struct SimulatedUser: Sendable {
    let subject: String
    let token: String
    let account: UserAccount
    private let client: HTTPClientBox

    /// - Parameter options: options of `almanac token user`.
    init(_ name: String, options: [String] = []) async throws {
        subject = "\(name)-\(UInt64.random(in: .min ... .max))"
        token = try await Self.token(for: subject, options: options)
        guard let account = UserAccount(accessToken: token) else { throw UnexpectedResult("a token without a user") }
        self.account = account
        client = HTTPClientBox(token)
    }

    static func token(for subject: String, options: [String] = []) async throws -> String {
        let instance = try Instance.current()
        let outcome = try await onThread {
            try Command.run(
                instance.path("bin/almanac"),
                [
                    "token", "user", "development", "--sub", subject, "--environments",
                    instance.path("environments.json"),
                ]
                    + options)
        }
        guard outcome.succeeded else { throw InstanceFailure(description: outcome.errors) }
        return outcome.output.filter { !$0.isWhitespace }
    }

    /// Returns the server as this user's devices reach it, behind a network.
    func server(behind network: any ClientTransport) -> ServerAccess {
        ServerAccess(transport: network, tokens: FixedToken(token), account: account)
    }

    /// Reads from the server with a client other than the library.
    func read(_ path: String) async throws -> JSONObject {
        let answer = try await onThread { [client] in try client.client().send("GET", "/development/\(path)") }
        guard answer.status == 200, let object = try answer.json().objectValue else {
            throw UnexpectedResult("\(path): \(answer.status) \(answer.text.prefix(200))")
        }
        return object
    }

    /// Sends actions with a client other than the library.
    func act(_ actions: String) async throws {
        let answer = try await onThread { [client] in
            try client.client().send("POST", "/development/notes", body: Array(actions.utf8))
        }
        guard answer.status == 200, !answer.text.contains("rejected") else { throw UnexpectedResult(answer.text) }
    }

    /// Syncs all of the user's devices until a round changes nothing. Several rounds may be needed, because a device
    /// may have to receive a change before it can send its own.
    func settle(_ stores: [NotesStore]) async throws {
        for _ in 0..<10 {
            let before = try await revision()
            var hasUnsent = false
            for store in stores {
                try await store.sync()
                if await store.hasUnsentChanges { hasUnsent = true }
            }
            if !hasUnsent, try await revision() == before { return }
        }
        throw UnexpectedResult("some device has something to send after every round")
    }

    private func revision() async throws -> Int64? {
        try await read("notes?limit=1")["revision"]?.numberValue?.int64
    }
}

/// A factory of clients, because each thread needs its own.
private struct HTTPClientBox: Sendable {
    let token: String

    init(_ token: String) { self.token = token }

    func client() throws -> HTTPClient { try Instance.current().client(token: token) }
}

extension JSONObject {
    func texts(_ name: String) -> [String] { (self[name]?.arrayValue ?? []).compactMap(\.stringValue) }
}
