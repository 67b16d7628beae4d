internal import AlmanacEnvironments
internal import AlmanacForms
internal import AlmanacHTTP
internal import AlmanacJSON
internal import AlmanacPostgreSQL

/// The endpoints of invitations, for administrators.
enum InvitationEndpoints {
    /// `GET /{environment}/invitations`: the open invitations, newest first, without their links.
    static func list(_ request: Request, _: Captures, _ context: IdentityContext) throws -> Response {
        let caller = try context.administrator(of: request)
        try request.target.query.allow()
        try request.accepts("application/json")
        let invitations = try context.pool.withConnection { connection in
            try InvitationAdministration(connection, by: caller.author).list()
        }
        var writer = JSONWriter()
        writer.array { writer in
            for invitation in invitations { writer.object { $0.members(of: invitation) } }
        }
        return .uncached(writer.bytes)
    }

    /// `POST /{environment}/invitations`: creates an invitation, whose link only this response shows.
    static func create(_ request: Request, _: Captures, _ context: IdentityContext) throws -> Response {
        let caller = try context.freshAdministrator(of: request)
        try request.target.query.allow()
        try request.accepts("application/json")
        try request.contains("application/json")
        let object = try request.json(context.settings.limits.json).members(["name", "role", "person"])
        let name = try PeopleEndpoints.name(object["name"] ?? .null)
        let role = try PeopleEndpoints.role(object["role"] ?? .null)
        // Otherwise an administrator would approve as a second person of their own.
        if context.settings.approvals != nil, role == .approver, !caller.scopes.contains(.configApprove) {
            throw Problem(
                .scopeTooSmall,
                "in an environment with approvals, only who may approve invites an approver; otherwise invite on the "
                    + "host: almanac invite \(context.settings.name) --name NAME --role approver")
        }
        let person = try object["person"].map { member throws(Problem) in
            guard let id = member.stringValue else {
                throw Problem(.invalidValue, "'person' must be the id of a person; GET people lists them")
            }
            return id
        }
        let origin = try origin(of: request, context)
        let made = try context.pool.withConnection { connection in
            if let person, let own = caller.person,
                try PeopleAdministration(connection, by: caller.author).find(id: person)?.user == own
            {
                throw Problem(
                    .ownPerson,
                    "you cannot invite yourself; add a passkey in the console, or ask another administrator")
            }
            return try InvitationAdministration(connection, by: caller.author, inviter: caller.person).create(
                name: name, role: role, person: person, origin: origin)
        }
        guard let (secret, invitation) = made else {
            throw Problem(
                .personNotFound,
                "no person with this id signs in with passkeys at '\(origin.text)'; GET people lists all people")
        }
        return .uncached(
            status: 201,
            JSONWriter.object { writer in
                writer.members(of: invitation)
                writer.member("link", origin.link(environment: context.settings.name.text, secret: secret))
            })
    }

    /// Returns the origin of the console: the request's own at the console's host, the configured one elsewhere.
    private static func origin(of request: Request, _ context: IdentityContext) throws(Problem) -> ConsoleOrigin {
        if request.application == .console { return ConsoleOrigin("https://\(try request.host)") }
        guard let origin = context.settings.consoleOrigin else {
            throw Problem(
                .invalidRequest,
                "the console's address is not configured; set 'origin' in 'console' of the environment in the "
                    + "environments file, or invite people in the console")
        }
        return ConsoleOrigin(origin)
    }

    /// `DELETE /{environment}/invitations/{id}`: revokes an open invitation.
    static func revoke(_ request: Request, _ captures: Captures, _ context: IdentityContext) throws -> Response {
        let caller = try context.freshAdministrator(of: request)
        try request.target.query.allow()
        let isRevoked = try context.pool.withConnection { connection in
            try InvitationAdministration(connection, by: caller.author).revoke(id: captures["id"])
        }
        guard isRevoked else {
            throw Problem(.invitationNotFound, "there is no open invitation with this id; GET invitations lists them")
        }
        return Response(status: 204, headers: [("Cache-Control", "no-store")])
    }
}

extension JSONWriter {
    fileprivate mutating func members(of invitation: InvitationRecord) {
        member("id", invitation.id)
        member("name", value: invitation.name.map { .string($0) } ?? .null)
        member("role", invitation.role)
        member("person", value: invitation.person.map { .string($0) } ?? .null)
        member("created_by", invitation.createdBy)
        member("created_at", "\(invitation.createdAt)")
        member("expires_at", "\(invitation.expiresAt)")
    }
}
