internal import AlmanacPOSIX

/// An nginx that accepts plain HTTP from this machine only and forwards every request to the running instance.
///
/// Tests place it behind a proxy that reads the requests.
public final class PlainProxy: Sendable {
    public let port: UInt16
    private let folder: TemporaryFolder
    private let program: BackgroundCommand

    public init() async throws {
        let instance = try Instance.current()
        folder = try TemporaryFolder()
        var problem = ""
        // The port may be in use, so try several.
        for _ in 0..<5 {
            let port = UInt16.random(in: 20_000..<30_000)
            let file = try folder.write("nginx.conf", Self.configuration(instance, port, folder.path).utf8)
            let program = try BackgroundCommand("nginx", ["-c", file, "-p", folder.path, "-e", "stderr"])
            let request = Array("GET /-/none HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
            let answers = try await eventuallyAsync(within: .seconds(10)) {
                !program.isRunning || LoopbackConnection.exchange(request, port: port) != nil
            }
            if answers, program.isRunning {
                (self.port, self.program) = (port, program)
                return
            }
            problem = String(decoding: program.errorBytes, as: UTF8.self)
        }
        throw InstanceFailure(description: "nginx does not start: \(problem)")
    }

    /// Returns the URL of an environment.
    public func environment(_ name: String) -> String { "http://127.0.0.1:\(port)/\(name)" }

    private static func configuration(_ instance: Instance, _ port: UInt16, _ path: String) -> String {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(path)/\($0);" }
        return """
            daemon off; master_process off; pid \(path)/pid; error_log stderr;
            events { worker_connections 1024; }
            http {
                access_log off; client_max_body_size 8m; \(temporary.joined(separator: " "))
                upstream instance { server \(instance.url.dropFirst("https://".count)); keepalive 16; }
                server {
                    listen 127.0.0.1:\(port);
                    location / {
                        proxy_pass https://instance; proxy_http_version 1.1; proxy_set_header Connection "";
                        proxy_set_header Host localhost; proxy_buffering off; proxy_read_timeout 1h;
                        proxy_ssl_trusted_certificate \(instance.caFile); proxy_ssl_verify on;
                        proxy_ssl_name localhost; proxy_ssl_server_name on; proxy_ssl_session_reuse on;
                    }
                }
            }
            """
    }
}
