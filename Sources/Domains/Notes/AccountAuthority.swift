public import AlmanacHTTP

/// Tells which user sends a request.
public protocol AccountAuthority: Sendable {
    /// The user whose token the request carries; nil when it carries no `Authorization` header.
    ///
    /// A token that isn't valid here, or is no user's, is refused.
    func caller(of request: Request) throws(Problem) -> VerifiedUser?
}

/// A user as a verified token names them: who signed it, and whom that one means.
public struct VerifiedUser: Hashable, Sendable {
    public let issuer: String
    public let subject: String

    public init(issuer: String, subject: String) {
        self.issuer = issuer
        self.subject = subject
    }

    public static func == (left: VerifiedUser, right: VerifiedUser) -> Bool {
        left.issuer.utf8.elementsEqual(right.issuer.utf8) && left.subject.utf8.elementsEqual(right.subject.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        for byte in issuer.utf8 { hasher.combine(byte) }
        hasher.combine(0 as UInt8)
        for byte in subject.utf8 { hasher.combine(byte) }
    }
}
