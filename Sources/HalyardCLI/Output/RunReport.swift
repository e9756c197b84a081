import JSONQuery
import Posix

struct RunReport {
  private let row: [UInt8]
  private let root: JSONValue

  init(_ row: [UInt8]) throws {
    self.row = row
    root = try JSONDocument(parsing: row, limits: .around).root
  }

  /// Everything, as a line.
  var wholeRow: [UInt8] { row + [UInt8(ascii: "\n")] }

  /// What was gathered, as a line; nil when nothing was.
  var gathered: [UInt8]? { root["value"].map { $0.bytes + [UInt8(ascii: "\n")] } }

  /// What was gathered, as a page; nil when nothing was.
  var page: [UInt8]? {
    root["value"].map { Array(GatheredPage($0, title: root["input"]?.string ?? "Gathered").html.utf8) }
  }

  func tell() -> ExitCode {
    let steps = root["steps"]?.members.map { ($0.key, $0.value) } ?? []
    for (name, step) in steps { tell(of: name, step) }
    guard let error = root["error"] else { return .ok }
    let failures = steps.compactMap { $0.1["error"].map(Self.words) }
    if !failures.contains(Self.words(error)) { tell(Self.words(error)) }
    return .someFailed
  }

  private func tell(of name: String, _ step: JSONValue) {
    for note in step["notes"]?.elements.compactMap(\.string) ?? [] { tell("\(name): \(note)") }
    for call in step["left_out"]?.elements.map({ $0 }) ?? [] {
      let message = call["error"]?["message"]?.string ?? ""
      tell("\(name): left out ordinal \(call.text("ordinal")): \(message)")
    }
    if let error = step["error"] { tell("\(name): \(Self.words(error))") }
    if let cause = step["because"]?.string { tell("\(name): not done, because \(cause) failed") }
  }

  private static func words(_ error: JSONValue) -> String {
    let (kind, message) = (error["kind"]?.string ?? "failed", error["message"]?.string ?? "")
    return message.hasPrefix("\(kind):") ? message : "\(kind): \(message)"
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
