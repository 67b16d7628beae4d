// For callers inside the package that still have the old names.
package typealias Merge = ThreeWay.Merge
package typealias Rebase = ThreeWay.Rebase

package func diff(from old: String, to new: String) -> Delta { Delta.between(old, new) }

package func merge(base: String, theirs: String, mine: String) -> ThreeWay.Merge {
    ThreeWay.merge(base: base, theirs: theirs, mine: mine)
}

package func rebase(_ local: String, from base: String, onto server: String) -> ThreeWay.Rebase {
    ThreeWay.rebase(local, from: base, onto: server)
}
