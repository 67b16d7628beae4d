import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

extension CommandLineProgram {
    /// Signs in as alice, with a browser that opens the printed address.
    ///
    /// - Returns: the command's output.
    @discardableResult
    func signIn(_ options: String..., sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
        let program = try start(["login", "--no-browser"] + options)
        let page = try #require(try program.page, sourceLocation: sourceLocation)
        let callback = try SignInBrowser.signIn(at: page)
        // A callback with another state must be rejected.
        let other = callback.replacing(/state=[^&]+/, with: "state=other")
        #expect(try SignInBrowser.open(other) == 400, sourceLocation: sourceLocation)
        #expect(try SignInBrowser.open(callback) == 200, sourceLocation: sourceLocation)
        let status = program.wait(upTo: .seconds(30))
        let errors = String(decoding: program.errorBytes, as: UTF8.self)
        try #require(status == 0, "\(errors)", sourceLocation: sourceLocation)
        return String(decoding: program.outputBytes, as: UTF8.self)
    }
}

extension BackgroundCommand {
    /// The address of the sign-in page that `almanac login` prints, or nil if it prints none.
    var page: String? {
        get throws {
            var page: String?
            _ = eventually(within: .seconds(30)) {
                let said = String(decoding: outputBytes, as: UTF8.self).replacing("\\/", with: "/")
                page = said.firstMatch(of: /(https?:\/\/\S*?code_challenge_method=S256)["\n]/).map {
                    String($0.output.1)
                }
                return page != nil || !isRunning
            }
            return page
        }
    }
}

extension TemporaryFolder {
    /// The path of the only sign-in file beside this folder's profile file.
    var login: String {
        get throws {
            let names = try File.names(inFolder: "\(path)/logins").filter { $0.hasSuffix(".json") }
            try #require(names.count == 1)
            return "\(path)/logins/\(names[0])"
        }
    }

    func tokens() throws -> (access: String, refresh: String) {
        let signIn = try #require(try JSONValue(parsing: File.read(login)).objectValue?["signIn"]?.objectValue)
        let tokens = try #require(signIn["tokens"]?.objectValue)
        return (try #require(tokens["accessToken"]?.stringValue), try #require(tokens["refreshToken"]?.stringValue))
    }

    /// Makes the stored access token expired.
    func expire() throws {
        let before = String(decoding: try File.read(login), as: UTF8.self)
        let after = before.replacing(/"expiresAt":[0-9.e+-]+/, with: "\"expiresAt\":0")
        try #require(after != before)
        try File.replace(try login, contents: Array(after.utf8), permissions: 0o600)
    }
}
