import AlmanacEnvironments
import AlmanacForms
import AlmanacIdentity
import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacProposals
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

/// An environment with a config, and people who propose and approve changes with tokens of their own.
struct ProposalTeam {
    let instance: ConfigInstance
    /// The same environment as a worker serves it that needs no approvals.
    private let open: ConfigInstance
    /// The `Authorization` headers by name. Ada and Ben edit; Cleo and Dan approve too; Fay only
    /// approves, Eve reads, Gil proposes and reads, Hal only proposes, and Ivy administers and may bypass approvals.
    let people: [String: String]

    static let flag =
        #"{"state":"ENABLED","variants":{"on":true,"off":false},"defaultVariant":"off","metadata":{"owner":"shop"}}"#

    init(required: Int? = 1, rules: [(keys: String, required: Int)] = [], exempt: Set<ApprovalPolicy.Exemption>? = nil)
        throws
    {
        // The first values are released before approvals are needed.
        open = try ConfigInstance(connections: 8)
        try open.patch(#"{"banner":"Summer sale","pay.limit":100,"theme":{"dark":false}}"#)
        try open.call("PUT", "/config/checkout", #"{"value":\#(Self.flag),"kind":"flag"}"#).expecting(200, 201)
        var policy = required.map { ApprovalPolicy(required: $0) }
        policy?.rules = rules.compactMap { rule in
            KeyPattern(rule.keys).map { ApprovalPolicy.Rule(keys: $0, required: rule.required) }
        }
        if let exempt { policy?.exemptions = exempt }
        instance = try ConfigInstance("staging", on: open.database, connections: 8, approvals: policy)
        people = try instance.authorizations([
            "ada": [.configWrite], "ben": [.configWrite], "cleo": [.configWrite, .configApprove],
            "dan": [.configWrite, .configApprove], "eve": [.configRead], "fay": [.configRead, .configApprove],
            "gil": [.configRead, .configPropose], "hal": [.configPropose], "ivy": [.admin, .configBypass],
        ])
    }

    private init(_ instance: ConfigInstance, _ team: ProposalTeam) {
        (self.instance, open, people) = (instance, team.open, team.people)
    }

    /// Returns the team as another worker serves it, which may have read another policy.
    func onAnotherWorker(_ change: (inout ApprovalPolicy) -> Void = { _ in }) throws -> ProposalTeam {
        var policy = instance.service.settings.approvals
        if var changed = policy {
            change(&changed)
            policy = changed
        }
        return ProposalTeam(
            try ConfigInstance("staging", on: instance.database, connections: 8, approvals: policy), self)
    }

    /// Sends a call as one of the people.
    func call(
        _ person: String, _ method: String, _ path: String, _ body: String = "", match: String? = nil,
        message: String? = nil
    ) throws -> TestResponse {
        // No thread of a test follows releases by other workers.
        try instance.service.refresh()
        var headers = [("Authorization", try #require(people[person]))]
        if let match { headers.append(("If-Match", "\"\(match)\"")) }
        if let message { headers.append(("Almanac-Message", message)) }
        return try instance.call(method, path, bytes: Array(body.utf8), as: nil, headers)
    }

    /// Proposes a merge patch and submits it. Returns the number.
    func propose(_ patch: String, by person: String = "ada") throws -> Int64 {
        let draft = try call(person, "PATCH", "/config?propose=true", patch).expecting(201)
        let number = try #require(draft[member: "number"]?.numberValue?.int64)
        try step("submit", number, by: person).expecting(200)
        return number
    }

    /// Takes a step that needs the version of the proposal.
    func step(_ step: String, _ number: Int64, by person: String) throws -> TestResponse {
        let version = try member("version", of: number).description
        return try call(person, "POST", "/proposals/\(number)/\(step)", match: version)
    }

    func change(_ number: Int64, _ body: String, by person: String) throws -> TestResponse {
        let version = try member("version", of: number).description
        return try call(person, "PATCH", "/proposals/\(number)", body, match: version)
    }

    func review(_ number: Int64, _ verdict: String, by person: String) throws -> TestResponse {
        let effect = try member("effect", of: number).stringValue ?? "none"
        return try call(
            person, "POST", "/proposals/\(number)/reviews", #"{"verdict":"\#(verdict)","message":"Seen on staging"}"#,
            match: effect)
    }

    func apply(_ number: Int64, by person: String = "ada") throws -> TestResponse {
        let effect = try member("effect", of: number).stringValue ?? "none"
        return try call(person, "POST", "/proposals/\(number)/apply", match: effect)
    }

    /// Sends a call as Ivy, in a browser that has just signed in, with a reason to bypass approvals.
    func bypass(_ method: String, _ path: String, _ body: String = "", match: String? = nil) throws -> TestResponse {
        try instance.service.refresh()
        let cookie = try instance.signIn("ivy", [.admin, .configBypass])
        let tag = match.map { [(name: "If-Match", value: "\"\($0)\"")] } ?? []
        return try instance.send(
            method, path + (path.contains("?") ? "&" : "?") + "bypass=true", body, with: cookie,
            headers: [("Almanac-Message", "The shop is down")] + tag)
    }

    /// Applies a proposal without approvals.
    func bypass(_ number: Int64) throws -> TestResponse {
        let effect = try member("effect", of: number).stringValue ?? "none"
        return try bypass(
            "POST", "/proposals/\(number)/apply", #"{"reason":"The shop is down"}"#, match: effect)
    }

    /// Withdraws the newest verdict of a person.
    func withdrawReview(of number: Int64, by person: String) throws -> TestResponse {
        let reviews = try member("reviews", of: number).arrayValue?.compactMap(\.objectValue) ?? []
        let review = reviews.last {
            $0["reviewer"]?.objectValue?["subject"]?.stringValue == person && $0["withdrawn_at"] == .null
        }
        return try call(person, "DELETE", "/proposals/\(number)/reviews/\(review?["id"]?.description ?? "0")")
    }

    func proposal(_ number: Int64) throws -> JSONObject {
        try #require(try call("eve", "GET", "/proposals/\(number)").expecting(200).json.objectValue)
    }

    func member(_ name: String, of number: Int64) throws -> JSONValue {
        try #require(try proposal(number)[name], "\(name)")
    }

    func value(_ key: String) throws -> JSONValue? {
        try call("eve", "GET", "/config/\(key)")[member: "value"]
    }

    /// Moves the time of a proposal to the past, as if the clock had gone on.
    func makeDue(_ number: Int64, minutes: Int = 0) throws {
        try instance.asSuperuser(
            """
            update proposals set apply_at = clock_timestamp() - interval '\(minutes) minutes' where number = \(number)
            """)
    }

    /// Adds a hook that takes the events of releases and proposals.
    func addHook() throws {
        let events = [
            "release.created", "proposal.submitted", "proposal.approved", "proposal.changed", "proposal.failed",
            "proposal.conflicted", "proposal.applied",
        ]
        try instance.asSuperuser(
            """
            insert into hooks (id, url, label, format, types, secret, author, author_kind)
            values ('aaaaaaaaaaaa', 'https://hooks.example.com/', 'chat', 'json', '{\(events.joined(separator: ","))}',
                'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'ada', 'user')
            """)
    }

    /// Releases a merge patch without approvals.
    func release(_ patch: String) throws { try open.patch(patch) }

    /// Puts an entry without approvals.
    func put(_ key: String, _ body: String) throws { try open.call("PUT", "/config/\(key)", body).expecting(200, 201) }

    /// Locks the head like a writer, and runs a body on another thread. Once a statement of the body waits for the
    /// lock, runs a script in the transaction of the lock, and commits.
    ///
    /// - Returns: The result of the body.
    @discardableResult
    func whileHeadIsLocked<Result: Sendable>(
        _ script: String, _ body: @escaping @Sendable () throws -> Result
    ) throws -> Result {
        let writer = try Connection(instance.database.settings)
        try writer.execute(script: "begin; select from config_head for update")
        let results = try concurrently(2) { (index: Int) -> Result? in
            if index == 0 { return try body() }
            let waits = (try? eventually { try isWaiting() }) == true
            try writer.execute(script: "\(script); commit")
            guard waits else { throw NobodyWaits() }
            return nil
        }
        return try #require(results[0])
    }

    /// Returns true if a statement waits for a lock.
    private func isWaiting() throws -> Bool {
        let rows = try instance.query(
            "test_waiting",
            "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")
        return !rows.isEmpty
    }

    /// The failure of a body that did not wait for the head.
    private struct NobodyWaits: Error {}
}
