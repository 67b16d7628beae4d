internal import AlmanacEnvironments
public import AlmanacHTTPSClient
public import AlmanacPOSIX

/// Looks at every part of an installation, changes nothing, and says what it has found.
public struct Doctor: Sendable {
    /// Where the parts of an installation are.
    public struct Places: Sendable {
        public var environmentsFile: String
        /// The address that clients use; with nil nothing is asked there.
        public var url: WebAddress?
        /// The only certificate authorities to trust; nil trusts those of the system.
        public var caFile: String?
        /// The Unix sockets that workers and events processes listen on.
        public var sockets: [String]
        /// The main configuration file of nginx; nil looks at none.
        public var nginxFile: String?
        /// Folders whose disks must have room: for data, for logs.
        public var folders: [String]

        public init(
            environmentsFile: String, url: WebAddress?, caFile: String?, sockets: [String], nginxFile: String?,
            folders: [String]
        ) {
            self.environmentsFile = environmentsFile
            self.url = url
            self.caFile = caFile
            self.sockets = sockets
            self.nginxFile = nginxFile
            self.folders = folders
        }
    }

    private let places: Places
    private let now: @Sendable () -> Int64

    /// - Parameter now: the time of day of this machine in milliseconds since 1970.
    public init(_ places: Places, now: @escaping @Sendable () -> Int64 = { WallClock.milliseconds }) {
        self.places = places
        self.now = now
    }

    /// Looks at everything, in the order in which a fault in one part explains those after it.
    ///
    /// - Parameter report: is given every finding as soon as it is there.
    public func examine(_ report: (Finding) throws -> Void) rethrows {
        let file = EnvironmentsCheck(places.environmentsFile)
        try report(file.finding)
        for finding in ProgramUserCheck(places.environmentsFile).findings() { try report(finding) }
        for finding in DiskCheck.findings(places.folders) { try report(finding) }
        try report(ClockCheck.finding())
        for environment in file.environments {
            for finding in DatabaseCheck(environment).findings(now: now) { try report(finding) }
            try report(IdentityProviderCheck.finding(environment))
        }
        if places.sockets.isEmpty {
            try report(.skipped("socket", "", "no socket is named", advice: "name those of the workers with --socket"))
        }
        for socket in places.sockets { try report(SocketCheck.finding(socket)) }
        try report(NginxCheck.finding(places.nginxFile))
        guard let url = places.url else {
            let advice = "name the server that clients ask with --url"
            try report(.skipped("server", "", "no URL is named", advice: advice))
            return
        }
        for finding in ServerCheck(url, caFile: places.caFile, now: now).findings() { try report(finding) }
    }

    /// Looks at the environments alone: the file, the databases, the schemas, the identity providers.
    public static func environments(_ path: String, _ report: (Finding) throws -> Void) rethrows {
        let file = EnvironmentsCheck(path)
        try report(file.finding)
        for environment in file.environments {
            for finding in DatabaseCheck(environment).findings() { try report(finding) }
            try report(IdentityProviderCheck.finding(environment))
        }
    }
}

/// Whether the environments file can be read.
private struct EnvironmentsCheck {
    let finding: Finding
    /// Those of the file; none when it is broken.
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
                advice: "put the file right, as README.md describes it; workers keep the old one until then")
        }
    }
}
