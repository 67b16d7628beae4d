internal import Observation

/// A screen that draws a view as elements, redraws it after changes, and lets tests use its controls.
@MainActor
public final class ViewHost {
    /// A drawn control or text.
    public struct Element {
        public let kind: String
        public let text: String
        public internal(set) var background: Color?
        let value: Any?
        let act: ((Any) -> Void)?
    }

    /// The error of a cancelled wait, with the texts on the screen.
    public struct WaitCancelled: Error, CustomStringConvertible {
        let texts: [String]
        public var description: String { "the wait was cancelled; the screen shows \(texts)" }
    }

    public private(set) var elements: [Element] = []
    private let view: any View
    private var storages: [String: AnyObject] = [:]
    private var tasks: [String: Task<Void, Never>] = [:]
    private var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    private var waits = 0

    public init(_ view: some View) {
        self.view = view
        draw()
    }

    isolated deinit { for task in tasks.values { task.cancel() } }

    public var texts: [String] { elements.map(\.text) }

    public func shows(_ text: String) -> Bool { texts.contains(text) }

    /// Returns the background of the element with a text.
    public func background(of text: String) -> Color? { elements.first { $0.text == text }?.background }

    /// Waits until a condition holds, and checks the condition after every drawing.
    ///
    /// - Throws: ``WaitCancelled`` if the task is cancelled, as at a test's time limit.
    public func wait(until condition: (ViewHost) -> Bool) async throws {
        while !condition(self) {
            waits += 1
            let id = waits
            await withTaskCancellationHandler {
                await withCheckedContinuation { waiting[id] = $0 }
            } onCancel: {
                Task { @MainActor in self.waiting.removeValue(forKey: id)?.resume() }
            }
            guard Task.isCancelled else { continue }
            let failure = WaitCancelled(texts: texts)
            // Swift Testing omits errors that a test throws after its time limit.
            print(failure)
            throw failure
        }
    }

    public func tap(_ label: String) { use(label, ()) }

    /// Sets a control's value, as the user does.
    public func set<Value>(_ label: String, to value: Value) { use(label, value) }

    public func value<Value>(of label: String, as type: Value.Type = Value.self) -> Value? {
        elements.first { $0.text == label && $0.value != nil }?.value as? Value
    }

    /// Cancels the view's tasks, as when the view leaves the screen.
    public func close() {
        for task in tasks.values { task.cancel() }
        tasks = [:]
    }

    private func use(_ label: String, _ value: Any) {
        guard let act = elements.first(where: { $0.text == label && $0.act != nil })?.act else {
            fatalError("expected a control \(label) among \(texts)")
        }
        act(value)
    }

    private func draw() {
        let drawing = Drawing(storages)
        withObservationTracking {
            drawing.draw(view)
        } onChange: { [weak self] in
            Task { @MainActor in self?.draw() }
        }
        storages = drawing.storages
        elements = drawing.elements
        for (path, task) in tasks where drawing.tasks[path] == nil {
            task.cancel()
            tasks[path] = nil
        }
        for (path, action) in drawing.tasks where tasks[path] == nil { tasks[path] = Task { await action() } }
        for change in drawing.changes { change() }
        let woken = waiting
        waiting = [:]
        for continuation in woken.values { continuation.resume() }
    }
}

@MainActor
final class Drawing {
    private(set) var elements: [ViewHost.Element] = []
    private(set) var storages: [String: AnyObject] = [:]
    private(set) var tasks: [String: @Sendable () async -> Void] = [:]
    private(set) var changes: [() -> Void] = []
    private let earlier: [String: AnyObject]
    private var path = "root"
    private var environment = EnvironmentValues()

    init(_ earlier: [String: AnyObject]) { self.earlier = earlier }

    func draw(_ view: some View, at place: String = "") {
        let outer = path
        path += "/\(place)\(type(of: view))"
        defer { path = outer }
        if let primitive = view as? any PrimitiveView { return primitive.draw(in: self) }
        var view = view
        prepare(&view)
        draw(view.body)
    }

    func add(_ kind: String, _ text: String, value: Any? = nil, act: ((Any) -> Void)? = nil) {
        elements.append(ViewHost.Element(kind: kind, text: text, background: nil, value: value, act: act))
    }

    func run(_ action: @escaping @Sendable () async -> Void, id: String = "") { tasks[path + id] = action }

    /// Stores a value for the next drawing, and returns the value of the previous drawing.
    func remember(_ value: AnyObject) -> AnyObject? {
        let key = path + "|"
        storages[key] = value
        return earlier[key]
    }

    func after(_ change: @escaping () -> Void) { changes.append(change) }

    func with(_ change: (inout EnvironmentValues) -> Void, _ body: () -> Void) {
        let outer = environment
        change(&environment)
        body()
        environment = outer
    }

    func colour(_ color: Color, _ body: () -> Void) {
        let first = elements.count
        body()
        for index in first..<elements.count where elements[index].background == nil {
            elements[index].background = color
        }
    }

    /// Sets the storages and the environment of a view's properties. Copies that are updated share the storages.
    private func prepare(_ view: inout some View) { prepare(properties: view, at: path) }

    private func prepare(properties owner: Any, at place: String) {
        for child in Mirror(reflecting: owner).children {
            guard let property = child.value as? any DynamicProperty else { continue }
            let key = "\(place).\(child.label ?? "")"
            if let persistent = property as? any PersistentProperty {
                if let storage = earlier[key] { persistent.setStorage(storage) }
                storages[key] = persistent.storage
            }
            (property as? any EnvironmentReader)?.read(environment)
            prepare(properties: property, at: key)
            var updated = property
            updated.update()
        }
    }
}
