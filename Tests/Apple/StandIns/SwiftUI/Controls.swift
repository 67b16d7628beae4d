public struct Text: View, PrimitiveView {
    private let content: String

    public init(_ content: some StringProtocol) { self.content = String(content) }

    public init(verbatim content: String) { self.content = content }

    func draw(in drawing: Drawing) { drawing.add("Text", content) }
}

public struct Label: View, PrimitiveView {
    private let title: String

    public init(_ title: some StringProtocol, systemImage: String) { self.title = String(title) }

    func draw(in drawing: Drawing) { drawing.add("Label", title) }
}

public struct ButtonRole: Equatable, Sendable {
    private let name: String
    public static let destructive = ButtonRole(name: "destructive")
    public static let cancel = ButtonRole(name: "cancel")
}

public struct Button: View, PrimitiveView {
    private let title: String
    private let action: @MainActor () -> Void

    public init(_ title: some StringProtocol, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void) {
        self.title = String(title)
        self.action = action
    }

    func draw(in drawing: Drawing) {
        let action = action
        drawing.add("Button", title) { _ in MainActor.assumeIsolated { action() } }
    }
}

extension Drawing {
    fileprivate func add<Value>(_ kind: String, _ title: String, _ binding: Binding<Value>) {
        add(kind, title, value: binding.wrappedValue) { value in
            guard let value = value as? Value else { fatalError("expected \(Value.self) for \(title)") }
            binding.wrappedValue = value
        }
    }
}

public struct Toggle: View, PrimitiveView {
    private let title: String
    private let isOn: Binding<Bool>

    public init(_ title: some StringProtocol, isOn: Binding<Bool>) {
        self.title = String(title)
        self.isOn = isOn
    }

    func draw(in drawing: Drawing) { drawing.add("Toggle", title, isOn) }
}

public struct TextField: View, PrimitiveView {
    private let title: String
    private let text: Binding<String>

    public init(_ title: some StringProtocol, text: Binding<String>) {
        self.title = String(title)
        self.text = text
    }

    func draw(in drawing: Drawing) { drawing.add("TextField", title, text) }
}

/// An editor that tests find by its text.
public struct TextEditor: View, PrimitiveView {
    private let text: Binding<String>

    public init(text: Binding<String>) { self.text = text }

    func draw(in drawing: Drawing) { drawing.add("TextEditor", text.wrappedValue, text) }
}

public struct Slider<V: BinaryFloatingPoint>: View, PrimitiveView {
    private let title: String
    private let value: Binding<V>

    public init(value: Binding<V>, in bounds: ClosedRange<V> = 0...1, @ViewBuilder label: () -> Text) {
        let drawing = Drawing([:])
        drawing.draw(label())
        title = drawing.elements.first?.text ?? ""
        self.value = value
    }

    public init(value: Binding<V>, in bounds: ClosedRange<V> = 0...1) { (title, self.value) = ("", value) }

    func draw(in drawing: Drawing) { drawing.add("Slider", title, value) }
}

public struct Stepper<V: Strideable>: View, PrimitiveView {
    private let title: String
    private let value: Binding<V>

    public init(_ title: some StringProtocol, value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1) {
        self.title = String(title)
        self.value = value
    }

    func draw(in drawing: Drawing) { drawing.add("Stepper", title, value) }
}
