internal import AlmanacPOSIX

/// The workers and events processes of this host that read an environments file.
struct ServerProcesses {
    let ids: [Int32]

    init(reading file: String) throws {
        let path = try File.resolved(file)
        ids = try File.names(inFolder: "/proc").compactMap { Int32($0) }.filter { id in
            guard let name = try? File.read("/proc/\(id)/comm"),
                // The kernel truncates names to 15 characters.
                ["almanac-worker\n", "almanac-events\n"].contains(String(decoding: name, as: UTF8.self)),
                let variables = try? File.read("/proc/\(id)/environ")
            else { return false }
            let named = variables.split(separator: 0).lazy.map { String(decoding: $0, as: UTF8.self) }
                .first { $0.hasPrefix("ALMANAC_ENVIRONMENTS=") }?.dropFirst("ALMANAC_ENVIRONMENTS=".count)
            return (try? File.resolved(named.map(String.init) ?? "/etc/almanac/environments.json")) == path
        }
    }

    /// Makes the processes read the file again.
    func reload() {
        // A process that has ended reads the file at its next start.
        for id in ids { try? Process.reload(id) }
    }
}
