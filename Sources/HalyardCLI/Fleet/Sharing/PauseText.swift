import JSONQuery
import Pipeline

/// A pause in words.
struct PauseText {
  /// Such as `host a.test`.
  let subject: String
  /// The command that ends it.
  let resume: String
  private let since: String?
  private let until: String?
  private let author: String?
  private let reason: String?

  init(_ known: KnownPause) {
    let resumed: String
    switch known.scope {
    case .all: (subject, resumed) = ("everything", "--all")
    case .host(let host): (subject, resumed) = ("host \(host)", "--host \(ShellWord.quoted(host))")
    case .batch(let batch): (subject, resumed) = ("the batch", "\(batch)")
    }
    resume = "halyard resume \(resumed)"
    (since, until) = (known.pause.at.timestamp, known.pause.until?.timestamp)
    (author, reason) = (known.pause.by, known.pause.reason)
  }

  /// - Parameter names: Of batches, by id.
  init(_ pause: JSONValue, names: [String: String]) {
    if let host = pause["host"]?.string {
      (subject, resume) = ("host \(host)", "halyard resume --host \(ShellWord.quoted(host))")
    } else if let id = pause["batch"]?.string {
      let name = names[id] ?? id
      (subject, resume) = ("batch \(name)", "halyard resume \(ShellWord.quoted(name))")
    } else {
      (subject, resume) = ("everything", "halyard resume --all")
    }
    (since, until) = (pause["since"]?.string, pause["until"]?.string)
    (author, reason) = (pause["by"]?.string, pause["reason"]?.string)
  }

  /// Such as ` since 2026-11-26T10:00:00Z until 2026-11-26T11:00:00Z by ann@box: its owner asked for it`.
  var circumstances: String {
    (since.map { " since \(Self.short($0))" } ?? "") + (until.map { " until \(Self.short($0))" } ?? "")
      + (author.map { " by \($0)" } ?? "") + (reason.map { ": \($0)" } ?? "")
  }

  /// For those who wait behind it.
  var notice: String {
    "halyard: \(Printable.text(subject)) is paused\(Printable.text(circumstances)); '\(Printable.text(resume))' ends that\n"
  }

  /// A timestamp without its milliseconds.
  private static func short(_ timestamp: String) -> String {
    timestamp.split(separator: ".").first.map { $0.hasSuffix("Z") ? String($0) : "\($0)Z" } ?? timestamp
  }
}
