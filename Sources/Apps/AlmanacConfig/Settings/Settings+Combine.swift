#if canImport(Combine)
    public import Combine

    extension Settings {
        /// The updates for Combine. Not tested on Linux, which has no Combine.
        public var publisher: AnyPublisher<Set<String>, Never> {
            let subject = PassthroughSubject<Set<String>, Never>()
            let updates = updates
            let task = Task { @MainActor in
                for await keys in updates { subject.send(keys) }
                subject.send(completion: .finished)
            }
            return subject.handleEvents(receiveCancel: { task.cancel() }).eraseToAnyPublisher()
        }
    }
#endif
