internal import AlmanacForms
internal import AlmanacPOSIX

/// The parts of the file for pages: sign-in, operators, and the console's appearance.
extension EnvironmentsFile {
    /// Reads the client from the member `identity`, and the secret from a file; returns nil without a client.
    static func signIn(_ section: Section, _ reader: FileReader) throws(EnvironmentsFailure) -> SignInClient? {
        guard let identity = try section.section("identity") else { return nil }
        let id = try identity.string("client_id")
        let path = try identity.string("client_secret_file")
        guard let id, let path else {
            if id == nil, path == nil, try identity.strings("client_scopes").isEmpty { return nil }
            throw identity.failure("'client_id' and 'client_secret_file' must both be set")
        }
        let scopes = try identity.strings("client_scopes")
        guard scopes.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x23...0x7E).contains($0) && $0 != 0x5C } })
        else { throw identity.failure("'client_scopes' must be an array of scopes, such as groups") }
        guard id.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw identity.failure("'client_id' must be ASCII")
        }
        // The owner signs nobody in, and may lack access to the secret.
        guard reader == .worker else { return SignInClient(id: id, secret: ClientSecret(text: ""), scopes: scopes) }
        let line: ArraySlice<UInt8>
        do { line = try File.read(path, limit: 4096).prefix { $0 != 10 && $0 != 13 } } catch {
            throw identity.failure("cannot read the client's secret \(path): \(error)")
        }
        guard !line.isEmpty, line.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw identity.failure("the first line of \(path) must be the client's secret, in ASCII")
        }
        return SignInClient(id: id, secret: ClientSecret(text: String(decoding: line, as: UTF8.self)), scopes: scopes)
    }

    /// Reads the member `operators`, a claim or an array of claims.
    static func operators(_ section: Section) throws(EnvironmentsFailure) -> [OperatorClaim] {
        var claims: [OperatorClaim] = []
        for operators in try section.sections("operators") {
            guard try section.section("identity")?.string("client_id") != nil else {
                throw operators.failure("operators need an identity provider to sign in; set 'client_id' in 'identity'")
            }
            let claim = try operatorClaim(operators)
            guard !claims.contains(where: { $0.name == claim.name }) else {
                throw operators.failure("the claim '\(claim.name)' is given twice; put all its scopes into one object")
            }
            claims.append(claim)
        }
        return claims
    }

    private static func operatorClaim(_ operators: Section) throws(EnvironmentsFailure) -> OperatorClaim {
        guard let claim = try operators.string("claim") else {
            throw operators.failure("'claim' is missing; expected the name of a claim, such as groups")
        }
        var values: [String: [String]] = [:]
        var makesEverybodyViewer = false
        for (name, texts) in try operators.lists(without: "claim") {
            guard Role(rawValue: name) != nil || ScopeName.isValid(name) else {
                let roles = Role.allCases.map(\.rawValue).joined(separator: ", ")
                throw operators.failure(
                    "'\(name)' is not a role or a scope; expected \(roles), or \(ScopeName.forms)")
            }
            guard !texts.isEmpty, !texts.contains("") else {
                throw operators.failure("'\(name)' must list values of the claim")
            }
            if texts.contains("*") {
                // A group of that name would otherwise grant the scope.
                guard name == Role.viewer.rawValue else {
                    throw operators.failure("'*' is everybody of the issuer, and is allowed for 'viewer' only")
                }
                makesEverybodyViewer = true
            }
            values[name] = texts.filter { $0 != "*" }
        }
        guard !values.isEmpty else {
            throw operators.failure("expected a role or a scope with the values of the claim that grant it")
        }
        return OperatorClaim(name: claim, values: values, makesEverybodyViewer: makesEverybodyViewer)
    }

    static func appearance(_ section: Section, of name: EnvironmentName) throws(EnvironmentsFailure) -> Appearance {
        guard let console = try section.section("console") else { return Appearance(of: name) }
        try console.allow("color", "caution", "origin")
        let color = try console.string("color")
        if let color, !Appearance.isColor(color) {
            throw console.failure("'color' must have the form #1d7a46")
        }
        return Appearance(of: name, color: color, needsCaution: try console.boolean("caution"))
    }

    /// Reads the member `origin` of `console`; returns nil if it is absent.
    static func consoleOrigin(_ section: Section) throws(EnvironmentsFailure) -> String? {
        guard let console = try section.section("console"), let origin = try console.string("origin") else {
            return nil
        }
        guard isOrigin(origin), origin.hasPrefix("https://") else {
            throw console.failure("'origin' must be the console's address, such as https://console.example.com")
        }
        return origin
    }
}
