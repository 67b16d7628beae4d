extension RandomAccessCollection where Index == Int {
    /// The index of the first element that is not before a place, by binary search; those before it come first.
    func partitioningIndex(isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
