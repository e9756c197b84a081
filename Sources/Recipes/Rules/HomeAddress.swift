import JSONQuery
import Links

extension RecipeStep {
  /// The start of the site that the step calls whatever is answered; nil when an answer can lead it elsewhere.
  func home(_ parameters: [String: ParameterValue]) -> String? {
    let (text, isWhole) = call.beginning { parameters[$0]?.text }
    guard isWhole || text.endsItsAuthority else { return nil }
    guard let url = try? WebURL(text) else { return nil }
    return try? WebURL("/", relativeTo: url).requestURL
  }
}

extension RecipeRun {
  /// How the answers of a step's calls are read, and whose headers they carry: a step whose address comes from an answer
  /// is at home where the first step is whose address does not.
  package func reading(of step: Int) -> CallReading {
    var reading = recipe.steps[step].reading
    reading.home = home(of: step)
    return reading
  }
}

extension URITemplate {
  /// The address up to the first value that is not known, with what stands before such a value in any case.
  fileprivate func beginning(_ known: (String) -> String?) -> (text: String, isWhole: Bool) {
    var output: [UInt8] = []
    for part in parts {
      switch part {
      case .literal(let text): output.append(contentsOf: text.utf8)
      case .expression(let rule, let variables):
        for (place, variable) in variables.enumerated() {
          guard let value = known(variable.name) else {
            rule.appendMark(isFirst: place == 0, to: &output)
            return (String(decoding: output, as: UTF8.self), false)
          }
          rule.append(variable.name, value, isFirst: place == 0, to: &output)
        }
      }
    }
    return (String(decoding: output, as: UTF8.self), true)
  }
}

extension String {
  /// Whether nothing that follows can belong to the host.
  fileprivate var endsItsAuthority: Bool {
    guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    let rest = utf8[utf8.index(after: colon)...]
    return rest.starts(with: "//".utf8) && rest.dropFirst(2).contains { "/?#".utf8.contains($0) }
  }
}

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
      case .mismatch: return []
      case .tooMuch(let why): throw .tooLarge("absolute '\(text)': \(why)")
      }
    }
  }
}

/// Parts of a path that URLs resolve: `.` and `..`, each dot also as `%2e` (WHATWG URL, 4.1).
enum DotSegments {
  /// Whether a value of an answer made such a part, alone or with what stands around it. A value that begins the address
  /// names all of it, so it may hold them.
  static func areMade(by values: [Range<Int>], in address: [UInt8]) -> Bool {
    let values = values.filter { $0.lowerBound > 0 }
    guard !values.isEmpty else { return false }
    let end = address.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? address.count
    return address[..<end].split(separator: UInt8(ascii: "/")).contains { part in
      isDots(part) && values.contains { $0.lowerBound <= part.endIndex && $0.upperBound >= part.startIndex }
    }
  }

  private static func isDots(_ part: ArraySlice<UInt8>) -> Bool {
    guard part.count <= 6 else { return false }
    let text = String(decoding: part, as: UTF8.self).lowercased().replacing("%2e", with: ".")
    return text == "." || text == ".."
  }
}
