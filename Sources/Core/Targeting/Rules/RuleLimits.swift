/// The limits on rules and evaluations.
enum RuleLimits {
    /// The nodes of one rule, without shared rules.
    static let maxNodes = 10_000
    /// The height of a rule, including its shared rules and the rules of flags that it depends on.
    static let maxHeight: Int32 = 128
    /// The flags that a rule may depend on, including those of its shared rules.
    static let maxDependencies = 100
    /// The steps of one evaluation, and the size of a value made by a rule. A step is a node, a value inside another
    /// one, or 16 bytes of a text.
    static let maxSteps = 200_000
    /// The steps of all evaluations in one request.
    static let maxRequestSteps = 1_500_000
    /// The nesting depth of arrays and objects made by a rule.
    static let maxDepth = 64
    static let maxPatternBytes = 1000
    /// The instructions of all flags' patterns together.
    static let maxPatternSteps = 500_000
    /// The length of a scheme's parameters, in bytes of JSON.
    static let maxSchemeBytes = 1000
    /// The networks of one `almanac.network`.
    static let maxNetworks = 1000
    /// The length of a flag's metadata and of a set's metadata, in bytes of JSON.
    static let maxMetadataBytes = 8192
    /// The findings of an explanation, and the bytes of JSON shown of an operand.
    static let maxFindings = 1000
    static let maxOperandBytes = 1000
}
