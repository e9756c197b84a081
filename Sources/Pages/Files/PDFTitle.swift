/// The title that a PDF has among its properties, read without decompressing anything.
///
/// It stands in the document information dictionary that the last trailer names, else in the XMP metadata. What an
/// encrypted document says of itself is encrypted too, so it has none.
enum PDFTitle {
  static func read(_ body: [UInt8], limit: Int) -> String? {
    guard body.span.lastIndex(of: "/Encrypt", isWord: true) == nil else { return nil }
    return information(in: body, limit: limit) ?? XMPTitle.read(body.span, limit: limit)
  }

  private static func information(in body: [UInt8], limit: Int) -> String? {
    guard let name = body.span.lastIndex(of: "/Info", isWord: true) else { return nil }
    var trailer = PDFScan(body, at: name + 5)
    guard let reference = trailer.reference(), var object = PDFScan(body, atObject: reference) else {
      return nil
    }
    guard case .dictionaryStart? = object.next() else { return nil }
    guard let bytes = title(in: &object, of: body) else { return nil }
    var collector = TextCollector(limit: limit)
    let text = Array(PDFText.decode(bytes).utf8)
    collector.append(text.span, text.indices, as: .literal)
    return collector.text
  }

  /// The value of `Title` in a dictionary whose start was read.
  private static func title(in object: inout PDFScan, of body: [UInt8]) -> [UInt8]? {
    var depth = 1
    while depth > 0, let token = object.next() {
      switch token {
      case .dictionaryStart, .arrayStart: depth += 1
      case .dictionaryEnd, .arrayEnd: depth -= 1
      case .name(let name) where depth == 1 && name.elementsEqual("Title".utf8):
        return string(at: object, of: body)
      case .name, .string, .word: break
      }
    }
    return nil
  }

  /// A string, or the object that is one.
  private static func string(at scan: PDFScan, of body: [UInt8]) -> [UInt8]? {
    var direct = scan
    if case .string(let bytes)? = direct.next() { return bytes }
    var indirect = scan
    guard let reference = indirect.reference(), var object = PDFScan(body, atObject: reference),
      case .string(let bytes)? = object.next()
    else { return nil }
    return bytes
  }
}

extension Span<UInt8> {
  /// Where a word stands for the last time; `isWord` asks that no letter or digit follows.
  func lastIndex(of word: String, isWord: Bool = false) -> Int? {
    let letters = Array(word.utf8)
    var start = count - letters.count
    while start >= 0 {
      if self[start] == letters[0], stands(letters, at: start),
        !isWord || !(byte(at: start + letters.count)?.isASCIIAlphanumeric ?? false)
      {
        return start
      }
      start -= 1
    }
    return nil
  }

  /// Where a word stands next, or nil.
  func firstIndex(of word: String, from start: Int) -> Int? {
    let letters = Array(word.utf8)
    var index = firstIndex(of: letters[0], from: start)
    while index + letters.count <= count {
      if stands(letters, at: index) { return index }
      index = firstIndex(of: letters[0], from: index + 1)
    }
    return nil
  }

  private func stands(_ letters: [UInt8], at start: Int) -> Bool {
    for offset in letters.indices where self[start + offset] != letters[offset] { return false }
    return true
  }
}
