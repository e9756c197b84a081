import JSONQuery
import Links

extension JSONValue {
  /// The value with the addresses in some places made absolute.
  ///
  /// A string that is no http or https address becomes null; what is no string stays as it is.
  ///
  /// - Parameter base: What they are relative to.
  func makingAbsolute(_ places: [JSONSelector], relativeTo base: WebURL) throws(RecipeFailure) -> JSONValue {
    var addresses: [Int: String?] = [:]
    for place in places {
      for value in try place.findAny(in: self) {
        guard let text = value.string else { continue }
        addresses[value.offset] = .some((try? WebURL(text, relativeTo: base))?.href)
      }
    }
    guard !addresses.isEmpty else { return self }
    var writer = JSONWriter()
    write(replacing: addresses, into: &writer)
    return try .assembled(from: writer.bytes)
  }

  private func write(replacing addresses: [Int: String?], into writer: inout JSONWriter) {
    switch kind {
    case .object:
      writer.beginObject()
      for (key, value) in members {
        writer.key(key)
        value.write(replacing: addresses, into: &writer)
      }
      writer.endObject()
    case .array:
      writer.beginArray()
      for element in elements { element.write(replacing: addresses, into: &writer) }
      writer.endArray()
    case .string:
      guard let address = addresses[offset] else { return writer.value(self) }
      if let address { writer.string(address) } else { writer.null() }
    case .number, .bool, .null: writer.value(self)
    }
  }
}

extension JSONSelector {
  /// As many values as there are, none of which must be there.
  fileprivate func findAny(in root: JSONValue) throws(RecipeFailure) -> [JSONValue] {
    do {
      return try find(in: root).values
    } catch {
      switch error {
      case .nothing: return []
      case .tooMuch(let why): throw .tooLarge("absolute '\(text)': \(why)")
      }
    }
  }
}
