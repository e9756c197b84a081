/// Looks up elements by the codes of their names.
struct ElementTable<Value: Sendable>: Sendable {
  private static var slots: Int { 4 * ElementCode.buckets }

  private var codes = [ElementCode?](repeating: nil, count: slots)
  private var values = [Value?](repeating: nil, count: slots)

  /// Words in lower case, far fewer than there are slots.
  init(_ words: [(String, Value)]) {
    for (word, value) in words {
      let code = ElementCode(word)
      var slot = Self.firstSlot(of: code)
      while codes[slot] != nil { slot = (slot &+ 1) % Self.slots }
      (codes[slot], values[slot]) = (code, value)
    }
  }

  subscript(code: ElementCode) -> Value? {
    var slot = Self.firstSlot(of: code)
    while let other = codes[slot] {
      if other == code { return values[slot] }
      slot = (slot &+ 1) % Self.slots
    }
    return nil
  }

  private static func firstSlot(of code: ElementCode) -> Int { code.bucket &* 4 }
}
