/// How much a rule may be, and do.
enum RuleLimits {
    /// Nodes of one rule, those of shared rules not counted.
    static let nodes = 10_000
    /// How deep a rule may be with its shared rules, and with those of the flags that it asks for.
    static let height: Int32 = 128
    /// How many flags a rule may ask for with its shared rules.
    static let dependencies = 100
    /// What one evaluation may do: a step is a node, a value inside another one, or 16 bytes of a text. It is also the
    /// largest value that a rule may make.
    static let steps = 200_000
    /// What the evaluations of one request may do together.
    static let requestSteps = 1_500_000
    /// How many arrays and objects inside each other a rule may make.
    static let depth = 64
    static let patternBytes = 1000
    /// Steps of the patterns of all flags together.
    static let patternSteps = 500_000
    /// How many bytes of JSON the metadata of a flag may have, and those of a set.
    static let metadataBytes = 8192
    /// The most findings that an explanation tells, and the bytes of JSON that it tells of an operand.
    static let findings = 1000
    static let operandBytes = 1000
}
