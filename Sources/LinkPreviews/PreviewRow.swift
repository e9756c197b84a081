package import HTTPMessages
package import JSONQuery
internal import Links
package import Pipeline
internal import Posix

/// What became of a link, as its row tells it.
package struct PreviewRow: Sendable {
  package let root: JSONValue
  /// Why nothing can be shown of it; nil also for a page without a title, of which there is the rest.
  package let problem: Problem?

  /// - Parameter json: A row.
  package init(_ json: [UInt8]) {
    do throws(JSONError) {
      root = try JSONDocument(parsing: json, limits: .around).root
      problem = Problem(row: root)
    } catch {
      // An empty object stands for what cannot be read.
      root = Self.nothing
      problem = Problem(.underlying, "a row is not JSON: \(error)")
    }
  }

  /// Of a link that was not looked at.
  package init(_ problem: Problem) { (root, self.problem) = (Self.nothing, problem) }

  private static let nothing: JSONValue = {
    do { return try JSONDocument(parsing: Array("{}".utf8)).root } catch { preconditionFailure("\(error)") }
  }()

  /// Where the link leads; the link itself when that is not known.
  package var url: String { text("url") ?? text("input") ?? "" }
  package var title: String? { card("title") ?? text("title") }
  /// How old the answer was already when it came; 0 for what was just fetched.
  package var ageMilliseconds: Int64 { (root["age"]?.int64 ?? 0) * 1_000 }
  package var milliseconds: Int64? { root["ms"]?.int64 }

  package func text(_ member: String) -> String? { Self.filled(root[member]?.string) }
  package func card(_ field: String) -> String? { Self.filled(root["card"]?[field]?.string) }
  package func embed(_ field: String) -> String? { Self.filled(root["card"]?["embed"]?[field]?.string) }

  /// The redirects, each in a line.
  var steps: [String] {
    root["hops"]?.elements.map { hop in
      let status = hop["status"]?.numberText ?? ""
      return "\(status) \(hop["url"]?.string ?? "") (\(hop["via"]?.string ?? "no way on"))"
    } ?? []
  }

  var author: String? { embed("author_name") ?? card("author") }

  /// As the page declares it.
  var imageSize: (width: Int64, height: Int64)? {
    guard let width = root["card"]?["image_width"]?.int64, let height = root["card"]?["image_height"]?.int64
    else { return nil }
    return (width, height)
  }

  /// Such as `example.org`.
  var host: String? {
    let parts = url.split(separator: "/", maxSplits: 2)
    return parts.count > 1 ? String(parts[1]) : nil
  }

  private static func filled(_ text: String?) -> String? { text?.isEmpty == false ? text : nil }
}

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

/// What is asked about a link.
package struct PreviewKey: Hashable, Sendable {
  package var kind: JobKind
  /// In its canonical form.
  package var link: String
  package var language: String?
}

/// A preview, and where it came from.
package struct FoundPreview: Sendable {
  package enum Origin: String, Sendable {
    case fresh, stale
    /// It was fetched for who asks.
    case waited
  }

  package var preview: KeptPreview
  package var origin: Origin
  /// It is stale, and the last attempt to renew it has not just failed.
  package var mayRenew = false

  package init(_ preview: KeptPreview, _ origin: Origin, mayRenew: Bool = false) {
    (self.preview, self.origin, self.mayRenew) = (preview, origin, mayRenew)
  }
}

/// How long answers are good.
package struct PreviewTimes: Hashable, Sendable {
  package var answersMilliseconds: Int64
  /// Of failures that will be the same tomorrow.
  package var failuresMilliseconds: Int64 = 600_000
  /// Of those that may pass: long enough that a dead host in a busy room is not asked with every message.
  package var passingFailuresMilliseconds: Int64 = 60_000
  /// How long an answer is given that is not fresh any more, while a new one is fetched.
  package var staleMilliseconds: Int64 = 7 * 24 * 3_600_000

  package init(answersMilliseconds: Int64 = 24 * 3_600_000) {
    self.answersMilliseconds = answersMilliseconds
  }

  /// The same for what is kept in a file.
  package var rule: CacheRule {
    CacheRule(answersMilliseconds: answersMilliseconds, failuresMilliseconds: failuresMilliseconds)
  }

  func limit(with problem: Problem?) -> Int64 {
    guard let problem else { return answersMilliseconds }
    return problem.isRetryable ? passingFailuresMilliseconds : failuresMilliseconds
  }
}

/// Answers that were given lately, in memory: what was used least lately makes room for others.
package struct PreviewStore: Sendable {
  private struct Place: Sendable {
    var preview: KeptPreview
    var isUsed = false
    var notRenewedBefore: Moment?
  }

  private let times: PreviewTimes
  private let mostBytes: Int
  private var places: [PreviewKey: Place] = [:]
  /// By when they came, or were last passed over because they had been used.
  private var order = FIFO<PreviewKey>()
  private(set) package var bytes = 0

  package init(times: PreviewTimes = PreviewTimes(), mostBytes: Int = 64 << 20) {
    (self.times, self.mostBytes) = (times, mostBytes)
  }

  package var count: Int { places.count }

  package mutating func find(_ key: PreviewKey, at now: Moment) -> FoundPreview? {
    guard let place = places[key] else { return nil }
    if !place.isUsed { places[key]?.isUsed = true }
    let left = place.preview.freshUntil.milliseconds(since: now)
    if left > 0 { return FoundPreview(place.preview, .fresh) }
    guard isGiven(place.preview, at: now) else { return nil }
    return FoundPreview(place.preview, .stale, mayRenew: place.notRenewedBefore.map { $0 <= now } ?? true)
  }

  private func isGiven(_ stale: KeptPreview, at now: Moment) -> Bool {
    stale.problem == nil && now.milliseconds(since: stale.freshUntil) < times.staleMilliseconds
  }

  /// - Returns: What is given to all who asked for it.
  package mutating func keep(_ row: [UInt8], for key: PreviewKey, at now: Moment) -> KeptPreview {
    let new = KeptPreview(row, freshFor: times, at: now)
    // A fault that may pass does not take the place of an answer that can still be given.
    if new.problem?.isRetryable == true, let known = places[key], isGiven(known.preview, at: now) {
      places[key]?.notRenewedBefore = new.freshUntil
      return new
    }
    if let former = places.updateValue(Place(preview: new), forKey: key) {
      bytes -= former.preview.cost
    } else {
      order.append(key)
    }
    bytes += new.cost
    while bytes > mostBytes, let oldest = order.popFirst() {
      if places[oldest]?.isUsed == true {
        places[oldest]?.isUsed = false
        order.append(oldest)
      } else {
        bytes -= places.removeValue(forKey: oldest)?.preview.cost ?? 0
      }
    }
    return new
  }
}
