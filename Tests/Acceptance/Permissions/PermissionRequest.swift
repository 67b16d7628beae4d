/// A row of the permission matrix: a request, and the callers who may make it.
struct PermissionRequest: Sendable {
    /// The method and path as in the API description, for example `GET /{environment}/config`.
    let operation: String
    let permission: Permission
    var key = "app.theme"
    /// A parameter that no call knows, so that a request without a more precise one changes nothing.
    var query = "unknown=1"
    var body: String?

    init(
        _ operation: String, _ permission: Permission, key: String = "app.theme", query: String = "unknown=1",
        body: String? = nil
    ) {
        self.operation = operation
        self.permission = permission
        self.key = key
        self.query = query
        self.body = body
    }

    var method: String { String(operation.prefix { $0 != " " }) }

    func path(_ names: [String: String]) -> String {
        let names = names.merging(["key": key]) { $1 }
        let path = String(operation.drop { $0 != "/" }).replacing(/\{(\w+)\}/) { names[String($0.1)] ?? "none" }
        return query.isEmpty ? path : "\(path)?\(query)"
    }
}

/// The callers who may make a request.
enum Permission: Sendable {
    case everybody
    /// Everybody with valid credentials.
    case anyCaller
    case evaluate
    case read
    /// The editors of all keys, and those of keys that begin with `banner.`.
    case editBanner
    /// The editors of all keys, and the bearers of the scope for switching off the flag `app.theme`.
    case disableTheme
    case edit
    /// The bearers of the scope `config:propose`, which `config:write` includes.
    case propose
    case admin
    /// The users of notes, whatever their scopes.
    case notes
    /// The readers of the config, and the users of notes.
    case events
    /// The bearers of tokens that may begin a session.
    case sessionLink
    /// The signed-in browsers.
    case session
    /// The signed-in browsers, except those that signed in with an API token.
    case ownSession

    enum Outcome: String {
        case unauthenticated, forbidden, allowed

        init(status: Int) {
            self = status == 401 ? .unauthenticated : status == 403 ? .forbidden : .allowed
        }
    }

    /// Returns the outcome of the request for a role and a way to sign in.
    func outcome(for role: PermissionRole, _ way: PermissionWay) -> Outcome {
        let isUser = [.accessToken, .notesSession].contains(way)
        let isSession = [.consoleSession, .passkeySession, .providerSession, .notesSession].contains(way)
        func allow(_ roles: PermissionRole...) -> Outcome { roles.contains(role) ? .allowed : .forbidden }
        switch self {
        case .everybody: return .allowed
        case _ where way == .anonymous: return .unauthenticated
        case .anyCaller: return .allowed
        case .evaluate: return allow(.evaluator, .viewer, .bannerEditor, .editor, .approver, .admin)
        case .read: return allow(.viewer, .bannerEditor, .editor, .approver, .admin)
        case .editBanner: return allow(.bannerEditor, .editor, .approver, .admin)
        case .disableTheme: return allow(.switcher, .editor, .approver, .admin)
        case .edit: return allow(.editor, .approver, .admin)
        case .propose: return allow(.editor, .approver, .admin)
        case .admin: return allow(.admin)
        case .notes: return isUser ? .allowed : way == .apiToken ? .unauthenticated : .forbidden
        case .events: return isUser ? .allowed : Permission.read.outcome(for: role, way)
        case .sessionLink:
            return isSession ? .unauthenticated : isUser ? .allowed : Permission.read.outcome(for: role, way)
        case .session: return isSession ? .allowed : .unauthenticated
        case .ownSession: return way == .consoleSession ? .forbidden : Permission.session.outcome(for: role, way)
        }
    }
}
