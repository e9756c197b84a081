/// A stretch of a head's bytes.
struct Place: Hashable, Sendable {
  var start: UInt16
  var end: UInt16

  init(_ start: Int, _ end: Int) {
    (self.start, self.end) = (UInt16(start), UInt16(end))
  }

  var range: Range<Int> { Int(start)..<Int(end) }
}

/// Reads a request line and its fields, or the fields behind a chunked body. Each byte is looked at once.
struct HeadReader: Sendable {
  private enum State {
    case start
    case emptyLine
    case method
    case target
    case version
    case requestLineEnd
    case fieldStart
    case name
    case beforeValue
    case value
    case fieldEnd
    case headEnd
    case finished
  }

  private var state: State
  private var hadEmptyLine = false
  /// Bytes of the head so far, with those that are not kept.
  private var count = 0
  /// Where in `bytes` the word that is being read begins.
  private var wordStart = 0
  private var fieldName = Place(0, 0)

  /// Without line ends and the blanks around values; names of fields are lower case.
  private(set) var bytes: [UInt8] = []
  private(set) var method = Place(0, 0)
  private(set) var target = Place(0, 0)
  private(set) var isVersion11 = false
  private(set) var fields: [(name: Place, value: Place)] = []

  /// - Parameter isTrailer: There is no request line.
  init(isTrailer: Bool = false) {
    state = isTrailer ? .fieldStart : .start
  }

  /// Reads from `position` on and moves it.
  ///
  /// - Returns: Whether the head is whole.
  mutating func read(_ input: Span<UInt8>, from position: inout Int) throws(Refusal) -> Bool {
    while position < input.count {
      let byte = input[position]
      position += 1
      count += 1
      guard count <= HeadLimits.headBytes else { throw state == .target ? .targetTooLong : .headTooLarge }
      if state == .value, byte.isValueByte {
        bytes.append(byte)
      } else {
        try take(byte)
        if state == .finished { return true }
      }
    }
    return false
  }

  private mutating func take(_ byte: UInt8) throws(Refusal) {
    switch state {
    case .start, .emptyLine, .method, .target, .version, .requestLineEnd: try takeOfRequestLine(byte)
    case .fieldStart, .name, .beforeValue, .value, .fieldEnd, .headEnd: try takeOfField(byte)
    case .finished: break
    }
  }

  private mutating func takeOfRequestLine(_ byte: UInt8) throws(Refusal) {
    switch (state, byte) {
    // RFC 9112, 2.2: an empty line before the request is passed over.
    case (.start, .carriageReturn) where !hadEmptyLine:
      hadEmptyLine = true
      state = .emptyLine
    case (.emptyLine, .lineFeed): state = .start
    case (.start, _) where byte.isTokenByte:
      bytes.reserveCapacity(512)
      fields.reserveCapacity(16)
      bytes.append(byte)
      state = .method
    case (.method, _) where byte.isTokenByte: bytes.append(byte)
    case (.method, .space):
      method = endWord()
      state = .target
    case (.target, _) where byte.isTargetByte:
      bytes.append(byte)
      guard bytes.count - wordStart <= HeadLimits.targetBytes else { throw .targetTooLong }
    case (.target, .space):
      target = endWord()
      state = .version
    case (.target, .lineFeed), (.target, .carriageReturn): throw .malformedRequestLine
    case (.target, _): throw .malformedTarget
    case (.version, .carriageReturn): try endVersion()
    case (.version, _) where bytes.count - wordStart < 8: bytes.append(byte)
    case (.requestLineEnd, .lineFeed): state = .fieldStart
    case (.requestLineEnd, _), (.emptyLine, _): throw .malformedLineEnd
    default: throw .malformedRequestLine
    }
  }

  private mutating func endVersion() throws(Refusal) {
    let word = bytes[wordStart...]
    let shape = Array("HTTP/0.0".utf8)
    let isVersion =
      word.count == shape.count
      && zip(word, shape).allSatisfy { $1 == UInt8(ascii: "0") ? 0x30...0x39 ~= $0 : $0 == $1 }
    guard isVersion else { throw .malformedRequestLine }
    let (major, minor) = (word[word.startIndex + 5], word[word.startIndex + 7])
    guard major == UInt8(ascii: "1"), minor <= UInt8(ascii: "1") else { throw .unknownVersion }
    isVersion11 = minor == UInt8(ascii: "1")
    bytes.removeLast(shape.count)
    state = .requestLineEnd
  }

  private mutating func takeOfField(_ byte: UInt8) throws(Refusal) {
    switch (state, byte) {
    case (.fieldStart, .carriageReturn): state = .headEnd
    case (.fieldStart, .space), (.fieldStart, .tab): throw .foldedField
    case (.fieldStart, _) where byte.isTokenByte, (.name, _) where byte.isTokenByte:
      bytes.append(byte.lowercased)
      state = .name
    case (.name, UInt8(ascii: ":")):
      guard fields.count < HeadLimits.fields else { throw .tooManyFields }
      fieldName = endWord()
      state = .beforeValue
    case (.beforeValue, .space), (.beforeValue, .tab): break
    case (.beforeValue, .carriageReturn), (.value, .carriageReturn):
      while bytes.count > wordStart, bytes[bytes.count - 1].isBlank { bytes.removeLast() }
      fields.append((fieldName, endWord()))
      state = .fieldEnd
    case (.beforeValue, _) where byte.isValueByte:
      bytes.append(byte)
      state = .value
    case (.fieldEnd, .lineFeed): state = .fieldStart
    case (.headEnd, .lineFeed): state = .finished
    case (.fieldEnd, _), (.headEnd, _), (_, .lineFeed): throw .malformedLineEnd
    case (.beforeValue, _), (.value, _): throw .malformedFieldValue
    default: throw .malformedFieldName
    }
  }

  private mutating func endWord() -> Place {
    defer { wordStart = bytes.count }
    return Place(wordStart, bytes.count)
  }
}
