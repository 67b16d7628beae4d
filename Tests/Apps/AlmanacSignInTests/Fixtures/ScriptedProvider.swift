import AlmanacClientRuntime
import AlmanacTestSupport
import Foundation
import Synchronization

@testable import AlmanacSignIn

/// A provider whose responses a test defines. The time is 1000 s after 1970.
struct ScriptedProvider: Sendable {
    typealias Response = TransportResponse<ByteStream>

    static let issuer = "https://login.example.com"
    private static let wellKnown = "/.well-known/openid-configuration"
    let transport: ScriptedTransport

    /// - Parameter respond: responds to requests other than discovery, given the number of earlier such requests.
    init(
        discovery: String = ScriptedProvider.discovery(),
        _ respond: @escaping @Sendable (TransportRequest, Int) async throws(TransportFailure) -> Response = { _, _ in
            .json("", status: 500)
        }
    ) {
        let requestCount = Mutex(0)
        transport = ScriptedTransport { request, _ throws(TransportFailure) in
            if request.url.hasSuffix(Self.wellKnown) { return .json(discovery) }
            let count = requestCount.withLock { count in
                defer { count += 1 }
                return count
            }
            return try await respond(request, count)
        }
    }

    static func discovery(_ more: String = "") -> String {
        """
        {"issuer": "\(issuer)", "authorization_endpoint": "\(issuer)/authorize?tenant=7",
         "token_endpoint": "\(issuer)/token"\(more)}
        """
    }

    /// The requests other than discovery.
    var requests: [TransportRequest] { transport.requests.filter { !$0.url.hasSuffix(Self.wellKnown) } }

    func session(_ storage: any TokenStorage, clientID: String = "notes-app") -> SignInSession {
        var options = SignInOptions(issuer: Self.issuer, clientID: clientID, transport: transport)
        options.clock = ManualClock(date: Date(timeIntervalSince1970: 1000))
        return SignInSession(options, storage: storage)
    }
}

extension TransportResponse<ByteStream> {
    static func json(_ text: String, status: Int = 200) -> TransportResponse<ByteStream> { .text(text, status: status) }

    /// Returns tokens that expire at 1000 + `expiresIn`.
    static func tokens(_ number: Int, idToken: String? = nil, expiresIn: Int = 3600) -> TransportResponse<ByteStream> {
        let more = idToken.map { ", \"id_token\": \"\($0)\"" } ?? ""
        return .json(
            """
            {"access_token": "access-\(number)", "token_type": "bearer", "refresh_token": "refresh-\(number)",
             "expires_in": \(expiresIn)\(more)}
            """)
    }
}

extension TransportRequest {
    var form: [String: String] { Form.decode(String(decoding: body ?? [], as: UTF8.self)) ?? [:] }
}

/// Returns an ID token with these claims. No test verifies its signature.
func idToken(_ claims: String) -> String {
    "\(Base64URL.encode(Array(#"{"alg":"RS256"}"#.utf8))).\(Base64URL.encode(Array(claims.utf8))).c2lnbmF0dXJl"
}
