import TextMerge

/// The examples of the documentation, to see that they compile; a test of the architecture compares them with it.
enum Examples {
    static func rebasing() -> (text: String, caret: Int, unsent: [DeltaElement]) {
        let base = "milk\nbread"  // what both devices had
        let server = "milk\nbread\neggs"  // what the server has by now
        let local = "oat milk\nbread"  // what was typed here

        let rebased = rebase(local, from: base, onto: server)
        let text = rebased.text  // "oat milk\nbread\neggs"
        let caret = rebased.change.map(position: 3)  // where the caret behind "oat" goes
        let unsent = rebased.unsent.elements  // ["oat ", 15]: what to send, based on the server's text
        return (text, caret, unsent)
    }
}
