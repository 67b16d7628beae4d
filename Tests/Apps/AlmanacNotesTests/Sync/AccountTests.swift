import AlmanacNotes
import AlmanacTestSupport
import Foundation
import Testing

/// Tests that a store sends its account's tokens only.
@Suite struct AccountTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// Returns a JWT with claims, and with a signature that nobody checks.
    private static func token(_ claims: [String: String]) throws -> String {
        let parts = [Data(#"{"alg":"none"}"#.utf8), try JSONEncoder().encode(claims), Data("signature".utf8)]
        return parts.map { part in
            part.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }.joined(separator: ".")
    }

    private static let composed = UserAccount(issuer: UserAccount.alice.issuer, subject: "Zo\u{EB}")

    @Test(arguments: [
        (UserAccount.alice, UserAccount(issuer: UserAccount.alice.issuer, subject: "bob")),
        (.alice, UserAccount(issuer: "https://issuer.example.com/", subject: "alice")),
        // The two names are equal as strings, but have different bytes.
        (composed, UserAccount(issuer: UserAccount.alice.issuer, subject: "Zoe\u{308}")),
    ])
    func `the token of another user is refused, and never sent`(owner: UserAccount, other: UserAccount) async throws {
        let transport = ScriptedTransport { _, _ throws(TransportFailure) in .empty }
        let tokens = FixedToken(try Self.token(["iss": other.issuer, "sub": other.subject]))
        let store = try folder.open("notes.db", ServerAccess(transport: transport, tokens: tokens, account: owner))
        let note = try await store.create(body: "milk")
        await #expect(throws: NotesSyncFailure.otherAccount(of: other)) { try await store.sync() }
        #expect(await store.status == .failed(.otherAccount(of: other)))
        #expect(transport.requests.isEmpty)
        #expect(try await store.note(note.id)?.status == .onThisDevice)
    }

    @Test func `the newer token of another user is not sent either`() async throws {
        let bob = UserAccount(issuer: UserAccount.alice.issuer, subject: "bob")
        let own = try Self.token(["iss": UserAccount.alice.issuer, "sub": "alice"])
        let newer = try Self.token(["iss": bob.issuer, "sub": bob.subject])
        let transport = ScriptedTransport { _, _ throws(TransportFailure) in .text("", status: 401) }
        let tokens = ScriptedTokens { refused in refused == nil ? own : newer }
        let store = try folder.open("notes.db", ServerAccess(transport: transport, tokens: tokens))
        await #expect(throws: NotesSyncFailure.otherAccount(of: bob)) { try await store.sync() }
        #expect(transport.requests.count == 1)
    }

    @Test(arguments: [
        try token(["iss": UserAccount.alice.issuer, "sub": UserAccount.alice.subject]),
        "opaque", "a.b", "a.b.c", "bm8.IGpzb24.c2ln", try token(["scope": "notes"]),
    ])
    func `the account's token, and a token that names no user, are sent`(token: String) async throws {
        let transport = ScriptedTransport { _, _ throws(TransportFailure) in .empty }
        let store = try folder.open("notes.db", ServerAccess(transport: transport, tokens: FixedToken(token)))
        try await store.sync()
        let sent = transport.requests.flatMap(\.headers).filter { $0.name == "Authorization" }.map(\.value)
        #expect(Set(sent) == ["Bearer \(token)"])
    }

    @Test func `an account is read from an access token`() throws {
        let account = UserAccount(issuer: "https://issuer.example.com", subject: "ünï ✓?>")
        #expect(UserAccount(accessToken: try Self.token(["iss": account.issuer, "sub": account.subject])) == account)
        #expect(UserAccount(accessToken: try Self.token(["iss": account.issuer])) == nil)
        #expect(UserAccount(accessToken: "opaque") == nil)
    }
}
