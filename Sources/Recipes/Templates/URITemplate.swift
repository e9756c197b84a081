/// An address with places for values (RFC 6570, levels 1 to 3), such as `{+base}/users/{id}{?page}`.
package struct URITemplate: Hashable, Sendable {
  enum Part: Hashable, Sendable {
    /// Already encoded.
    case literal(String)
    case expression(TemplateOperator, [TemplateVariable])
  }

  /// The template as it was given.
  package let text: String
  let parts: [Part]

  /// Reads all of `text`; no value is needed to know whether it is sound.
  package init(_ text: String) throws(URITemplateError) {
    guard text.utf8.count <= Self.longestText else { throw URITemplateError(.tooLong, at: Self.longestText) }
    var parser = URITemplateParser(text)
    parts = try parser.readAll()
    self.text = text
  }

  static let empty = URITemplate()

  private init() {
    text = ""
    parts = []
  }

  /// The names of the template's values, in its order; a name that is used twice is there twice.
  package var variables: [TemplateVariable] {
    parts.flatMap { part -> [TemplateVariable] in
      switch part {
      case .literal: []
      case .expression(_, let variables): variables
      }
    }
  }

  /// The address with its values, and where each of them stands; what has none leaves no trace.
  ///
  /// - Parameter value: The text that a name stands for; an empty one is a value too.
  package func expandedBytes<Failure: Error>(
    _ value: (String) throws(Failure) -> String?
  ) throws(Failure) -> (bytes: [UInt8], places: [(name: String, range: Range<Int>)]) {
    var output: [UInt8] = []
    var places: [(name: String, range: Range<Int>)] = []
    for part in parts {
      switch part {
      case .literal(let text): output.append(contentsOf: text.utf8)
      case .expression(let rule, let variables):
        var count = 0
        for variable in variables {
          guard let text = try value(variable.name) else { continue }
          let start = rule.append(variable.name, text, isFirst: count == 0, to: &output)
          places.append((variable.name, start..<output.count))
          count += 1
        }
      }
    }
    return (output, places)
  }

  package static func == (left: URITemplate, right: URITemplate) -> Bool { left.text == right.text }
  package func hash(into hasher: inout Hasher) { hasher.combine(text) }

  private static let longestText = 8 << 10
}

/// A name inside braces.
package struct TemplateVariable: Hashable, Sendable {
  /// As it is written, with its dots and its `%XX`.
  package var name: String
  /// The byte of the template at which the name starts, counted from 0.
  package var offset: Int
}
