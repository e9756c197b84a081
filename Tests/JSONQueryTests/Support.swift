import JSONQuery

func parse(_ text: String, limits: JSONLimits = .init()) throws(JSONError) -> JSONValue {
  try JSONDocument(parsing: Array(text.utf8), limits: limits).root
}

/// The error a document is refused with, or nil when it is accepted.
func refusal(of bytes: [UInt8], limits: JSONLimits = .init()) -> JSONError? {
  do {
    _ = try JSONDocument(parsing: bytes, limits: limits)
    return nil
  } catch {
    return error
  }
}

func refusal(of text: String, limits: JSONLimits = .init()) -> JSONError? {
  refusal(of: Array(text.utf8), limits: limits)
}

/// What a query finds, one after another.
func found(_ query: String, in text: String, limits: JSONPathLimits = .init()) throws -> String {
  let found = try JSONPath(query).select(in: parse(text), limits: limits)
  return found.map(\.minified).joined(separator: " ")
}

/// A small seeded generator, so that every run tries the same.
struct SplitMix {
  var state: UInt64

  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ mixed >> 31) % UInt64(max(bound, 1)))
  }

  mutating func one<Element>(of choices: [Element]) -> Element { choices[below(choices.count)] }
}
