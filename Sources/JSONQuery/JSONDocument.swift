/// A checked JSON document (RFC 8259), read once and kept as written.
///
/// Strings are decoded and numbers read only when asked for.
public struct JSONDocument: Sendable {
  let tape: Tape

  /// Checks all of `bytes`: UTF-8 with or without a byte order mark; UTF-16 and UTF-32 are converted first.
  public init(parsing bytes: [UInt8], limits: JSONLimits = .init()) throws(JSONError) {
    let source = if let wide = WideText(bytes) { try wide.utf8(of: bytes) } else { bytes }
    guard source.count < UInt32.max else { throw JSONError(.tooLarge, at: Int(UInt32.max)) }
    let start = source.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var builder = TapeBuilder(startingAt: start, limits: limits)
    try builder.build(source.span)
    tape = Tape(source: source, nodes: builder.nodes, isMinified: builder.isMinified)
  }

  /// The outermost value.
  public var root: JSONValue { JSONValue(tape: tape, index: 0) }
}

/// What all views of one document share.
final class Tape: Sendable {
  let source: [UInt8]
  let nodes: [TapeNode]
  let isMinified: Bool

  init(source: [UInt8], nodes: [TapeNode], isMinified: Bool) {
    self.source = source
    self.nodes = nodes
    self.isMinified = isMinified
  }
}
