internal import JSONQuery
import Recipes

/// A JSON object per line: `{"url":…,"kind":…,"ref":…,"select":…,"require":…,"unwrap":…,"oembed":…}`, of which only `url` is needed.
///
/// A line with anything else becomes a job that has failed already, so the good lines around it still run.
struct JSONLJobs: JobReader {
  private var lines: LineReader

  init(_ source: any ByteSource) {
    lines = LineReader(source)
  }

  mutating func next(mayWait: Bool) throws(InputError) -> NextItem<InputJob> {
    while true {
      switch try lines.next(mayWait: mayWait) {
      case .end: return .end
      case .pending: return .pending
      case .item(let line):
        let bytes = LinkText.trim(line.bytes)
        if line.isTooLong {
          return .item(
            LinkText.draft(of: bytes, isTooLong: true, line: line.number, place: "line \(line.number)"))
        }
        if !bytes.isEmpty { return .item(Self.draft(from: Array(bytes), line: line.number)) }
      }
    }
  }

  private static func draft(from bytes: [UInt8], line: Int) -> InputJob {
    var draft = InputJob(line: line)
    let object: JSONValue
    do {
      object = try JSONDocument(parsing: bytes).root
    } catch {
      draft.refuse("is not JSON: \(error.message)")
      return draft
    }
    guard object.kind == .object else {
      draft.refuse("is not a JSON object such as {\"url\":\"https://example.org/\"}")
      return draft
    }
    for member in object.members { draft.take(member.key, member.value) }
    if draft.problem == nil, draft.url == nil {
      draft.problem = InputProblem(kind: .missingInput, message: "line \(line) has no url")
    }
    return draft
  }
}

extension InputJob {
  private static let members = ["url", "kind", "ref", "select", "require", "unwrap", "oembed"]

  /// The first thing wrong with a line is the one to tell.
  fileprivate mutating func refuse(_ words: String) {
    guard problem == nil else { return }
    problem = InputProblem(kind: .invalidInput, message: "line \(line) \(words)")
  }

  fileprivate mutating func take(_ name: String, _ value: JSONValue) {
    switch name {
    case "url":
      url = text(of: value, named: name).map { String($0.trimmingBlanks()) }
      if url?.isEmpty == true { url = nil }
    case "kind":
      kind = text(of: value, named: name)
      if let kind, CommandTable.jobCommands.allSatisfy({ $0.name != kind }) {
        let known = CommandTable.jobCommands.map(\.name).joined(separator: ", ")
        refuse("has the unknown kind \(Printable.quoted(kind)); kinds are \(known)")
      }
    case "ref":
      ref = value.numberText ?? text(of: value, named: name)
    case "select":
      select = text(of: value, named: name)
      if let select { checkSelector(select) }
    case "require":
      require = requirements(in: value)
    case "unwrap":
      if value.kind != .bool, value.kind != .null { refuse("has an 'unwrap' that is neither true nor false") }
      unwraps = value.bool
    case "oembed":
      oembed = value.bool
      if oembed == nil, value.kind != .null { refuse("has an 'oembed' that is neither true nor false") }
    default:
      let hint = Suggestion.closest(to: name, among: Self.members).map { " — did you mean '\($0)'?" } ?? ""
      refuse("has the unknown member \(Printable.quoted(name))\(hint)")
    }
  }

  /// The member's string; null counts as not there, another kind is refused.
  private mutating func text(of value: JSONValue, named name: String) -> String? {
    if value.kind != .string, value.kind != .null { refuse("has a '\(name)' that is not a string") }
    return value.string
  }

  /// One requirement or an array of them; null counts as not there.
  private mutating func requirements(in value: JSONValue) -> [String]? {
    if value.isNull { return nil }
    let texts = value.kind == .array ? value.elements.map(\.string) : [value.string]
    var requirements: [String] = []
    for text in texts {
      guard let text else {
        refuse("has a 'require' that is neither a string nor an array of strings")
        return nil
      }
      do {
        _ = try JSONRequirement(text)
        requirements.append(text)
      } catch {
        refuse("has a 'require' that is not a requirement: \(error.message)")
      }
    }
    return requirements
  }

  private mutating func checkSelector(_ text: String) {
    do {
      _ = try JSONSelector(text)
    } catch {
      refuse("has a select that is \(error.reason)")
    }
  }
}

extension String {
  fileprivate func trimmingBlanks() -> Substring {
    let bytes = utf8
    guard let first = bytes.firstIndex(where: { !isBlank($0) }),
      let last = bytes.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return self[first...last]
  }
}
