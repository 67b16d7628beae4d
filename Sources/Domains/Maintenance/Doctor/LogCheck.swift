internal import AlmanacPOSIX

/// The check that logrotate rotates the logs in some folders.
enum LogCheck {
    /// The age of logrotate's last run at which it counts as stopped, in seconds. Debian's timer runs it every day.
    private static let maxAge: Int64 = 3 * 86_400

    /// - Parameters:
    ///   - root: the folder that contains `etc`, `usr` and `var`; only tests give another than the system's.
    ///   - now: in milliseconds since 1970.
    static func findings(_ folders: [String], root: String = "", now: Int64) -> [Finding] {
        guard !folders.isEmpty else { return [] }
        let install = "run: apt install logrotate; logs that are never rotated fill the disk"
        guard (try? File.exists("\(root)/usr/sbin/logrotate")) == true else {
            return [.warning("logs", "", "logrotate is not installed", advice: install)]
        }
        let configuration = "\(root)/etc/logrotate.d"
        let files = ((try? File.names(inFolder: configuration)) ?? []).compactMap {
            try? File.read("\(configuration)/\($0)", limit: 1 << 20)
        }
        let rules = files.map { String(decoding: $0, as: UTF8.self) }
        // The file is missing until the first run, and only its time matters.
        let ranAt = try? FileSystem.modificationTime(of: "\(root)/var/lib/logrotate/status")
        return folders.map { folder in
            guard rules.contains(where: { $0.contains("\(folder)/") }) else {
                return .warning(
                    "logs", folder, "no file in /etc/logrotate.d names this folder",
                    advice: "add one, such as Debian's packages of nginx and PostgreSQL have")
            }
            if let ranAt, now / 1000 - ranAt > maxAge {
                return .warning(
                    "logs", folder, "logrotate last ran \((now / 1000 - ranAt) / 86_400) days ago",
                    advice: "run: systemctl enable --now logrotate.timer")
            }
            return .good("logs", folder, "logrotate rotates the logs")
        }
    }
}
