/// Every so many elements of an array from a place to another, such as `1:5:2`.
struct PathSlice: Sendable {
  var start: Int?
  var end: Int?
  var step = 1

  /// The positions it chooses of an array of `count` elements, in their order (RFC 9535, 2.3.4.2.2).
  func positions(of count: Int) -> StrideTo<Int> {
    func normal(_ position: Int) -> Int { position >= 0 ? position : count + position }
    guard step != 0 else { return stride(from: 0, to: 0, by: 1) }
    if step > 0 {
      let lower = min(max(normal(start ?? 0), 0), count)
      let upper = min(max(normal(end ?? count), 0), count)
      return stride(from: lower, to: upper, by: step)
    }
    let upper = min(max(normal(start ?? count - 1), -1), count - 1)
    let lower = end.map { min(max(normal($0), -1), count - 1) } ?? -1
    return stride(from: upper, to: lower, by: step)
  }
}
