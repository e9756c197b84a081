internal import Curl
internal import Links
internal import Pipeline

/// Takes in the body of one exchange at a time: undoes its codings, keeps what is wanted, within its memory.
final class BodyIntake {
  enum Step {
    case more
    /// `rest`: it is small, and nothing is wanted of it.
    case enters(Phase)
    case cut(Receiver.Cut)
  }

  /// Each coding can make a thousand bytes of one.
  private static let mostCodings = 2

  private let settings: CurlSettings
  private let room: BodyRoom
  private let scratch: CodingScratch
  /// What of the room is this body's.
  private var share = 0
  /// It was there from the start, because the body had no room the first time.
  private var isShareSetAside = false
  private var wish = BodyPolicy.nothing
  /// On the wire, where the peer tells it.
  private var length: Int64?
  private var wireBytes: Int64 = 0
  private var encoded: EncodedBody?
  private(set) var sink = BodySink()
  private var doubt = CodingDoubt()

  init(settings: CurlSettings, room: BodyRoom, scratch: CodingScratch) {
    (self.settings, self.room, self.scratch) = (settings, room, scratch)
  }

  func start(_ wish: BodyPolicy, room share: Int) {
    clear()
    room.setAside(share)
    self.share = share
    isShareSetAside = share > 0
    self.wish = wish
  }

  /// Lets go of what the last exchange left.
  func clear() {
    (wish, length, wireBytes) = (.nothing, nil, 0)
    (sink, encoded, doubt) = (BodySink(), nil, CodingDoubt())
    room.giveBack(share)
    share = 0
  }

  /// Makes ready for the body that follows these headers.
  func begin(after headers: HeaderBlock) -> Step {
    length = headers.contentLength
    if RedirectChain.isRedirect(headers.status) { wish = .nothing }
    let codings = headers.codings
    let count = codings.count + headers.unknownCodings
    switch wish {
    case .nothing: return skip()
    case .startOfPage:
      // What says that it is something else than a page is believed.
      guard [nil, "text/html", "application/xhtml+xml"].contains(headers.mediaType) else { return skip() }
      guard count <= Self.mostCodings else { return .cut(.enough) }
    case .page:
      guard count <= Self.mostCodings else { return .cut(.tooManyCodings(count)) }
    case .whole(let cap):
      guard count <= Self.mostCodings else { return .cut(.tooManyCodings(count)) }
      let largest = codings.isEmpty ? min(cap, settings.wireBodyCapBytes) : settings.wireBodyCapBytes
      if let length, length > largest { return .cut(.bodyTooLarge(cap: largest)) }
    }
    sink = freshSink
    doubt = CodingDoubt(
      isUnknown: headers.unknownCodings > 0, isCodedText: !codings.isEmpty && headers.claimsText)
    guard !codings.isEmpty else { return .enters(wish.phase) }
    encoded = try? EncodedBody(codings, mostBetween: settings.wireBodyCapBytes, scratch: scratch)
    return encoded == nil ? .cut(.undecodable(.broken)) : .enters(wish.phase)
  }

  private func skip() -> Step {
    sink = BodySink(.nothing, length: length, settings: settings)
    if let length, length > settings.smallRestBytes { return .cut(.enough) }
    return .enters(.rest)
  }

  func add(_ part: Span<UInt8>) -> Step {
    wireBytes += Int64(part.count)
    guard let encoded else { return keep(part) }
    var step = Step.more
    let outcome = encoded.take(part) { piece in
      step = keep(piece)
      if case .more = step { return true }
      return false
    }
    switch outcome {
    // The cap on the wire counts for what decodes to nothing too.
    case .goesOn: step = keep(Span())
    case .hasEnough: break
    case .collects:
      sink = freshSink
      step = keep(Span())
    case .isPlain: return keepAsPlain(encoded)
    case .isOver(let end): return .cut(.undecodable(end))
    }
    guard case .enters = step else { return step }
    // What was collected is yet to be decoded.
    if encoded.isCollecting { return .cut(.enough) }
    self.encoded = nil
    return step
  }

  private func keepAsPlain(_ encoded: EncodedBody) -> Step {
    self.encoded = nil
    sink = freshSink
    let wire = encoded.wire
    return keep(wire.span)
  }

  private func keep(_ part: Span<UInt8>) -> Step {
    let step = sink.add(part, wireBytes: wireBytes)
    if case .more = step, !hasRoom { return .cut(.noRoom) }
    return step
  }

  /// How much of it there is, once no more of it comes.
  func finish() -> BodyEnd {
    var end = BodyEnd.whole
    if let encoded, encoded.isUndecodedText {
      _ = keepAsPlain(encoded)
    } else if let encoded {
      end = encoded.end
    }
    return end == .whole ? doubt.verdict(on: sink.bytes) : end
  }

  /// The body as it came, when it has to be decoded elsewhere.
  var collected: CollectedBody? {
    guard let encoded, encoded.isCollecting, let cap = wish.cap else { return nil }
    return CollectedBody(
      wire: encoded.wire, codings: encoded.codings, cap: cap, mostBetween: encoded.mostBetween,
      doubt: doubt)
  }
}

/// Its memory.
extension BodyIntake {
  /// What arrays keep ready beyond their last byte is memory too.
  private var hasRoom: Bool {
    let (wire, between) = (encoded?.wire ?? [], encoded?.bytesBetween ?? 0)
    let more = sink.bytes.capacity + wire.capacity + between - BodyMemory.freeBytes - share
    guard sink.bytes.count + wire.count + between > BodyMemory.freeBytes, more > 0, share < largestShare
    else { return true }
    guard room.take(more) else { return false }
    share += more
    return true
  }

  private var largestShare: Int {
    guard var bytes = wish.cap else { return 0 }
    if let encoded {
      if encoded.mayCollect { bytes += settings.wireBodyCapBytes }
      if encoded.codings.count > 1 { bytes += encoded.mostBetween }
    }
    return room.share(of: bytes)
  }

  /// What has to be set aside so that the body fits: what its length tells, unless that was not so once.
  var wholeShare: Int {
    guard !isShareSetAside, case .whole = wish, encoded == nil, let length else { return largestShare }
    return min(room.share(of: Int(clamping: length)), largestShare)
  }

  /// Makes no more bytes ready than the body can need, and all that is set aside for it.
  private var freshSink: BodySink {
    guard let cap = wish.cap else { return BodySink() }
    let ready =
      isShareSetAside
      ? min(share + BodyMemory.freeBytes, cap)
      : min(Int(clamping: length ?? 0), cap, 2 * BodyMemory.freeBytes)
    return BodySink(wish, length: length, settings: settings, expecting: ready)
  }
}

extension BodyPolicy {
  fileprivate var cap: Int? {
    switch self {
    case .nothing: nil
    case .startOfPage(let cap), .page(let cap), .whole(let cap): cap
    }
  }

  fileprivate var phase: Phase {
    switch self {
    case .nothing: .rest
    case .startOfPage: .startOfPage
    case .page, .whole: .body
    }
  }
}
