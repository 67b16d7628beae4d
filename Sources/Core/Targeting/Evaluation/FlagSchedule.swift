/// The times at which evaluations of unchanged flags may change, derived from their rules.
///
/// - A time compared with `$flagd.timestamp` yields the second after it, for every relation.
/// - A rising or falling `almanac.ramp` yields one time per percent, at most one per minute, and the end of each
///   segment.
/// - Any other use of the time yields every minute.
public struct FlagSchedule: Sendable {
    /// The times in seconds since 1970, unordered.
    private var times: [Int64] = []
    private var rampSegments: [RampSegment] = []
    private var isEachMinute = false
    /// The ramps whose percentage changes.
    package private(set) var ramps: [Ramping] = []
    /// The shared rules that the flag being added may read, and those that it was found to read.
    private var sharedRules = FlagObject()
    private var readRules: Set<[UInt8]> = []

    /// A segment of a ramp in which the percentage changes.
    private struct RampSegment: Sendable {
        let from: Int64
        let to: Int64
        let step: Int64
    }

    /// A ramp from its first change to its last.
    package struct Ramping: Sendable, Equatable {
        /// The times of the first and the last change, in seconds since 1970.
        package let start: Int64
        package let end: Int64
        /// The shares at these times, in thousandths of a percent.
        package let from: Int64
        package let to: Int64
        /// The variant of the share; nil for the default variant, and for a rule that selects one.
        package let variant: String?

        package init(start: Int64, end: Int64, from: Int64, to: Int64, variant: String?) {
            (self.start, self.end, self.from, self.to, self.variant) = (start, end, from, to, variant)
        }
    }

    /// The times that rules compare with the time of an evaluation, in seconds since 1970.
    package var comparedTimes: [Int64] { times.map { $0 - 1 } }

    private static let minute: Int64 = 60

    /// Creates the schedule of no flags, which is empty.
    public init() {}

    /// True if the schedule contains no time.
    public var isEmpty: Bool { times.isEmpty && rampSegments.isEmpty && !isEachMinute }

    /// Adds the definition of a flag. A disabled flag yields no times.
    public mutating func add(definition: FlagValue) {
        guard case .object(let object) = definition, let rule = object["targeting"] else { return }
        if case .string(let state)? = object["state"], state.hasBytes(of: "DISABLED") { return }
        add(rule: rule)
    }

    /// Adds the definition of a flag, and the shared rules that it reads.
    package mutating func add(definition: FlagValue, sharedRules: FlagObject) {
        (self.sharedRules, readRules) = (sharedRules, [])
        add(definition: definition)
        (self.sharedRules, readRules) = (FlagObject(), [])
    }

    /// Adds a rule, such as a shared one.
    public mutating func add(rule: FlagValue) { look(at: rule, isInElement: false) }

    /// Returns the next time in the schedule, in seconds since 1970, or nil if there is none.
    public func next(after now: Int64) -> Int64? {
        var next: Int64?
        func offer(_ time: Int64) { if time > now { next = min(next ?? time, time) } }
        for time in times { offer(time) }
        for slope in rampSegments where slope.to > now {
            let gone = max(0, now - slope.from)
            offer(min(slope.to, slope.from + (gone / slope.step + 1) * slope.step))
        }
        if isEachMinute { offer((now / Self.minute + 1) * Self.minute) }
        return next
    }

    /// - Parameter isInElement: True if `var` reads an element of an array, which has no time.
    private mutating func look(at value: FlagValue, isInElement: Bool) {
        switch value {
        case .array(let elements): for element in elements { look(at: element, isInElement: isInElement) }
        case .object(let object):
            guard object.members.count == 1, let known = Operator.named(object.members[0].name) else { return }
            var arguments: FlagArray = [object.members[0].value]
            if case .array(let elements) = object.members[0].value { arguments = elements }
            look(at: known.operation, arguments, isInElement)
        default: break
        }
    }

    private mutating func look(at operation: Operation, _ arguments: FlagArray, _ isInElement: Bool) {
        switch operation {
        case .variable where !isInElement:
            if Self.isTime(arguments.first ?? .null) { isEachMinute = true }
            for argument in arguments.dropFirst() { look(at: argument, isInElement: false) }
        case .ramp:
            for (index, argument) in arguments.prefix(3).enumerated() {
                guard let points = Ramp(argument) else { continue }
                add(points, variant: arguments.dropFirst(index + 1).first)
                break
            }
            for argument in arguments { look(at: argument, isInElement: isInElement) }
        case .reference:
            guard case .string(let name)? = arguments.first, let rule = sharedRules[name],
                readRules.insert(Array(name.utf8) + [isInElement ? 1 : 0]).inserted
            else { return }
            look(at: rule, isInElement: isInElement)
        case .map, .filter, .reduce, .all, .some, .none:
            for (index, argument) in arguments.enumerated() {
                look(at: argument, isInElement: isInElement || index == 1)
            }
        case .date, .equal, .notEqual, .same, .notSame, .less, .lessOrEqual, .greater, .greaterOrEqual:
            let others = arguments.filter { !Self.isTimestamp($0) }
            let times = others.compactMap { Instant($0, isLenient: true) }
            // All other operands are times, except the relation of `almanac.date`.
            if !isInElement, others.count < arguments.count, times.count == others.count - (operation == .date ? 1 : 0)
            {
                for time in times { self.times.append(Self.seconds(upTo: time) + 1) }
            } else {
                for argument in arguments { look(at: argument, isInElement: isInElement) }
            }
        default: for argument in arguments { look(at: argument, isInElement: isInElement) }
        }
    }

    private mutating func add(_ ramp: Ramp, variant: FlagValue?) {
        let changes = zip(ramp.points, ramp.points.dropFirst()).filter { $0.weight != $1.weight }
        if let first = changes.first?.0, let last = changes.last?.1 {
            var name: String?
            if case .string(let text)? = variant { name = text }
            ramps.append(
                Ramping(
                    start: first.milliseconds / 1000, end: Self.seconds(upTo: Instant(milliseconds: last.milliseconds)),
                    from: first.weight, to: last.weight, variant: name))
        }
        for (from, to) in changes {
            let (start, end) = (from.milliseconds / 1000, Self.seconds(upTo: Instant(milliseconds: to.milliseconds)))
            let percents = max(1, abs(to.weight - from.weight) * 100 / Int64(Ramp.total))
            rampSegments.append(RampSegment(from: start, to: end, step: max(Self.minute, (end - start) / percents)))
        }
    }

    private static func seconds(upTo time: Instant) -> Int64 {
        let (seconds, rest) = time.milliseconds.quotientAndRemainder(dividingBy: 1000)
        return rest > 0 ? seconds + 1 : seconds
    }

    /// Returns true if a `var` with this name reads the time or the whole context, or if the name is computed.
    private static func isTime(_ name: FlagValue) -> Bool {
        switch name {
        case .string(let name):
            name.utf8.isEmpty || name.hasBytes(of: "$flagd") || name.hasBytes(of: "$flagd.timestamp")
        case .number: false
        default: true
        }
    }

    /// Returns true if a value is `{"var": "$flagd.timestamp"}`.
    private static func isTimestamp(_ value: FlagValue) -> Bool {
        guard case .object(let object) = value, object.members.count == 1, object.members[0].name.hasBytes(of: "var")
        else { return false }
        var name = object.members[0].value
        if case .array(let elements) = name, elements.count == 1 { name = elements[0] }
        if case .string(let name) = name { return name.hasBytes(of: "$flagd.timestamp") }
        return false
    }
}
