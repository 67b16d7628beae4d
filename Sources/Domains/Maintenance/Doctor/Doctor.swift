internal import AlmanacEnvironments
public import AlmanacHTTPSClient

/// Looks at every part of an installation, changes nothing, and says what it has found.
public struct Doctor: Sendable {
    /// Where the parts of an installation are.
    public struct Places: Sendable {
        public var environmentsFile: String
        /// What clients ask; nil doesn't ask.
        public var url: WebAddress?
        /// The only certificate authorities to trust; nil trusts those of the system.
        public var caFile: String?
        /// The Unix sockets that workers and events processes listen on.
        public var sockets: [String]
        /// The main configuration file of nginx; nil looks at none.
        public var nginxFile: String?

        public init(
            environmentsFile: String, url: WebAddress?, caFile: String?, sockets: [String], nginxFile: String?
        ) {
            self.environmentsFile = environmentsFile
            self.url = url
            self.caFile = caFile
            self.sockets = sockets
            self.nginxFile = nginxFile
        }
    }

    private let places: Places

    public init(_ places: Places) {
        self.places = places
    }

    /// Looks at everything, in the order in which a fault in one part explains those after it.
    ///
    /// - Parameter report: is told of every finding as soon as it is there.
    public func examine(_ report: (Finding) throws -> Void) rethrows {
        let file = EnvironmentsCheck(places.environmentsFile)
        try report(file.finding)
        for environment in file.environments {
            for finding in DatabaseCheck(environment).findings(withRoles: true) { try report(finding) }
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
        for finding in ServerCheck(url, caFile: places.caFile).findings() { try report(finding) }
    }

    /// Looks at the environments alone: the file, the databases, the schemas, the identity providers.
    public static func environments(_ path: String, _ report: (Finding) throws -> Void) rethrows {
        let file = EnvironmentsCheck(path)
        try report(file.finding)
        for environment in file.environments {
            for finding in DatabaseCheck(environment).findings(withRoles: false) { try report(finding) }
            try report(IdentityProviderCheck.finding(environment))
        }
    }
}
