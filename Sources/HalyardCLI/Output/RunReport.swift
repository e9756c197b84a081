import JSONQuery
import Posix

/// What a run's row says, for whoever ran it.
struct RunReport {
  private let row: [UInt8]
  private let root: JSONValue

  init(_ row: [UInt8]) throws {
    self.row = row
    root = try JSONDocument(parsing: row, limits: .around).root
  }

  /// Prints what was gathered, and tells what went wrong.
  ///
  /// - Parameters:
  ///   - target: A file's path; nil for standard output.
  ///   - whole: All of the row, and not only what was gathered.
  func print(to target: String?, whole: Bool) throws -> ExitCode {
    if let output = whole ? row : root["value"]?.bytes {
      try write(output + [UInt8(ascii: "\n")], to: target)
    }
    for (name, step) in root["steps"]?.members.map({ ($0.key, $0.value) }) ?? [] { tell(of: name, step) }
    guard let error = root["error"] else { return .ok }
    let (kind, message) = (error["kind"]?.string ?? "failed", error["message"]?.string ?? "")
    tell(message.hasPrefix("\(kind):") ? message : "\(kind): \(message)")
    return .someFailed
  }

  /// Writes what was gathered as a page; nothing when there is nothing.
  func writePage(to path: String) throws {
    guard let value = root["value"] else { return }
    let page = GatheredPage(value, title: root["input"]?.string ?? "Gathered")
    try write(Array(page.html.utf8), to: path)
  }

  private func write(_ output: [UInt8], to target: String?) throws {
    guard let target else { return try DescriptorSink().write(output) }
    let sink = try ReplacingSink.opened(target)
    try sink.write(output)
    try sink.finish()
  }

  private func tell(of name: String, _ step: JSONValue) {
    for note in step["notes"]?.elements.compactMap(\.string) ?? [] { tell("\(name): \(note)") }
    for call in step["left_out"]?.elements.map({ $0 }) ?? [] {
      tell(
        "\(name): left out number \(call["ordinal"]?.numberText ?? ""): \(call["error"]?["message"]?.string ?? "")"
      )
    }
    if let cause = step["because"]?.string { tell("\(name): not done, because \(cause) failed") }
  }

  private func tell(_ words: String) {
    Message.show("halyard: \(Printable.text(words))\n")
  }
}

extension JSONValue {
  fileprivate var bytes: [UInt8] {
    var bytes: [UInt8] = []
    writeMinified(into: &bytes)
    return bytes
  }
}
