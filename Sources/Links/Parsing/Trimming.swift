extension BidirectionalCollection {
  /// What is left without the padding at both ends.
  public func trimming(while isPadding: (Element) -> Bool) -> SubSequence {
    let start = drop(while: isPadding)
    return start.lastIndex { !isPadding($0) }.map { start[...$0] } ?? start.prefix(0)
  }
}
