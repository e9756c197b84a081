import JSONQuery

/// The first line is a pointer too.
@Sendable func checkJSON(_ bytes: [UInt8]) {
  let pointer = try? JSONPointer(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  if let pointer {
    require((try? JSONPointer(pointer.text)) == pointer, "\(pointer.text) does not read back")
  }
  if let requirement = try? JSONRequirement(String(decoding: bytes.prefix(64), as: UTF8.self)) {
    if let document = try? JSONDocument(parsing: bytes, unwrapping: true) {
      try? requirement.check(document.root)
    }
  }
  for form in [JSONForm.text, .lines, .sequence] { check(bytes, as: form) }
}

private func check(_ bytes: [UInt8], as form: JSONForm) {
  let plain = read(bytes, as: form)
  // What stands in a script is looked for only where that is wished, and plain JSON is left alone.
  let unwrapped = read(bytes, as: form, unwrapping: true)
  if form == .text, let plain { require(unwrapped?.root.minified == plain.root.minified, "was no script") }
  for document in [plain, unwrapped] { if let document { check(document, in: bytes) } }
}

private func read(_ bytes: [UInt8], as form: JSONForm, unwrapping: Bool = false) -> JSONDocument? {
  do {
    return try JSONDocument(parsing: bytes, as: form, unwrapping: unwrapping)
  } catch {
    require(error.offset <= bytes.count, "there is no byte \(error.offset)")
    return nil
  }
}

private func check(_ document: JSONDocument, in bytes: [UInt8]) {
  for key in document.duplicateKeys() {
    require(document.sentOffset(of: key) < bytes.count && key.string != nil, "no name stands there")
  }
  for error in document.skipped { require(error.offset <= bytes.count, "there is no byte \(error.offset)") }
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
