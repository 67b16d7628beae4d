import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

extension Live {
    /// Tests of the authentication of users, and of their rights beyond notes.
    @Suite struct NotesTokenTests {
        private let instance: Instance

        init() throws { instance = try Instance.current() }

        @Test func `without a token, or with one that is no user's, there are no notes`() throws {
            let calls = [
                ("GET", "notes"), ("POST", "notes"), ("GET", "notes/n1"), ("PUT", "notes/n1"), ("PATCH", "notes/n1"),
                ("DELETE", "notes/n1"), ("GET", "notes/n1/history"), ("POST", "notes/n1/restore"), ("GET", "account"),
                ("DELETE", "account"),
            ]
            for (method, path) in calls {
                let missing = try instance.client().send(method, "/development/\(path)")
                #expect(missing.outcome == "401 token-needed", "\(method) \(path)")
                #expect(missing.header("WWW-Authenticate") == #"Bearer realm="almanac""#)
                let operators = try instance.client(token: instance.token("development"))
                let refused = try operators.send(method, "/development/\(path)")
                #expect(refused.status == 401, "\(method) \(path)")
                #expect(refused.problem?.hasPrefix("token-") == true)
            }
        }

        @Test func `hostile tokens are refused, and none of them is repeated`() throws {
            let alice = try NotesUser()
            #expect(try alice.client().send("GET", "notes").status == 200)
            let parts = alice.token.split(separator: ".").map(String.init)
            let claims = try #require(try JSONValue(parsing: try decoded(parts[1])).objectValue)
            func claiming(_ name: String, _ value: JSONValue) throws -> String {
                try parts[0] + "." + base64url("\(JSONValue.object(claims.setting(name, value)))") + "." + parts[2]
            }
            let signature = parts[2].hasPrefix("A") ? "B" + parts[2].dropFirst() : "A" + parts[2].dropFirst()
            let staging = try NotesUser(in: "staging").token
            let tokens: [(what: String, token: String)] = try [
                ("another signature", parts[0] + "." + parts[1] + "." + signature),
                ("no signature", parts[0] + "." + parts[1] + "."),
                ("two parts", parts[0] + "." + parts[1]),
                ("alg none", base64url(#"{"alg":"none","typ":"at+jwt"}"#) + "." + parts[1] + "."),
                ("alg none, signed", base64url(#"{"alg":"none","typ":"at+jwt"}"#) + "." + parts[1] + "." + parts[2]),
                ("HMAC", base64url(#"{"alg":"HS256","typ":"at+jwt"}"#) + "." + parts[1] + "." + parts[2]),
                ("another subject", claiming("sub", "bob")), ("later", claiming("exp", 9_999_999_999)),
                ("another scope", claiming("scope", "admin")), ("staging's", staging),
                ("no token", "x"), ("dots", "..."), ("oversized", String(repeating: "x", count: 7000)),
                ("an API token that is none", "almanac_development_" + String(repeating: "x", count: 43)),
            ]
            for (what, token) in tokens {
                let answer = try instance.client(token: token).send("GET", "/development/notes")
                #expect(answer.outcome == "401 token-refused", "\(what)")
                #expect(answer.header("WWW-Authenticate")?.contains("invalid_token") == true, "\(what)")
                #expect(token.utf8.count < 10 || !answer.text.contains(token), "\(what)")
            }
            #expect(try instance.client(token: staging).send("GET", "/staging/notes").status == 200)
        }

        /// The leeway is a minute, and `almanac` issues no token for less than a minute, so the test signs its own.
        @Test func `an expired token is refused`() throws {
            let now = Int64(try Command.run("date", ["+%s"]).output.filter(\.isNumber)) ?? 0
            #expect(try status(expiring: now + 60) == "200")
            #expect(try status(expiring: now - 30) == "200")
            #expect(try status(expiring: now - 90) == "401 token-refused")
        }

        @Test func `a user's token writes config if its scope says so, and the history names the subject`() throws {
            let development = try LiveEnvironment("development")
            let subject = "carol-\(UInt64.random(in: .min ... .max))"
            let plain = try NotesUser(subject: subject).client()
            #expect(try plain.send("PUT", "config/k", #"{"value":"\#(subject)"}"#).outcome == "403 scope-too-small")
            let writer = try NotesUser(subject: subject, options: ["--scope", "config:write"]).client()
            let written = try writer.send("PUT", "config/k", #"{"value":"\#(subject)"}"#)
            #expect([200, 201].contains(written.status), "\(written.text)")
            #expect(try writer.send("DELETE", "config/k?purge=true").outcome == "403 scope-too-small")
            let revision = try #require(written.revision)
            let release = try development.client().send("GET", development.path("releases/\(revision)"))
            #expect(release["author"]?.stringValue == subject, "\(release.text)")
            // The scopes of config don't restrict notes, because each user has their own notes.
            #expect(try writer.send("GET", "notes").status == 200)
        }

        /// Returns the response to a token with the given expiry, signed with the development key.
        private func status(expiring time: Int64) throws -> String {
            let parts = try NotesUser().token.split(separator: ".").map(String.init)
            let claims = try #require(try JSONValue(parsing: try decoded(parts[1])).objectValue)
                .setting("iat", .number(JSONNumber(time - 600))).setting("exp", .number(JSONNumber(time)))
            let signed = try parts[0] + "." + base64url("\(JSONValue.object(claims))")
            let key = try OpenSSLKey(pem: try File.read(instance.path("development-development.key")))
            let token = try signed + "." + base64url(key.sign(Array(signed.utf8), "EdDSA"))
            return try instance.client(token: token).send("GET", "/development/notes").outcome
        }

        private func base64url(_ text: String) throws -> String { try base64url(Array(text.utf8)) }

        private func base64url(_ bytes: [UInt8]) throws -> String {
            try Command.run("base64", ["-w0"], input: bytes).output.filter { $0 != "=" }
                .replacing("+", with: "-").replacing("/", with: "_")
        }

        private func decoded(_ part: String) throws -> [UInt8] {
            let padding = String(repeating: "=", count: (4 - part.utf8.count % 4) % 4)
            let text = part.replacing("-", with: "+").replacing("_", with: "/") + padding
            return try Command.run("base64", ["-d"], input: Array(text.utf8)).outputBytes
        }
    }
}
