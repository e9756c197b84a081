internal import JSONQuery

/// One output format: appends the text of rows to a buffer.
protocol RowEncoder {
  /// What stands before the first row.
  func appendHeader(to output: inout [UInt8])
  /// `row` is one JSON object in UTF-8 on one line.
  func append(_ row: [UInt8], to output: inout [UInt8]) throws(OutputError)
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
  func appendHeader(to output: inout [UInt8]) {}

  func append(_ row: [UInt8], to output: inout [UInt8]) {
    output += row
    output.append(UInt8(ascii: "\n"))
  }
}

/// A flat object per row, its members named by their dotted paths in the order asked for; null where absent.
struct SelectedMembersEncoder: RowEncoder {
  let fields: [RowField]

  func appendHeader(to output: inout [UInt8]) {}

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
