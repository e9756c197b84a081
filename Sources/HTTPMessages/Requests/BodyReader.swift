/// Finds the bytes of a body, of a known length or in chunks.
struct BodyReader: Sendable {
  enum Step {
    case needMore
    /// A stretch of the input.
    case content(Range<Int>)
    case end
  }

  private enum State {
    /// Bytes that are missing.
    case plain(Int)
    case size(Int, digits: Int)
    case blankBehindSize(Int)
    case chunkExtension(Int)
    case sizeEnd(Int)
    case chunk(Int)
    case chunkLineEnd
    case trailer
  }

  private var state: State
  private var trailer = HeadReader(isTrailer: true)
  private let limit: Int
  private var content = 0
  private var extensionBytes = 0

  /// - Parameter limit: Bytes of the body, without those that only delimit chunks.
  init(_ length: RequestHead.BodyLength, limit: Int) throws(Refusal) {
    self.limit = limit
    switch length {
    case .bytes(let count):
      guard count <= limit else { throw .bodyTooLarge }
      state = .plain(count)
    case .chunked: state = .size(0, digits: 0)
    }
  }

  mutating func read(_ input: Span<UInt8>, from position: inout Int) throws(Refusal) -> Step {
    while true {
      switch state {
      case .plain(0): return .end
      case .plain(let missing):
        guard let range = content(missing, of: input, &position) else { return .needMore }
        state = .plain(missing - range.count)
        return .content(range)
      case .chunk(let missing) where missing > 0:
        guard let range = content(missing, of: input, &position) else { return .needMore }
        state = .chunk(missing - range.count)
        return .content(range)
      case .trailer: return try trailer.read(input, from: &position) ? .end : .needMore
      case .size, .blankBehindSize, .chunkExtension, .sizeEnd, .chunk, .chunkLineEnd:
        guard position < input.count else { return .needMore }
        try take(input[position])
        position += 1
      }
    }
  }

  /// nil when there is none yet.
  private func content(_ missing: Int, of input: Span<UInt8>, _ position: inout Int) -> Range<Int>? {
    guard position < input.count else { return nil }
    let range = position..<min(position + missing, input.count)
    position = range.upperBound
    return range
  }

  /// A byte that delimits chunks.
  private mutating func take(_ byte: UInt8) throws(Refusal) {
    switch (state, byte) {
    case (.size(let size, let digits), _):
      if let digit = byte.hexDigit {
        // Sixteen digits may have zeros in front, so a chunk has at most 60 bits.
        guard digits < 16, size >> 56 == 0 else { throw .malformedChunk }
        state = .size(size << 4 | digit, digits: digits + 1)
      } else {
        guard digits > 0 else { throw .malformedChunk }
        try endSize(size, byte)
      }
    case (.blankBehindSize(let size), UInt8(ascii: ";")): state = .chunkExtension(size)
    case (.blankBehindSize, _) where byte.isBlank: try countExtension()
    case (.chunkExtension(let size), .carriageReturn): state = .sizeEnd(size)
    case (.chunkExtension, _) where byte.isValueByte: try countExtension()
    case (.sizeEnd(let size), .lineFeed): state = size == 0 ? .trailer : .chunk(size)
    case (.chunk, .carriageReturn): state = .chunkLineEnd
    case (.chunkLineEnd, .lineFeed): state = .size(0, digits: 0)
    default: throw .malformedChunk
    }
  }

  private mutating func endSize(_ size: Int, _ byte: UInt8) throws(Refusal) {
    guard size <= limit - content else { throw .bodyTooLarge }
    content += size
    switch byte {
    case .carriageReturn: state = .sizeEnd(size)
    case UInt8(ascii: ";"): state = .chunkExtension(size)
    case .space, .tab: state = .blankBehindSize(size)
    default: throw .malformedChunk
    }
  }

  private mutating func countExtension() throws(Refusal) {
    extensionBytes += 1
    guard extensionBytes <= HeadLimits.extensionBytes else { throw .extensionTooLong }
  }
}
