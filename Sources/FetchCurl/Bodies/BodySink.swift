internal import Pipeline
internal import Posix

/// Keeps what is wanted of a body, within its caps.
struct BodySink {
  enum Plan {
    /// Everything is read and nothing kept, as long as it is no more than this.
    case drop(upTo: Int)
    case page(cap: Int)
    /// The start is kept, and then all is as with `drop`.
    case start(cap: Int)
    case whole(cap: Int)
  }

  enum Step {
    case more
    /// The rest is small: read it, keep nothing of it.
    case dropRest
    case cutShort
    case tooLarge(cap: Int)
  }

  private(set) var bytes: [UInt8] = []
  private(set) var isTruncated = false
  private var plan = Plan.drop(upTo: 0)
  private var wireCap = 0
  private var smallRest = 0
  private var length: Int64?
  private var dropped = 0

  init() {}

  init(plan: Plan, length: Int64?, settings: CurlSettings, expecting bytes: Int = 0) {
    self.plan = plan
    self.length = length
    wireCap = settings.wireBodyCapBytes
    smallRest = settings.smallRestBytes
    self.bytes.reserveCapacity(bytes)
  }

  mutating func add(_ part: Span<UInt8>, wireBytes: Int64) -> Step {
    switch plan {
    case .drop(let limit):
      dropped += part.count
      return dropped > limit ? .cutShort : .more
    case .start(let cap):
      bytes.append(copying: part.extracting(0..<min(max(cap - bytes.count, 0), part.count)))
      guard bytes.count >= cap || wireBytes > wireCap else { return .more }
      dropped = bytes.count
      let rest = length.map { $0 - wireBytes } ?? 0
      plan = .drop(upTo: length == nil ? smallRest : cap + smallRest)
      return rest > Int64(smallRest) ? .cutShort : .dropRest
    case .page(let cap):
      let room = max(cap - bytes.count, 0)
      if part.count <= room, wireBytes <= wireCap {
        bytes.append(copying: part)
        return .more
      }
      bytes.append(copying: part.extracting(0..<min(room, part.count)))
      return stopKeeping(wireBytes: wireBytes)
    case .whole(let cap):
      if wireBytes > wireCap { return .tooLarge(cap: wireCap) }
      guard part.count <= cap - bytes.count else { return .tooLarge(cap: cap) }
      bytes.append(copying: part)
      return .more
    }
  }

  private mutating func stopKeeping(wireBytes: Int64) -> Step {
    isTruncated = true
    guard let length, length - wireBytes <= Int64(smallRest) else { return .cutShort }
    plan = .drop(upTo: smallRest)
    return .dropRest
  }
}
