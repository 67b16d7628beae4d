/// How much a rule may be, and do.
enum RuleLimits {
    /// Nodes of one rule, those of shared rules not counted.
    static let nodes = 10_000
    /// How deep a rule may be with its shared rules, and with those of the flags that it asks for.
    static let height: Int32 = 128
    /// What one evaluation may do: a step is a node, an element of an array or 16 bytes of a text.
    static let steps = 200_000
    static let patternBytes = 1000
}
