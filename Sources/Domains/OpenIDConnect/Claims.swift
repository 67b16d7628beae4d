internal import AlmanacForms
internal import AlmanacJSON
internal import AlmanacPOSIX
internal import AlmanacTimestamps

/// A token's claims (RFC 7519 §4, RFC 9068 §2.2).
struct Claims {
    private let claims: JSONObject

    /// The tolerated difference between the clocks of issuer and worker, in milliseconds.
    static let leeway: Int64 = 60_000

    init(_ claims: JSONObject) { self.claims = claims }

    /// Checks all claims of an access token, but not its signature.
    ///
    /// - Parameter now: in milliseconds since 1970.
    func check(issuer: String, audience: String, now: Int64) throws(TokenFailure) -> VerifiedToken {
        try refuseOtherKinds()
        return try checkIssuance(issuer: issuer, audience: audience, now: now)
    }

    /// Checks all claims of an ID token, but not its signature (OpenID Connect Core §3.1.3.7).
    ///
    /// - Parameter authenticatedSince: the earliest time of the user's sign-in, in milliseconds since 1970; nil for
    ///   any.
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

    /// Returns the texts of a claim, which is a string or an array. If no claim has the name, it is a path with dots.
    func texts(_ name: String) -> [String] {
        var value = claims[name]
        if value == nil {
            value = name.split(separator: ".").reduce(JSONValue?.some(.object(claims))) { $0?.objectValue?[String($1)] }
        }
        if let text = value?.stringValue { return [text] }
        return value?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    /// The claims that may contain the name of a person, in order of preference (OpenID Connect Core §5.1).
    static let nameClaims = ["name", "preferred_username", "email"]

    /// The name of the person: at most 100 characters on one line, without control characters; nil if there is none.
    var personName: String? {
        Self.nameClaims.lazy.compactMap { claims[$0]?.stringValue.flatMap(PersonName.init)?.text }.first
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
            issuer: issuer, subject: subject, name: personName, scopes: try scopes,
            expiresAt: Timestamp(milliseconds: expiry))
    }

    /// Throws if the claims describe a token other than an access token: some providers sign all their tokens with the
    /// same key and for the same audience.
    private func refuseOtherKinds() throws(TokenFailure) {
        // Amazon Cognito and nanoidp use this claim.
        if let use = try string("token_use"), use.lowercased() != "access" { throw .notAnAccessToken }
        // Keycloak uses `typ`, with "Refresh", "Offline", "ID", "Logout" and more for other tokens; several frameworks
        // use `token_type`.
        for name in ["typ", "token_type"] {
            guard let type = try string(name) else { continue }
            let words = ["bearer", "access", "access_token", "jwt", "at+jwt"]
            guard words.contains(type.lowercased()) else { throw .notAnAccessToken }
        }
        // Only an ID token has hashes of other tokens (OpenID Connect Core §3.1.3.6, §3.3.2.11), and only a logout
        // token has events (OpenID Connect Back-Channel Logout §2.4).
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

    /// The scopes in `scope`, a string (RFC 8693 §4.2), or in `scp`, which some providers use.
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

    /// Reads a NumericDate (RFC 7519 §2) in milliseconds since 1970.
    private func time(_ name: String) throws(TokenFailure) -> Int64? {
        guard let value = claims[name] else { return nil }
        // The number may have a fraction. No timestamp exceeds the year 9999.
        guard let text = value.numberValue?.text, let seconds = Double(text),
            (0...Double(Timestamp.latest.milliseconds / 1000)).contains(seconds)
        else { throw .malformed }
        return Int64(seconds * 1000)
    }
}
