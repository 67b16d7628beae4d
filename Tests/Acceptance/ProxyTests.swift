import AlmanacJSON
import AlmanacTestSupport
import Testing

extension Live {
    @Suite struct ProxyTests {
        private let instance: Instance

        init() throws { instance = try Instance.current() }

        @Test func `every answer has a request id and the security headers`() throws {
            for path in ["/", "/development/config", "/nowhere", "/openapi.yaml", "/development/releases"] {
                let answer = try instance.client().send("GET", path)
                #expect(answer.header("Almanac-Request-Id")?.count == 32)
                #expect(answer.header("Strict-Transport-Security") != nil)
                #expect(answer.header("X-Content-Type-Options") == "nosniff")
                #expect(answer.header("Content-Security-Policy")?.contains("frame-ancestors 'none'") == true)
                #expect(answer.header("Server") == "nginx")
            }
        }

        @Test func `a problem names the request that the log names`() throws {
            let answer = try instance.client().send("GET", "/development/config/missing")
            let id = try #require(answer.header("Almanac-Request-Id"))
            #expect(try answer.json().objectValue?["instance"]?.stringValue == "urn:almanac:request:\(id)")
        }

        @Test func `HTTP/2 is spoken to those who can`() throws {
            #expect(try instance.client().send("GET", "/development/config").httpVersion == "2")
            #expect(try instance.client(version: .http11).send("GET", "/development/config").httpVersion == "1.1")
        }

        @Test(arguments: [("--tlsv1.2", 0), ("--tlsv1.3", 0), ("--tls-max", 35)])
        func `only TLS 1.2 and 1.3 are spoken`(option: String, status: Int32) throws {
            let options = option == "--tls-max" ? [option, "1.1", "--ciphers", "DEFAULT@SECLEVEL=0"] : [option]
            let outcome = try Command.run(
                "curl",
                ["-sS", "--cacert", instance.caFile, "-o", "/dev/null"] + options
                    + [instance.url + "/development/config"], within: .seconds(20))
            #expect(outcome.status == status)
        }

        @Test func `a host name may stand for the environment`() throws {
            let port = try #require(instance.url.split(separator: ":").last)
            let outcome = try Command.run(
                "curl",
                [
                    "-sS", "--cacert", instance.caFile,
                    "--resolve", "staging.localhost:\(port):127.0.0.1", "https://staging.localhost:\(port)/config.json",
                ], within: .seconds(20))
            let staging = try instance.client().send("GET", "/staging/config.json")
            #expect(outcome.output == staging.text)
        }

        @Test func `the page and the description of the calls are there`() throws {
            let page = try instance.client().send("GET", "/")
            #expect(page.status == 200)
            #expect(page.header("Content-Type")?.hasPrefix("text/html") == true)
            #expect(page.text.contains("openapi.yaml"))
            let description = try instance.client().send("GET", "/openapi.yaml")
            #expect(description.status == 200)
            #expect(description.text.hasPrefix("openapi: 3.1"))
            let json = try instance.client().send("GET", "/openapi.json")
            #expect(json.header("Content-Type")?.hasPrefix("application/json") == true)
            #expect(try json.json().objectValue?["openapi"]?.stringValue == "3.1.0")
            #expect(try instance.client().send("GET", "/clients.html").text.contains("openapi.json"))
        }

        @Test func `pages of other origins may read public config and nothing else`() throws {
            let origin = [("Origin", "https://elsewhere.example")]
            let read = try instance.client().send("GET", "/development/config", headers: origin)
            #expect(read.header("Access-Control-Allow-Origin") == "*")
            let history = try instance.client().send("GET", "/development/releases", headers: origin)
            #expect(history.header("Access-Control-Allow-Origin") == nil)
            #expect(history.header("Vary")?.contains("Origin") == true)
            let preflight = try instance.client().send(
                "OPTIONS", "/development/config/a", headers: origin + [("Access-Control-Request-Method", "PUT")])
            #expect(preflight.header("Access-Control-Allow-Origin") == nil)
        }
    }
}
