/// The dependencies between flags, checked for cycles and depth.
struct Dependencies {
    /// The height of each flag with its dependencies, or 0 while unknown.
    private var heights: [Int32]
    /// Tarjan's indices: the time at which each flag was visited, from 1, or 0; and the earliest visited flag in reach.
    private var times: [Int]
    private var lows: [Int]
    /// The flags whose cycle is still unknown, in the order of their visits.
    private var pending: [Int] = []
    private var isPending: [Bool]
    private var time = 0

    /// The number of flags of a cycle that a message names.
    private static let mostNames = 5

    /// Marks flags in a cycle or with too deep dependencies as faulty, and flags that depend on the time through
    /// others.
    static func check(_ flags: inout [FlagDraft], report: (FlagFault) -> Void) {
        var dependencies = Dependencies(count: flags.count)
        for start in flags.indices where dependencies.times[start] == 0 {
            dependencies.visit(start, &flags, report: report)
        }
    }

    private init(count: Int) {
        heights = [Int32](repeating: 0, count: count)
        (times, lows) = ([Int](repeating: 0, count: count), [Int](repeating: 0, count: count))
        isPending = [Bool](repeating: false, count: count)
    }

    /// Finds the cycles among the flags in reach of one flag (Robert Tarjan, "Depth-First Search and Linear Graph
    /// Algorithms", 1972). The search is iterative because chains may be long.
    private mutating func visit(_ start: Int, _ flags: inout [FlagDraft], report: (FlagFault) -> Void) {
        var way: [(flag: Int, next: Int)] = []
        enter(start, &way)
        while let (flag, next) = way.last {
            guard next == flags[flag].dependencies.count else {
                way[way.count - 1].next += 1
                let other = flags[flag].dependencies[next]
                if times[other] == 0 {
                    enter(other, &way)
                } else if isPending[other] {
                    lows[flag] = min(lows[flag], times[other])
                }
                continue
            }
            way.removeLast()
            if let (outer, _) = way.last { lows[outer] = min(lows[outer], lows[flag]) }
            if lows[flag] == times[flag] { close(flag, &flags, report: report) }
        }
    }

    private mutating func enter(_ flag: Int, _ way: inout [(flag: Int, next: Int)]) {
        time += 1
        (times[flag], lows[flag], isPending[flag]) = (time, time, true)
        pending.append(flag)
        way.append((flag, 0))
    }

    /// Completes a strongly connected component, which consists of the pending flags from one on.
    private mutating func close(_ first: Int, _ flags: inout [FlagDraft], report: (FlagFault) -> Void) {
        let circle = pending[(pending.lastIndex(of: first) ?? 0)...]
        pending.removeLast(circle.count)
        if circle.count > 1 || flags[first].dependencies.contains(first) {
            var names = circle.prefix(Self.mostNames).map { flags[$0].key }.joined(separator: ", ")
            if circle.count > Self.mostNames { names += " and \(circle.count - Self.mostNames) more" }
            for flag in circle {
                Self.mark(&flags, flag, "flags depend on each other in a cycle: " + names, report: report)
            }
        }
        for flag in circle {
            for other in flags[flag].dependencies where !isPending[other] {
                heights[flag] = max(heights[flag], heights[other])
                if flags[other].readsTime { flags[flag].readsTime = true }
            }
            heights[flag] = max(1, heights[flag] + (flags[flag].rule?.height ?? 0))
            if heights[flag] > RuleLimits.height {
                Self.mark(&flags, flag, "the dependencies between flags are nested too deep", report: report)
            }
        }
        for flag in circle { isPending[flag] = false }
    }

    private static func mark(_ flags: inout [FlagDraft], _ flag: Int, _ message: String, report: (FlagFault) -> Void) {
        guard flags[flag].fault == nil else { return }
        let fault = FlagFault(at: ["flags", flags[flag].key, "targeting"], message)
        flags[flag].fault = fault
        report(fault)
    }
}
