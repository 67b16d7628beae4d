import AlmanacHTTPSClient
import AlmanacTestSupport
import AlmanacTransport
import Testing

/// Tests the checks of a server's certificate. The server is the `openssl` command.
@Suite struct CertificateTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Makes a certificate authority, or a certificate signed by it.
    private func certify(_ name: String, _ arguments: String...) throws {
        let outcome = try Command.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                "-subj", "/CN=\(name)", "-keyout", "\(folder.path)/\(name).key", "-out", "\(folder.path)/\(name).pem",
            ] + arguments)
        try #require(outcome.succeeded, "\(outcome.errors)")
    }

    private func certifyServer(for alternative: String) throws {
        try certify("authority")
        try certify(
            "server", "-CA", "\(folder.path)/authority.pem", "-CAkey", "\(folder.path)/authority.key", "-addext",
            "subjectAltName=\(alternative)", "-addext", "basicConstraints=critical,CA:FALSE")
    }

    /// Starts a server that responds to every request with a page about itself.
    private func serve(_ arguments: String...) throws -> (server: BackgroundCommand, address: WebAddress) {
        let files = ["-cert", "\(folder.path)/server.pem", "-key", "\(folder.path)/server.key"]
        let server = try BackgroundCommand(
            "openssl", ["s_server", "-accept", "127.0.0.1:0", "-www"] + files + arguments)
        var port: Substring = ""
        let isReady = eventually {
            let text = String(decoding: server.outputBytes, as: UTF8.self)
            port = text.firstMatch(of: /ACCEPT [^\n]*:([0-9]+)\n/)?.output.1 ?? ""
            return !port.isEmpty
        }
        try #require(isReady, "\(String(decoding: server.errorBytes, as: UTF8.self))")
        return (server, try #require(WebAddress("https://localhost:\(port)/")))
    }

    private func isTrusted(_ address: WebAddress, by caFile: String?) throws -> Bool {
        do {
            return try HTTPSClient(caFile: caFile).get(address).body.count > 0
        } catch .unreachable(let reason) {
            #expect(reason.contains("certificate") || reason.contains("SSL"))
            return false
        }
    }

    @Test func `a private authority vouches for its servers, and only where it is named`() throws {
        try certifyServer(for: "DNS:localhost")
        try certify("stranger")
        let (server, address) = try serve()
        #expect(try isTrusted(address, by: "\(folder.path)/authority.pem"))
        #expect(try !isTrusted(address, by: nil))
        #expect(try !isTrusted(address, by: "\(folder.path)/stranger.pem"))
        #expect(try !isTrusted(address, by: "\(folder.path)/nothing.pem"))
        #expect(server.isRunning)
    }

    @Test func `a certificate for another host is not trusted`() throws {
        try certifyServer(for: "DNS:login.example.com")
        let (server, address) = try serve()
        #expect(try !isTrusted(address, by: "\(folder.path)/authority.pem"))
        #expect(server.isRunning)
    }

    @Test func `TLS 1_1 is not spoken`() throws {
        try certifyServer(for: "DNS:localhost")
        let (server, address) = try serve("-tls1_1", "-cipher", "ALL:@SECLEVEL=0")
        #expect(try !isTrusted(address, by: "\(folder.path)/authority.pem"))
        #expect(server.isRunning)
    }

    @Test func `the end of a certificate is read, of one that is trusted`() throws {
        try certifyServer(for: "DNS:localhost")
        let (server, address) = try serve()
        let client = HTTPSClient(caFile: "\(folder.path)/authority.pem")
        let dates = try Command.run("openssl", ["x509", "-in", "\(folder.path)/server.pem", "-noout", "-enddate"])
        let expiry = try #require(try client.certificateExpiry(of: address))
        #expect(dates.output == "notAfter=\(expiry)\n")
        #expect(throws: TransportFailure.self) { try HTTPSClient().certificateExpiry(of: address) }
        #expect(server.isRunning)
        let plain = try ScriptedServer { _ in .response() }
        #expect(try client.certificateExpiry(of: #require(WebAddress(plain.base))) == nil)
        #expect(plain.messages.allSatisfy { $0.isEmpty })
    }
}
