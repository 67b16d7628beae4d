internal import AlmanacPOSIX

/// The check that nginx accepts its configuration.
enum NginxCheck {
    static func finding(_ path: String?) -> Finding {
        guard let path else {
            return .skipped("nginx", "", "no configuration is known", advice: "name nginx's main file with --nginx")
        }
        let variables = ["PATH": (Process.variable("PATH") ?? "/usr/bin:/bin") + ":/usr/sbin:/sbin"]
        do {
            let (status, text) = try ChildProcess.output(
                of: "env", ["nginx", "-t", "-q", "-e", "stderr", "-c", path], variables: variables)
            if status == 0 { return .good("nginx", path, "nginx accepts the configuration") }
            let line = text.split(separator: "\n").first { $0.contains("[emerg]") || $0.contains("[error]") }
            if status == 127 {
                return .skipped("nginx", path, "there is no nginx on this host")
            }
            if text.contains("Permission denied") {
                return .skipped(
                    "nginx", path, "this user cannot read all of its files", advice: "run almanac doctor as root")
            }
            return .failed(
                "nginx", path, String(line ?? "nginx refuses the configuration"),
                advice: "fix the file, then run nginx -t -c \(path); until then, nginx keeps the old configuration")
        } catch {
            return .failed("nginx", path, "cannot be run: \(error)", advice: "install nginx, or omit --nginx")
        }
    }
}
