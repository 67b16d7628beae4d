import AlmanacHTTPSClient
import AlmanacPOSIX
import AlmanacTestSupport

/// A provider for one test, with its own keys. It stops when the object is released.
final class DedicatedProvider {
    let issuer: WebAddress
    private let folder: TemporaryFolder
    private let script: String

    init() throws {
        folder = try TemporaryFolder()
        let tests = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
        script = tests.joined(separator: "/") + "/provider/provider.sh"
        let start = try Command.run(script, ["start", folder.path])
        let address = String(start.output.prefix { !$0.isNewline })
        guard start.succeeded, let issuer = WebAddress(address) else {
            throw LoginFailure(description: "the provider did not start: \(start.errors)")
        }
        self.issuer = issuer
    }

    deinit { _ = try? Command.run(script, ["stop", folder.path]) }

    /// Makes the provider sign with a new key. The provider still publishes the previous key, but no older ones.
    func rotateKeys() throws {
        let answer = try HTTPClient(base: issuer.text, caFile: nil).send("POST", "/api/keys/rotate")
        guard answer.status == 200 else { throw LoginFailure(description: "not rotated: \(answer.text)") }
    }
}
