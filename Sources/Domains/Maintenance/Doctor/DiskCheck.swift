internal import AlmanacPOSIX

/// The check that some folders' disks have free space.
enum DiskCheck {
    /// The free space in bytes below which PostgreSQL soon stops, and nothing can be built or started.
    private static let failureBytes: UInt64 = 200 << 20
    private static let warningBytes: UInt64 = 2 << 30

    /// Returns a finding for each file system that contains a folder.
    static func findings(_ folders: [String]) -> [Finding] {
        var seen: Set<UInt64> = []
        return folders.compactMap { folder in
            do {
                let system = try FileSystem(of: folder)
                guard seen.insert(system.device).inserted else { return nil }
                return finding(folder, bytes: system.bytes, freeBytes: system.freeBytes, freeFiles: system.freeFiles)
            } catch {
                return .skipped("disk", folder, "cannot be checked: \(error)", advice: "run almanac doctor as root")
            }
        }
    }

    /// - Parameter freeFiles: nil if the file system has no limit on files.
    static func finding(_ folder: String, bytes: UInt64, freeBytes: UInt64, freeFiles: UInt64?) -> Finding {
        let advice = "free some space, or move growing data to another disk; PostgreSQL stops if the disk is full"
        let text = "\(freeBytes >> 20) MB of \(bytes >> 20) MB are free"
        if freeBytes < failureBytes { return .failed("disk", folder, text, advice: advice) }
        if let freeFiles, freeFiles < 1000 {
            return .failed("disk", folder, "only \(freeFiles) more files can be created", advice: advice)
        }
        // A tenth is enough on a small disk.
        if freeBytes < min(warningBytes, bytes / 10) { return .warning("disk", folder, text, advice: advice) }
        return .good("disk", folder, text)
    }
}
