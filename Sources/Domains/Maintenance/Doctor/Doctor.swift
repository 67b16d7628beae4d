internal import AlmanacEnvironments
public import AlmanacHTTPSClient
public import AlmanacPOSIX

/// Checks every part of an installation and reports the findings. Changes nothing.
public struct Doctor: Sendable {
    /// The parts of an installation.
    public struct Targets: Sendable {
        public var environmentsFile: String
        /// The address for clients; nil skips the check.
        public var url: WebAddress?
        /// The only certificate authorities to trust; nil trusts the system's.
        public var caFile: String?
        /// The Unix sockets that workers and events processes listen on.
        public var sockets: [String]
        /// The main configuration file of nginx; nil skips the check.
        public var nginxFile: String?
        /// The folders whose disks must have free space: for data, for logs.
        public var folders: [String]
        /// The folders whose logs logrotate must rotate.
        public var logFolders: [String]
        /// True to read the bytes of all attachments.
        public var readsAttachments: Bool

        public init(
            environmentsFile: String, url: WebAddress?, caFile: String?, sockets: [String], nginxFile: String?,
            folders: [String], logFolders: [String], readsAttachments: Bool = false
        ) {
            self.environmentsFile = environmentsFile
            self.url = url
            self.caFile = caFile
            self.sockets = sockets
            self.nginxFile = nginxFile
            self.folders = folders
            self.logFolders = logFolders
            self.readsAttachments = readsAttachments
        }
    }

    private let targets: Targets
    private let now: @Sendable () -> Int64

    /// - Parameter now: returns this machine's time of day in milliseconds since 1970.
    public init(_ targets: Targets, now: @escaping @Sendable () -> Int64 = { WallClock.milliseconds }) {
        self.targets = targets
        self.now = now
    }

    /// Checks everything, in an order in which a fault in one part explains the faults after it.
    ///
    /// - Parameter report: receives each finding as soon as it is made.
    public func examine(_ report: (Finding) throws -> Void) rethrows {
        let file = EnvironmentsCheck(targets.environmentsFile)
        try report(file.finding)
        for finding in ProgramUserCheck(targets.environmentsFile).findings() { try report(finding) }
        for finding in DiskCheck.findings(targets.folders) { try report(finding) }
        for finding in LogCheck.findings(targets.logFolders, now: now()) { try report(finding) }
        try report(ClockCheck.finding())
        for environment in file.environments {
            for finding in DatabaseCheck(environment).findings(now: now) { try report(finding) }
            if targets.readsAttachments { for finding in AttachmentCheck.findings(environment) { try report(finding) } }
            try report(IdentityProviderCheck.finding(environment))
        }
        if targets.sockets.isEmpty {
            try report(.skipped("socket", "", "no socket is known", advice: "name the workers' sockets with --socket"))
        }
        for socket in targets.sockets { try report(SocketCheck.finding(socket)) }
        try report(NginxCheck.finding(targets.nginxFile))
        guard let url = targets.url else {
            let advice = "name the address for clients with --url"
            try report(.skipped("server", "", "no URL is known", advice: advice))
            return
        }
        for finding in ServerCheck(url, caFile: targets.caFile, now: now).findings() { try report(finding) }
    }

    /// Checks only the environments: the file, the databases, the schemas, the identity providers.
    public static func environments(_ path: String, _ report: (Finding) throws -> Void) rethrows {
        let file = EnvironmentsCheck(path)
        try report(file.finding)
        for environment in file.environments {
            for finding in DatabaseCheck(environment).findings() { try report(finding) }
            try report(IdentityProviderCheck.finding(environment))
        }
    }
}

/// The check that the environments file can be read.
private struct EnvironmentsCheck {
    let finding: Finding
    /// The environments of the file; empty if the file is invalid.
    let environments: [EnvironmentSettings]

    init(_ path: String) {
        do {
            environments = try EnvironmentsFile.load(path)
            let names = environments.map(\.name.text).joined(separator: ", ")
            finding = .good("environments file", path, "is valid and has \(names)")
        } catch {
            environments = []
            finding = .failed(
                "environments file", path, error.reason,
                advice: "fix the file (see OPERATING.md); until then, workers keep the old settings")
        }
    }
}
