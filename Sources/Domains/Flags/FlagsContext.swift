public import AlmanacConfigDomain
public import AlmanacIdentity
public import AlmanacPOSIX

/// The dependencies of one environment's flag endpoints.
public struct FlagsContext: Sendable {
    let config: ConfigContext
    let authenticator: Authenticator
    let clock: ServerClock

    public init(config: ConfigContext, authenticator: Authenticator, clock: ServerClock = .system) {
        self.config = config
        self.authenticator = authenticator
        self.clock = clock
    }
}
