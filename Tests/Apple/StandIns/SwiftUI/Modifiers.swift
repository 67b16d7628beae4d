/// The boxed value of the previous drawing.
private final class Remembered<Value> {
    let value: Value

    init(_ value: Value) { self.value = value }
}

extension View {
    public func task(
        priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View {
        ModifiedView(content: self) { drawing, content in
            drawing.run(action)
            drawing.draw(content)
        }
    }

    public func task<T: Equatable>(
        id: T, priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View {
        ModifiedView(content: self) { drawing, content in
            drawing.run(action, id: "\(id)")
            drawing.draw(content)
        }
    }

    /// Returns the view unchanged, because a drawing does not know which views have disappeared.
    public func onDisappear(perform action: (() -> Void)? = nil) -> some View { self }

    public func onChange<V: Equatable>(of value: V, _ action: @escaping (V, V) -> Void) -> some View {
        ModifiedView(content: self) { drawing, content in
            if let last = drawing.remember(Remembered(value)) as? Remembered<V>, last.value != value {
                drawing.after { action(last.value, value) }
            }
            drawing.draw(content)
        }
    }

    public func background(_ color: Color) -> some View {
        ModifiedView(content: self) { drawing, content in drawing.colour(color) { drawing.draw(content) } }
    }

    public func foregroundStyle(_ color: Color) -> some View { self }
    public func padding(_ length: Double? = nil) -> some View { self }
    public func disabled(_ isDisabled: Bool) -> some View { self }

    public func navigationTitle(_ title: some StringProtocol) -> some View {
        let title = String(title)
        return ModifiedView(content: self) { drawing, content in
            drawing.add("Title", title)
            drawing.draw(content)
        }
    }

    public func searchable(text: Binding<String>) -> some View { searchable(text: text, prompt: "Search") }

    /// Adds a search field, which is a text field named by its prompt.
    public func searchable(text: Binding<String>, prompt: some StringProtocol) -> some View {
        let prompt = String(prompt)
        return ModifiedView(content: self) { drawing, content in
            drawing.draw(TextField(prompt, text: text))
            drawing.draw(content)
        }
    }
}
