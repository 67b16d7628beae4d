internal import AlmanacForms
internal import AlmanacProposals

extension EnvironmentsFile {
    /// Reads the member `approvals`; returns nil if it is absent.
    static func approvals(_ section: Section) throws(EnvironmentsFailure) -> ApprovalPolicy? {
        guard let approvals = try section.section("approvals") else { return nil }
        try approvals.allow("required", "rules", "exempt", "expires_days", "late_minutes")
        guard let required = try approvals.integer("required", in: counts) else {
            throw approvals.failure("'required' is missing; expected the number of approvals that a release needs")
        }
        var policy = ApprovalPolicy(required: required)
        for rule in try approvals.sections("rules") {
            try rule.allow("keys", "required")
            guard let keys = try rule.string("keys").flatMap(KeyPattern.init) else {
                throw rule.failure("'keys' must be a key, or a beginning of keys with a star, such as pay.*")
            }
            guard let required = try rule.integer("required", in: counts) else {
                throw rule.failure("'required' is missing; expected the number of approvals that these keys need")
            }
            policy.rules.append(ApprovalPolicy.Rule(keys: keys, required: required))
        }
        if let exempt = try approvals.list("exempt") {
            let names = ApprovalPolicy.Exemption.allCases.map(\.rawValue).joined(separator: ", ")
            policy.exemptions = []
            for name in exempt {
                guard let exemption = ApprovalPolicy.Exemption(rawValue: name) else {
                    throw approvals.failure("'exempt' contains '\(name)'; expected \(names)")
                }
                policy.exemptions.insert(exemption)
            }
        }
        policy.expiryDays = try approvals.integer("expires_days", in: 1...365) ?? policy.expiryDays
        policy.lateMinutes = try approvals.integer("late_minutes", in: 1...10_080) ?? policy.lateMinutes
        return policy
    }

    /// The accepted numbers of approvals. Without the member, a release needs none.
    private static let counts = 1...20
}
