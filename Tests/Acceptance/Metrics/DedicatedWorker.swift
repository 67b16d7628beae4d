import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Glibc

/// A worker for one test, on the instance's databases, behind a plain nginx of its own.
final class DedicatedWorker: Sendable {
    private let folder: TemporaryFolder
    private let worker: BackgroundCommand
    private let nginx: BackgroundCommand

    /// - Parameter environment: environment variables besides those for the environments file and the socket.
    init(_ instance: Instance, environment: [String: String]) throws {
        folder = try TemporaryFolder()
        let path = folder.path
        let settings = [
            "ALMANAC_ENVIRONMENTS": instance.path("environments.json"), "ALMANAC_LISTEN": "unix:\(path)/worker",
        ]
        worker = try BackgroundCommand(
            instance.path("bin/almanac-worker"), environment: settings.merging(environment) { $1 })
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(path)/\($0);" }
        let configuration = try folder.write(
            "nginx.conf",
            """
            daemon off;
            \(getuid() == 0 ? "user root;" : "")
            worker_processes 1;
            pid \(path)/nginx.pid;
            events {}
            http {
                access_log off;
                \(temporary.joined(separator: "\n"))
                server {
                    listen unix:\(path)/http;
                    location / {
                        fastcgi_pass unix:\(path)/worker;
                        fastcgi_param REQUEST_METHOD $request_method;
                        fastcgi_param REQUEST_URI $request_uri;
                        fastcgi_param CONTENT_TYPE $content_type;
                        fastcgi_param CONTENT_LENGTH $content_length;
                        fastcgi_param REQUEST_ID $request_id;
                    }
                }
            }
            """.utf8)
        nginx = try BackgroundCommand("/usr/sbin/nginx", ["-c", configuration, "-e", "\(path)/errors"])
    }

    /// - Returns: the status, or 0 without a response.
    func ask(_ path: String, _ options: String...) throws -> Int {
        let outcome = try Command.run(
            "curl",
            [
                "-sS", "-o", "/dev/null", "-w", "%{http_code}", "--max-time", "10", "--unix-socket",
                "\(folder.path)/http",
            ]
                + options + ["http://localhost\(path)"])
        return Int(outcome.output) ?? 0
    }

    func isReady() throws -> Bool { try eventually(within: .seconds(10)) { try ask("/-/ready") == 200 } }

    var log: String { String(decoding: worker.errorBytes, as: UTF8.self) }

    func requests() throws -> [JSONObject] {
        try log.split(separator: "\n").compactMap { try JSONValue(parsing: Array($0.utf8)).objectValue }.filter {
            $0["message"] == "request"
        }
    }
}
