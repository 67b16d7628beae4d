extension RandomAccessCollection where Index == Int {
    /// Returns the first index for which `isBefore` is false, by binary search in a partitioned collection.
    func partitioningIndex(isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
