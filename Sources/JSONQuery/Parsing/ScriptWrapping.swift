/// Finds JSON in the scripts that some servers send in its place.
///
/// They either put words in front that keep another site's page from running it, such as `)]}'` or `for(;;);`, or call a
/// function with it (JSONP), such as `/**/ callback({"a":1});`.
enum ScriptWrapping {
  private static let guards = [
    ")]}',", ")]}'", "for(;;);", "for (;;);", "while(1);", "while (1);", "throw 1;", "{}&&", "{} &&",
  ]

  /// The part of `text` that is JSON; all of it when it is none of these scripts.
  static func contents(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var script = text
    script.dropBlanks()
    for word in guards where script.drop(word) {
      // `throw 1; < don't be evil' >` is one of the oldest.
      script.dropBlanks()
      if script.drop("<") { script.drop(past: ">") }
      return script
    }
    return argument(of: script) ?? text
  }

  private static func argument(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var script = text
    if script.drop("/*") {
      script.drop(past: "*/")
      script.dropBlanks()
    }
    // Some look first whether there is such a function.
    if script.drop("typeof ") {
      script.drop(past: "&&")
      script.dropBlanks()
    }
    guard script.dropName() else { return nil }
    script.dropBlanks()
    guard script.drop("(") else { return nil }
    script.dropBlanksAtEnd()
    if script.last == UInt8(ascii: ";") {
      script.removeLast()
      script.dropBlanksAtEnd()
    }
    return script.last == UInt8(ascii: ")") ? script.dropLast() : nil
  }
}

extension ArraySlice<UInt8> {
  fileprivate mutating func dropBlanks() {
    self = drop(while: isWhitespace)
  }

  fileprivate mutating func dropBlanksAtEnd() {
    while let byte = last, isWhitespace(byte) { removeLast() }
  }

  /// Whether the word was there.
  fileprivate mutating func drop(_ word: String) -> Bool {
    guard starts(with: word.utf8) else { return false }
    removeFirst(word.utf8.count)
    return true
  }

  /// Drops all when the word is not there.
  fileprivate mutating func drop(past word: String) {
    while !isEmpty, !drop(word) { removeFirst() }
  }

  /// The name of a function, such as `jQuery17._cb` or `callbacks['x']`.
  fileprivate mutating func dropName() -> Bool {
    guard let first, isLetter(first) else { return false }
    self = drop { isLetter($0) || isDigit($0) || ".[]'\"".utf8.contains($0) }
    return true
  }
}

private func isLetter(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
    UInt8(ascii: "$"):
    true
  default: false
  }
}
