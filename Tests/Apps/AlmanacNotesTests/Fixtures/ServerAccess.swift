import AlmanacNotes
import AlmanacTestSupport
import Foundation

/// The transport, tokens and account of a test's store.
struct ServerAccess: Sendable {
    let transport: any ClientTransport
    var tokens: any TokenProvider = FixedToken("token")
    var account = UserAccount.alice
}

/// A token provider that a test controls.
struct ScriptedTokens: TokenProvider {
    private let token: @Sendable (_ refused: String?) throws -> String

    init(_ token: @escaping @Sendable (_ refused: String?) throws -> String) { self.token = token }

    func accessToken(replacing refused: String?) async throws -> String { try token(refused) }
}

extension Instance {
    var environment: URL { URL(string: "\(url)/development")! }

    var transport: AlmanacHTTPTransport { AlmanacHTTPTransport(caFile: URL(fileURLWithPath: caFile)) }
}

extension ScriptedTransport {
    var server: ServerAccess { ServerAccess(transport: self) }
}

extension TransportResponse<ByteStream> {
    static var empty: Self {
        .text(#"{"revision": 0, "cursor": "0.k3f9", "order": [], "details": {}, "deleted": [], "more": false}"#)
    }
}

extension TransportRequest {
    func value(_ name: String) -> String? {
        URLComponents(string: url)?.queryItems?.first { $0.name == name }?.value
    }

    var bodyText: String { String(decoding: body ?? [], as: UTF8.self) }
}
