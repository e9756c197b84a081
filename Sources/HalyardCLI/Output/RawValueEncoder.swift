internal import JSONQuery

/// What was found, and nothing around it: text without quotes, all else as JSON, a line each.
struct RawValueEncoder: RowEncoder {
  func appendHeader(to output: inout [UInt8]) {}

  func append(_ row: [UInt8], to output: inout [UInt8]) throws(OutputError) {
    let row = try JSONValue(row: row)
    guard row["status"]?.string == "ok", let value = row["value"] else { return }
    if let text = value.string {
      output += text.utf8
    } else {
      value.writeMinified(into: &output)
    }
    output.append(UInt8(ascii: "\n"))
  }

  /// A line about a job that has no value.
  static func complaint(_ row: [UInt8]) -> String? {
    guard let row = try? JSONDocument(parsing: row, limits: .around).root, let error = row["error"] else {
      return nil
    }
    let link = row["input"]?.string ?? "no link"
    let words = [link, error["kind"]?.string, error["message"]?.string].compactMap(\.self)
    return "halyard: \(Printable.text(words.joined(separator: ": ")))\n"
  }
}
