package import HTTPMessages
internal import JSONQuery
internal import Links
package import Pipeline
internal import Posix

/// An answer about a link, in every shape that was asked for so far.
package final class KeptPreview: Sendable {
  /// A body that is the same for all who ask, and a weak tag: of what the page said, whenever it was fetched.
  package struct Rendering: Sendable {
    package var body: [UInt8]
    package var tag: EntityTag
  }

  /// Why there is nothing to show. Each answer renders it again, because it names the request.
  package let problem: Problem?
  package let storedAt: Moment
  package let freshUntil: Moment
  /// What its fetch took.
  package let milliseconds: Int64
  private let row: [UInt8]
  private let renderings = Lock<[PreviewShape: Rendering]>([:])

  /// What a rendering and the places in tables take beside the row.
  private static let costOfPlace = 512

  init(_ row: [UInt8], freshFor times: PreviewTimes, at now: Moment) {
    let read = PreviewRow(row)
    (self.row, problem) = (row, read.problem)
    storedAt = now.advanced(byMilliseconds: -read.ageMilliseconds)
    // A fleet may keep answers for longer; that is no reason to ask it with every request.
    freshUntil = max(
      storedAt.advanced(byMilliseconds: times.limit(with: read.problem)),
      now.advanced(byMilliseconds: min(times.limit(with: read.problem), times.passingFailuresMilliseconds)))
    milliseconds = read.milliseconds ?? 0
  }

  /// The row once more.
  package var read: PreviewRow { PreviewRow(row) }

  var cost: Int { 2 * row.count + Self.costOfPlace }

  package func rendering(as shape: PreviewShape) -> Rendering {
    if let known = renderings.withLock({ $0[shape] }) { return known }
    let seconds = Int(freshUntil.milliseconds(since: storedAt) / 1_000)
    func written(hasTimes: Bool) -> [UInt8] {
      JSONWriter.object(reservingCapacity: 1_024) {
        shape.write(read, cacheSeconds: seconds, hasTimes: hasTimes, to: &$0)
      }
    }
    guard let tag = EntityTag(digest(of: written(hasTimes: false))) else {
      preconditionFailure("a digest has but digits")
    }
    let new = Rendering(body: written(hasTimes: true), tag: tag)
    renderings.withLock { $0[shape] = new }
    return new
  }
}

/// What tells bytes from others, as it can stand in a name.
func digest(of bytes: [UInt8]) -> String {
  var hash = StableHash()
  hash.add(bytes)
  return String(hash.value, radix: 36)
}
