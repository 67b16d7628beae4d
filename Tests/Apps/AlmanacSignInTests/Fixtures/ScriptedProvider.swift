import AlmanacPOSIX
import Foundation

@testable import AlmanacSignIn

/// A provider that says whatever a test wants.
final class ScriptedProvider: SignInTransport {
    static let issuer = "https://login.example.com"
    private let log = Monitor<[SignInRequest]>([])
    private let discovery: String
    private let answer: @Sendable (SignInRequest, Int) async throws -> SignInAnswer

    /// - Parameter answer: is given a request to another address than discovery's, and how many such came before it.
    init(
        discovery: String = ScriptedProvider.discovery(),
        _ answer: @escaping @Sendable (SignInRequest, Int) async throws -> SignInAnswer = { _, _ in
            SignInAnswer(status: 500)
        }
    ) {
        self.discovery = discovery
        self.answer = answer
    }

    static func discovery(_ more: String = "") -> String {
        """
        {"issuer": "\(issuer)", "authorization_endpoint": "\(issuer)/authorize?tenant=7",
         "token_endpoint": "\(issuer)/token"\(more)}
        """
    }

    /// What came, without discovery.
    var requests: [SignInRequest] { log.read { $0 } }

    func send(_ request: SignInRequest) async throws -> SignInAnswer {
        if request.url.hasSuffix("/.well-known/openid-configuration") {
            return SignInAnswer(status: 200, body: Array(discovery.utf8))
        }
        let count = log.update { log in
            log.append(request)
            return log.count - 1
        }
        return try await answer(request, count)
    }

    func session(
        _ storage: any TokenStorage, clientID: String = "notes-app",
        now: @escaping @Sendable () -> Date = { Date(timeIntervalSince1970: 1000) }
    ) -> SignInSession {
        var options = SignInOptions(issuer: Self.issuer, clientID: clientID, transport: self)
        options.now = now
        return SignInSession(options, storage: storage)
    }
}

extension SignInAnswer {
    static func json(_ text: String, status: Int = 200) -> SignInAnswer {
        SignInAnswer(status: status, body: Array(text.utf8))
    }

    /// Tokens that end at 1000 + `expiresIn`.
    static func tokens(_ number: Int, idToken: String? = nil, expiresIn: Int = 3600) -> SignInAnswer {
        let more = idToken.map { ", \"id_token\": \"\($0)\"" } ?? ""
        return .json(
            """
            {"access_token": "access-\(number)", "token_type": "bearer", "refresh_token": "refresh-\(number)",
             "expires_in": \(expiresIn)\(more)}
            """)
    }
}

extension SignInRequest {
    /// The fields of the form.
    var form: [String: String] { Form.decode(String(decoding: body ?? [], as: UTF8.self)) ?? [:] }
}

/// An ID token with these claims, whose signature nobody looks at.
func idToken(_ claims: String) -> String {
    "\(Base64URL.encode(Array(#"{"alg":"RS256"}"#.utf8))).\(Base64URL.encode(Array(claims.utf8))).c2lnbmF0dXJl"
}
