import JSONQuery

/// The first line is a pointer too.
@Sendable func checkJSON(_ bytes: [UInt8]) {
  let pointer = try? JSONPointer(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  if let pointer {
    require((try? JSONPointer(pointer.text)) == pointer, "\(pointer.text) does not read back")
  }
  guard let document = try? JSONDocument(parsing: bytes) else { return }
  let minified = document.root.minified
  guard let again = try? JSONDocument(parsing: Array(minified.utf8)) else {
    fatalError("\(minified) does not read back")
  }
  require(again.root.minified == minified, "\(minified) changed by being read")
  compare(document.root, again.root)
}

/// White space is all that may differ.
private func compare(_ left: JSONValue, _ right: JSONValue) {
  require(left.kind == right.kind && left.count == right.count, "\(left.kind) became \(right.kind)")
  require(left.string == right.string, "a string changed")
  require(left.numberText == right.numberText, "a number changed")
  require(left.bool == right.bool && left.int64 == right.int64, "a value changed")
  for (left, right) in zip(left.elements, right.elements) { compare(left, right) }
  for (left, right) in zip(left.members, right.members) {
    require(left.key == right.key, "a name changed")
    compare(left.value, right.value)
  }
}
