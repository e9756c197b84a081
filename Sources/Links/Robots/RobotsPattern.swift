/// The path of a rule: a beginning, with `*` for any octets and a `$` at its end where paths must end too.
struct RobotsPattern: Sendable {
  /// With stars, without the last `$`.
  let octets: [UInt8]
  let endsThere: Bool

  init(_ text: some BidirectionalCollection<UInt8>) {
    endsThere = text.last == .dollar
    octets = RobotsOctets.ofPattern(endsThere ? Array(text.dropLast()) : Array(text))
  }

  /// The longer one of two patterns is the one that counts.
  var length: Int { octets.count + (endsThere ? 1 : 0) }

  /// Patterns can be made to cost time, so the caller says how much.
  ///
  /// - Parameter steps: Octets that may still be compared; below zero there is no answer.
  func matches(_ path: [UInt8], steps: inout Int) -> Bool {
    var (place, next) = (0, 0)
    var star: (next: Int, place: Int)?
    while steps >= 0 {
      steps -= 1
      if next == octets.count {
        if !endsThere || place == path.count { return true }
      } else if octets[next] == .star {
        next += 1
        star = (next, place)
        continue
      } else if place < path.count, octets[next] == path[place] {
        (place, next) = (place + 1, next + 1)
        continue
      }
      guard let last = star, last.place < path.count else { return false }
      star = (last.next, last.place + 1)
      (place, next) = (last.place + 1, last.next)
    }
    return false
  }
}
