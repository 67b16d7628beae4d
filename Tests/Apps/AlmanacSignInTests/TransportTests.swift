import AlmanacTestSupport
import Foundation
import Testing

@testable import AlmanacSignIn

/// Tests of requests over the real transport, to servers that are no providers.
@Suite struct TransportTests {
    private func send(
        _ answer: ScriptedServer.Answer, timeout: Duration = .seconds(30)
    ) async throws -> TransportResponse<[UInt8]> {
        let server = try ScriptedServer { path in path == "/secret" ? .response(body: "stolen".utf8) : answer }
        var options = SignInOptions(issuer: server.base, clientID: "notes-app")
        options.timeout = timeout
        var request = TransportRequest("POST", server.base + "/token")
        request.body = Array("code=secret-code".utf8)
        let result = await Result { [options, request] in try await Provider(options: options).send(request) }
        #expect(server.requests.count(where: { $0 == "/secret" }) == 0)
        return try result.get()
    }

    @Test func `an answer is given whatever its status`() async throws {
        let answer = try await send(.response("400 Bad Request", body: "{}".utf8))
        #expect(answer.status == 400 && answer.body == Array("{}".utf8))
    }

    @Test(arguments: ["302 Found", "307 Temporary Redirect"])
    func `a redirect is not followed`(status: String) async throws {
        #expect(try await send(.response(status, headers: ["Location: /secret"])).status / 100 == 3)
    }

    @Test func `an endless answer is cut off, a silent one given up`() async throws {
        let body = [UInt8](repeating: 32, count: (1 << 20) + 1)
        await #expect { try await send(.response(body: body)) } throws: {
            if case SignInFailure.unexpectedResponse = $0 { true } else { false }
        }
        await #expect { try await send(.silence, timeout: .milliseconds(200)) } throws: {
            if case SignInFailure.unreachable = $0 { !"\($0)".contains("secret-code") } else { false }
        }
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nshort", "SSH-2.0\r\n", "HTTP/1.1 "])
    func `half an answer is none`(bytes: String) async throws {
        await #expect(throws: SignInFailure.self) { try await send(.bytes(Array(bytes.utf8)), timeout: .seconds(5)) }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ work: () async throws -> Success) async {
        do { self = .success(try await work()) } catch { self = .failure(error) }
    }
}
