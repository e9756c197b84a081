/// A dictionary's own order differs from process to process. Where it would decide what is sent or tried first, the keys
/// decide, so that the same things in the same order lead to the same.
extension Dictionary where Key: Comparable {
  var inOrder: [(key: Key, value: Value)] { sorted { $0.key < $1.key } }
}
