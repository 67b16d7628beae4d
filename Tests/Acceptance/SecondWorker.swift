import AlmanacPOSIX
import AlmanacTestSupport

/// Another worker and events process beside the running instance, behind their own nginx.
struct SecondWorker: Sendable {
    /// The base of the worker's URLs.
    let url: String
    private let folder: TemporaryFolder
    private let worker: BackgroundCommand
    private let events: BackgroundCommand
    private let nginx: BackgroundCommand

    /// - Parameter environments: the environments file, by default the instance's.
    init(beside instance: Instance, environments: String? = nil) throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        func start(_ name: String) throws -> BackgroundCommand {
            try BackgroundCommand(
                instance.path("bin/almanac-\(name)"),
                environment: [
                    "ALMANAC_ENVIRONMENTS": environments ?? instance.path("environments.json"),
                    "ALMANAC_LISTEN": "unix:\(folder.path)/\(name)",
                ])
        }
        (worker, events) = (try start("worker"), try start("events"))
        for (name, program) in [("worker", worker), ("events", events)] {
            guard eventually(within: .seconds(20), { (try? File.names(inFolder: folder.path).contains(name)) == true })
            else {
                throw InstanceFailure(
                    description: "no second \(name): \(String(decoding: program.errorBytes, as: UTF8.self))")
            }
        }
        // Retry if another program uses the port.
        var last: BackgroundCommand?
        for _ in 0..<20 {
            let port = Int.random(in: 20_000..<30_000)
            let configuration = try folder.write("nginx.conf", Self.configuration(port: port, folder: folder.path).utf8)
            let nginx = try BackgroundCommand("nginx", ["-e", "stderr", "-p", folder.path, "-c", configuration])
            let client = HTTPClient(base: "http://127.0.0.1:\(port)", caFile: nil)
            let isReady = eventually(within: .seconds(10)) {
                !nginx.isRunning || (try? client.send("GET", "/-/live").status) == 200
            }
            if isReady, nginx.isRunning {
                (self.nginx, url) = (nginx, "http://127.0.0.1:\(port)")
                return
            }
            last = nginx
        }
        throw InstanceFailure(
            description: "no second nginx: \(String(decoding: last?.errorBytes ?? [], as: UTF8.self))")
    }

    var log: String { String(decoding: worker.errorBytes, as: UTF8.self) }

    var pid: Int32 { worker.pid }

    func send(signal: Int32) { worker.send(signal: signal) }

    func client(token: String? = nil) -> HTTPClient { HTTPClient(base: url, caFile: nil, token: token) }

    func client(_ user: NotesUser) -> NotesClient {
        NotesClient(http: HTTPClient(base: url, caFile: nil, token: user.token), environment: user.environment)
    }

    /// Returns the nginx configuration. Without `user root`, an nginx started by root would run as a user without
    /// access to the worker's socket. Other users' nginx ignores the directive.
    private static func configuration(port: Int, folder: String) -> String {
        """
        user root;
        daemon off;
        worker_processes 1;
        pid \(folder)/nginx.pid;
        events {}
        http {
            access_log off;
            client_body_temp_path \(folder);
            fastcgi_temp_path \(folder);
            proxy_temp_path \(folder);
            scgi_temp_path \(folder);
            uwsgi_temp_path \(folder);
            server {
                listen 127.0.0.1:\(port);
                fastcgi_param REQUEST_METHOD $request_method;
                fastcgi_param REQUEST_URI $request_uri;
                fastcgi_param CONTENT_TYPE $content_type;
                fastcgi_param CONTENT_LENGTH $content_length;
                fastcgi_param REQUEST_ID $request_id;
                location / {
                    fastcgi_pass unix:\(folder)/worker;
                }
                location ~ /events$ {
                    fastcgi_pass unix:\(folder)/events;
                    fastcgi_buffering off;
                }
            }
        }
        """
    }
}
