import JSONQuery

struct Finding: Hashable, Sendable {
  enum State: String, Sendable {
    case ok
    /// It works, though not as well as it could.
    case warning
    /// Something will fail.
    case trouble
  }

  var check: String
  var state: State
  var message: String
  var fix: String?

  static func ok(_ check: String, _ message: String) -> Finding {
    Finding(check: check, state: .ok, message: message, fix: nil)
  }

  static func warning(_ check: String, _ message: String, fix: String) -> Finding {
    Finding(check: check, state: .warning, message: message, fix: fix)
  }

  static func trouble(_ check: String, _ message: String, fix: String) -> Finding {
    Finding(check: check, state: .trouble, message: message, fix: fix)
  }

  var text: String {
    func padded(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(0, width - text.count))
    }
    let line = "\(padded(state.rawValue, 8)) \(padded(check, 12)) \(Printable.text(message))\n"
    return line + (fix.map { "\(padded("", 22))fix: \(Printable.text($0))\n" } ?? "")
  }

  var json: [UInt8] {
    var line = JSONWriter(reservingCapacity: 160)
    line.beginObject()
    line.member("check", check)
    line.member("state", state.rawValue)
    line.member("message", message)
    line.key("fix")
    if let fix { line.string(fix) } else { line.null() }
    line.endObject()
    line.endLine()
    return line.bytes
  }
}
