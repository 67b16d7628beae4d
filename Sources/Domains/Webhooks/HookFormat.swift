public import AlmanacJSON

/// The form of the bodies that a hook receives.
public enum HookFormat: String, Sendable, CaseIterable {
    case json
    /// Slack's blocks, with a text for Mattermost.
    case slack
    case discord
    /// An Adaptive Card for Workflows in Teams.
    case teams

    /// Returns the body of an event.
    ///
    /// - Parameter withValues: False if the hook's maker may not read the values.
    public func body(of event: HookEvent, withValues: Bool) -> JSONValue {
        switch self {
        case .json: event.body(withValues: withValues)
        case .slack: ChatMessage(event).slack
        case .discord: ChatMessage(event).discord
        case .teams: ChatMessage(event).teams
        }
    }
}
