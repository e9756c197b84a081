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
