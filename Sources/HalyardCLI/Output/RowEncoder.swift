import JSONQuery

/// One output format: appends the text of rows to a buffer.
protocol RowEncoder {
  /// What stands before the first row.
  func appendHeader(to output: inout [UInt8])
  /// `row` is one JSON object in UTF-8 on one line.
  func append(_ row: [UInt8], to output: inout [UInt8]) throws(OutputError)
}

extension RowEncoder {
  func appendHeader(to output: inout [UInt8]) {}
}

extension JSONValue {
  /// Reads a row where single members of it are needed.
  init(row: [UInt8]) throws(OutputError) {
    do {
      self = try JSONDocument(parsing: row, limits: .around).root
    } catch {
      throw .malformedRow(error.message)
    }
  }
}

/// Rows as they are, a line each.
struct WholeRowEncoder: RowEncoder {
  func append(_ row: [UInt8], to output: inout [UInt8]) {
    output += row
    output.append(UInt8(ascii: "\n"))
  }
}

/// A flat object per row, its members named by their dotted paths in the order asked for; null where absent.
struct SelectedMembersEncoder: RowEncoder {
  let fields: [RowField]

  func append(_ row: [UInt8], to output: inout [UInt8]) throws(OutputError) {
    let row = try JSONValue(row: row)
    var writer = JSONWriter()
    swap(&writer.bytes, &output)
    writer.beginObject()
    for field in fields {
      writer.key(field.name)
      if let value = field.value(in: row) { writer.value(value) } else { writer.null() }
    }
    writer.endObject()
    writer.endLine()
    swap(&writer.bytes, &output)
  }
}

enum OutputFormat: String, CaseIterable, Sendable {
  case jsonl
  case csv
  case tsv
  case table
}

enum OutputError: Error, Hashable, Sendable {
  /// The reader closed the pipe; nothing more can be written.
  case brokenPipe
  /// The target's name and the system's words.
  case failed(String, String)
  /// A row that is no JSON object reached the writer, which is our own fault.
  case malformedRow(String)

  /// What goes to standard error, with its newline; nothing for a reader that left.
  var rendered: String {
    switch self {
    case .brokenPipe: ""
    case .failed(let target, let words): "halyard: \(Printable.text(target)): \(words)\n"
    case .malformedRow(let words): "halyard: a row is malformed: \(words)\n"
    }
  }
}

/// What was found, and nothing around it: text without quotes, all else as JSON, a line each.
struct RawValueEncoder: RowEncoder {
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
