/// A checked JSON document (RFC 8259), read once and kept as written.
///
/// Strings are decoded and numbers read only when asked for.
public struct JSONDocument: Sendable {
  /// Texts of a sequence that are broken and were passed over, as RFC 7464 has it.
  public let skipped: [JSONError]
  let tape: Tape
  private let wide: WideText?

  /// Checks all of `bytes`: UTF-8 with or without a byte order mark; UTF-16 and UTF-32 are converted first.
  ///
  /// A stream of texts becomes an array of them. A broken line fails, a broken text of a sequence does only when none is sound.
  ///
  /// - Parameter unwrapping: Whether the JSON may stand in a script, see `ScriptWrapping`.
  public init(
    parsing bytes: [UInt8], as form: JSONForm = .text, unwrapping: Bool = false, limits: JSONLimits = .init()
  ) throws(JSONError) {
    let wide = WideText(bytes)
    let source = if let wide { try wide.utf8(of: bytes) } else { bytes }
    guard source.count < UInt32.max else { throw JSONError(.tooLarge, at: Int(UInt32.max)) }
    var text = source.dropFirst(source.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    if unwrapping { text = ScriptWrapping.contents(of: text) }
    var limits = limits
    // The array around them is a level too.
    if form != .text { limits.depth -= 1 }
    var builder = TapeBuilder(startingAt: text.startIndex, limits: limits)
    do {
      try builder.build(form, source.span.extracting(first: text.endIndex))
    } catch {
      throw wide?.sent(error, source) ?? error
    }
    skipped = builder.skipped.map { wide?.sent($0, source) ?? $0 }
    tape = Tape(
      source: source, nodes: builder.nodes, isMinified: builder.isMinified, isStream: form != .text)
    self.wide = wide
  }

  /// The outermost value.
  public var root: JSONValue { JSONValue(tape: tape, index: 0) }

  /// The byte of the document as it came at which a value of it starts; the same as `offset` unless it was converted.
  public func sentOffset(of value: JSONValue) -> Int {
    wide?.sentOffset(of: value.offset, in: tape.source) ?? value.offset
  }
}

/// What all views of one document share.
final class Tape: Sendable {
  let source: [UInt8]
  let nodes: [TapeNode]
  let isMinified: Bool
  /// Whether the root is an array that is not written: its elements stand in the source one after another.
  let isStream: Bool

  init(source: [UInt8], nodes: [TapeNode], isMinified: Bool, isStream: Bool) {
    self.source = source
    self.nodes = nodes
    self.isMinified = isMinified
    self.isStream = isStream
  }
}
