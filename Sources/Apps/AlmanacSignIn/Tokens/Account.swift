/// Who is signed in: a subject of an issuer, as in the ID token.
public struct Account: Sendable, Hashable, Codable {
    public let issuer: String
    public let subject: String

    public init(issuer: String, subject: String) {
        self.issuer = issuer
        self.subject = subject
    }
}
