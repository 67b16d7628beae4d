internal import AlmanacJSON
internal import AlmanacPOSIX
internal import AlmanacTimestamps

/// A token's claims (RFC 7519 §4, RFC 9068 §2.2).
struct Claims {
    private let claims: JSONObject

    /// By how much the clocks of issuer and worker may differ, in milliseconds.
    static let leeway: Int64 = 60_000

    init(_ claims: JSONObject) {
        self.claims = claims
    }

    /// Checks everything that a token can say of itself, all but the signature.
    ///
    /// - Parameter now: in milliseconds since 1970.
    func check(issuer: String, audience: String, now: Int64) throws(TokenFailure) -> VerifiedToken {
        try refuseOtherKinds()
        return try checkIssuance(issuer: issuer, audience: audience, now: now)
    }

    /// Checks everything that an ID token says of itself, all but the signature (OpenID Connect Core §3.1.3.7).
    ///
    /// - Parameter authenticatedSince: the provider must have asked the user who they are at this time or later; in
    ///   milliseconds since 1970, nil for any time.
    func checkIdentity(
        issuer: String, client: String, nonce: String, authenticatedSince: Int64?, now: Int64
    ) throws(TokenFailure) -> VerifiedToken {
        if let use = try string("token_use"), use.lowercased() != "id" { throw .notAnIDToken }
        if let type = try string("typ"), type.lowercased() != "id" { throw .notAnIDToken }
        if claims["events"] != nil { throw .notAnIDToken }
        let verified = try checkIssuance(issuer: issuer, audience: client, now: now)
        if let party = try string("azp") {
            guard party.hasSameBytes(as: client) else { throw .wrongAudience }
        } else if try audiences.count > 1 {
            throw .wrongAudience
        }
        guard let claimed = try string("nonce"), claimed.hasSameBytes(as: nonce) else { throw .wrongNonce }
        if let authenticatedSince {
            guard let time = try time("auth_time"), time >= authenticatedSince - Self.leeway, time <= now + Self.leeway
            else { throw .notFresh }
        }
        return verified
    }

    /// The texts of a claim: one, or an array of them. Where no claim has the name, its parts between dots lead there.
    func texts(_ name: String) -> [String] {
        var value = claims[name]
        if value == nil {
            value = name.split(separator: ".").reduce(JSONValue?.some(.object(claims))) { $0?.objectValue?[String($1)] }
        }
        if let text = value?.stringValue { return [text] }
        return value?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    private func checkIssuance(issuer: String, audience: String, now: Int64) throws(TokenFailure) -> VerifiedToken {
        guard let claimed = try string("iss"), claimed.hasSameBytes(as: issuer) else { throw .wrongIssuer }
        guard try audiences.contains(where: { $0.hasSameBytes(as: audience) }) else { throw .wrongAudience }
        guard let expiry = try time("exp") else { throw .noExpiry }
        if now >= expiry + Self.leeway { throw .expired }
        for name in ["nbf", "iat"] {
            if let time = try time(name), time > now + Self.leeway { throw .notYetValid }
        }
        guard let subject = try string("sub"), (1...255).contains(subject.utf8.count) else { throw .noSubject }
        return VerifiedToken(
            issuer: issuer, subject: subject, scopes: try scopes, expiresAt: Timestamp(milliseconds: expiry))
    }

    /// Refuses what says that it is something else than an access token: some providers sign all their tokens with the
    /// same key, for the same audience.
    private func refuseOtherKinds() throws(TokenFailure) {
        // Amazon Cognito's and nanoidp's word for it.
        if let use = try string("token_use"), use.lowercased() != "access" { throw .notAnAccessToken }
        // Keycloak's, where other tokens are "Refresh", "Offline", "ID", "Logout" and more; and that of several
        // frameworks.
        for name in ["typ", "token_type"] {
            guard let type = try string(name) else { continue }
            let words = ["bearer", "access", "access_token", "jwt", "at+jwt"]
            guard words.contains(type.lowercased()) else { throw .notAnAccessToken }
        }
        // Only an ID token vouches for another token (OpenID Connect Core §3.1.3.6, §3.3.2.11), and only a logout
        // token carries events (OpenID Connect Back-Channel Logout §2.4).
        if claims["at_hash"] != nil || claims["c_hash"] != nil || claims["events"] != nil { throw .notAnAccessToken }
    }

    private var audiences: [String] {
        get throws(TokenFailure) {
            switch claims["aud"] {
            case nil: return []
            case .string(let audience): return [audience]
            case let value?: return try Self.strings(value)
            }
        }
    }

    /// `scope` as one text (RFC 8693 §4.2), or `scp` as some providers have it.
    private var scopes: [String] {
        get throws(TokenFailure) {
            switch claims["scope"] ?? claims["scp"] {
            case nil, .null: return []
            case .string(let text): return text.split(separator: " ").map(String.init)
            case let value?: return try Self.strings(value)
            }
        }
    }

    private func string(_ name: String) throws(TokenFailure) -> String? {
        guard let value = claims[name] else { return nil }
        guard let text = value.stringValue else { throw .malformed }
        return text
    }

    private static func strings(_ value: JSONValue) throws(TokenFailure) -> [String] {
        guard let texts = value.arrayValue?.map(\.stringValue), !texts.contains(nil) else { throw .malformed }
        return texts.compactMap(\.self)
    }

    /// A NumericDate (RFC 7519 §2) in milliseconds since 1970.
    private func time(_ name: String) throws(TokenFailure) -> Int64? {
        guard let value = claims[name] else { return nil }
        // Numbers may have a fraction. Beyond the year 9999 no timestamp goes.
        guard let text = value.numberValue?.text, let seconds = Double(text),
            (0...Double(Timestamp.latest.milliseconds / 1000)).contains(seconds)
        else { throw .malformed }
        return Int64(seconds * 1000)
    }
}
