internal import Links
package import Pipeline
internal import Posix

/// An answer about a link, in every shape that was asked for so far.
package final class KeptPreview: Sendable {
  /// A body that is the same for all who ask, and what tells it from others.
  package struct Rendering: Sendable {
    package var status: Int
    package var body: [UInt8]
    package var tag: String
  }

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

  /// nil when it is a problem, which is told anew each time, but for iframely's own.
  package func rendering(as shape: PreviewShape) -> Rendering? {
    if let known = renderings.withLock({ $0[shape] }) { return known }
    guard let new = render(as: shape) else { return nil }
    renderings.withLock { $0[shape] = new }
    return new
  }

  private func render(as shape: PreviewShape) -> Rendering? {
    let seconds = Int(freshUntil.milliseconds(since: storedAt) / 1_000)
    var (status, body) = (200, [UInt8]())
    if let problem {
      guard shape == .iframelyFlat || shape == .iframelyGrouped else { return nil }
      (status, body) = PreviewShape.iframelyError(problem)
    } else {
      body = shape.body(of: read, cacheSeconds: seconds)
    }
    var hash = StableHash()
    hash.add(body)
    return Rendering(status: status, body: body, tag: "\"\(String(hash.value, radix: 36))\"")
  }
}
