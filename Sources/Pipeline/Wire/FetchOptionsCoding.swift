extension FetchOptions {
  func write(to writer: inout ByteWriter) {
    writer.integer(hash)
    writer.texts(withheld)
    for option in given {
      writer.text(option.name)
      writer.texts(option.values)
    }
  }

  init(_ reader: inout ByteReader) throws(FrameError) {
    let hash = try reader.integer("hash of options", as: UInt64.self)
    let withheld = try reader.texts("withheld options")
    var given: [Given] = []
    while !reader.isAtEnd {
      given.append(Given(name: try reader.text("option"), values: try reader.texts("option's values")))
    }
    self.init(given: given, hash: hash, withheld: withheld)
  }
}

extension ByteWriter {
  fileprivate mutating func texts(_ texts: [String]) {
    integer(UInt32(clamping: texts.count))
    for text in texts { self.text(text) }
  }
}

extension ByteReader {
  /// Each takes four bytes at least, so a count that lies ends soon.
  fileprivate mutating func texts(_ field: FrameError.StaticStringField) throws(FrameError) -> [String] {
    let count = Int(try integer(field, as: UInt32.self))
    guard count <= remaining / 4 else { throw .malformed(field) }
    var texts: [String] = []
    for _ in 0..<count { texts.append(try text(field)) }
    return texts
  }
}
