import AlmanacCryptography
import AlmanacPOSIX
import AlmanacTestSupport
import AlmanacTimestamps
import Glibc
import Testing

@testable import AlmanacOpenIDConnect

@Suite struct DevelopmentIssuerTests {
    private let folder: TemporaryFolder
    private let now = Timestamp(milliseconds: WallClock.milliseconds)

    init() throws { folder = try TemporaryFolder() }

    private var publicKeyFile: String { "\(folder.path)/development-a.pub" }

    private func issuer(_ environment: String = "a") throws -> DevelopmentIssuer {
        try DevelopmentIssuer(
            environment: environment, keyFile: "\(folder.path)/development-\(environment).key",
            publicKeyFile: "\(folder.path)/development-\(environment).pub")
    }

    private func token(_ environment: String = "a", subject: String = "alice", scopes: [String] = []) throws -> String {
        try issuer(environment).token(
            subject: subject, scopes: scopes, now: now, expiresAt: now.advanced(bySeconds: 3600))
    }

    private func verifier(_ environment: String = "a") -> TokenVerifier {
        TokenVerifier(developmentIn: environment, publicKeyFile: "\(folder.path)/development-\(environment).pub")
    }

    @Test func `its tokens are valid where its public key is`() throws {
        let verifier = verifier()
        let verified = try verifier.verify(token(scopes: ["config:read", "admin"]))
        #expect(verified.subject == "alice")
        #expect(verified.issuer == "urn:almanac:development:a")
        #expect(verified.scopes == ["config:read", "admin"])
        #expect(verified.expiresAt.milliseconds / 1000 == now.milliseconds / 1000 + 3600)
        #expect(try verifier.verify(token(subject: "böb \" \\ \u{1F600}")).subject == "böb \" \\ \u{1F600}")
        #expect(try verifier.verify(token()).scopes == [])
    }

    @Test func `the first run makes a key that its owner alone can read, and later runs keep it`() throws {
        _ = try token()
        let names = ["development-a.key", "development-a.pub"]
        #expect(try File.names(inFolder: folder.path) == names)
        #expect(try names.map(mode) == [0o600, 0o644])
        let contents = try names.map { try File.read("\(folder.path)/\($0)") }
        #expect(String(decoding: contents[0], as: UTF8.self).contains("PRIVATE KEY"))
        #expect(!String(decoding: contents[1], as: UTF8.self).contains("PRIVATE KEY"))
        _ = try token()
        #expect(try names.map { try File.read("\(folder.path)/\($0)") } == contents)
    }

    private func mode(of name: String) throws -> UInt32 {
        var status = stat()
        let code = unsafe stat("\(folder.path)/\(name)", &status)
        try #require(code == 0)
        return status.st_mode & 0o7777
    }

    private func remove(_ name: String) { unsafe unlink("\(folder.path)/\(name)") }

    @Test func `a public key that is gone or another's is put right`() throws {
        let verifier = verifier()
        _ = try token()
        let right = try File.read(publicKeyFile)
        for wrong in [[], Array("nonsense".utf8), SigningKey().publicKey.pem] {
            try folder.write("development-a.pub", wrong)
            _ = try token()
            #expect(try File.read(publicKeyFile) == right)
            #expect(try mode(of: "development-a.pub") == 0o644)
        }
        remove("development-a.pub")
        #expect(try verifier.verify(token()).subject == "alice")
    }

    @Test func `a new key is known with its first token, and the old one's tokens end`() throws {
        let verifier = verifier()
        let old = try token()
        #expect(try verifier.verify(old).subject == "alice")
        remove("development-a.key")
        #expect(try verifier.verify(token(subject: "bob")).subject == "bob")
        #expect(throws: TokenFailure.unknownKey) { try verifier.verify(old) }
    }

    @Test func `another environment's token is worthless, also with the same key`() throws {
        let other = try token("b")
        _ = try token("a")
        #expect(throws: TokenFailure.wrongIssuer) { try verifier("a").verify(other) }
        let shared = try DevelopmentIssuer(
            environment: "b", keyFile: "\(folder.path)/development-a.key", publicKeyFile: publicKeyFile)
        let token = shared.token(subject: "alice", scopes: [], now: now, expiresAt: now.advanced(bySeconds: 60))
        #expect(throws: TokenFailure.wrongIssuer) { try verifier("a").verify(token) }
    }

    @Test func `without a public key nothing is known`() throws {
        let good = try token()
        remove("development-a.pub")
        #expect(throws: TokenFailure.keysUnavailable) { try verifier().verify(good) }
        try folder.write("development-a.pub", "nonsense".utf8)
        #expect(throws: TokenFailure.keysUnavailable) { try verifier().verify(good) }
    }

    @Test func `processes that run first at the same moment agree on one key`() throws {
        let folder = folder
        let tokens = try concurrently(8) { index in
            let issuer = try DevelopmentIssuer(
                environment: "a", keyFile: "\(folder.path)/development-a.key",
                publicKeyFile: "\(folder.path)/development-a.pub")
            let now = Timestamp(milliseconds: WallClock.milliseconds)
            return issuer.token(subject: "user \(index)", scopes: [], now: now, expiresAt: now.advanced(bySeconds: 60))
        }
        let verifier = verifier()
        for token in tokens { _ = try verifier.verify(token) }
        #expect(try File.names(inFolder: folder.path).count == 2)
    }

    @Test func `a key that cannot be read or made is a failure that names its file`() throws {
        try folder.write("development-a.key", "nonsense".utf8)
        let failure = try #require(throws: DevelopmentKeyFailure.self) { try issuer() }
        #expect("\(failure)".contains("development-a.key"))
        #expect(throws: DevelopmentKeyFailure.self) {
            try DevelopmentIssuer(environment: "a", keyFile: "/nowhere/a.key", publicKeyFile: "/nowhere/a.pub")
        }
        #expect(throws: DevelopmentKeyFailure.self) {
            try DevelopmentIssuer(environment: "c", keyFile: "\(folder.path)/c.key", publicKeyFile: "/nowhere/c.pub")
        }
    }
}
