/// Histories that wait for their turn to be read, each once.
struct Turns: Sendable {
    private var queue: [StreamScope] = []
    private var first = 0
    private var waiting: Set<StreamScope> = []

    mutating func append(_ scope: StreamScope) {
        if waiting.insert(scope).inserted { queue.append(scope) }
    }

    mutating func next() -> StreamScope? {
        guard first < queue.count else { return nil }
        let scope = queue[first]
        first += 1
        if first * 2 > queue.count {
            queue.removeFirst(first)
            first = 0
        }
        waiting.remove(scope)
        return scope
    }
}
