import Foundation
import NotesSync
import POSIX
import Support

/// An nginx that speaks plain HTTP to this machine alone and passes everything on to the running instance: Foundation on
/// Linux cannot be told to trust a certificate authority of one's own.
final class PlainProxy: Sendable {
    let transport: URLSessionTransport
    private let folder: TemporaryFolder
    private let program: BackgroundCommand

    init() async throws {
        let instance = try Instance.current()
        folder = try TemporaryFolder()
        let port = UInt16.random(in: 20_000..<30_000)
        let path = folder.path
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(path)/\($0);" }
        let file = try folder.write(
            "nginx.conf",
            Array(
                """
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
                """.utf8))
        program = try BackgroundCommand("nginx", ["-c", file, "-p", path, "-e", "stderr"])
        transport = URLSessionTransport(environment: URL(string: "http://127.0.0.1:\(port)/development")!)
        for _ in 0..<100 where program.isRunning {
            if (try? await transport.send(NotesRequest("GET", "config"))) != nil { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw Surprise("nginx does not start: \(String(decoding: program.errorBytes, as: UTF8.self))")
    }
}
