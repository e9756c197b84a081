internal import JSONQuery
import Pipeline
import Recipes

/// A JSON object per line: `{"url":…,"kind":…,"ref":…,"select":…,"require":…,"unwrap":…,"oembed":…,"origin":…}`, of which only `url` is needed.
///
/// A row of Halyard's own is a job too: its `input` is the link, `ref` and `kept` come along, and all else is what was found.
/// A line with anything else becomes a job that has failed already, so the good lines around it still run.
struct JSONLJobs: JobReader {
  /// A row can hold a whole document.
  private static let lineLimit = 16 << 20

  private var lines: LineReader
  private let places: InputPlaces

  init(_ source: any ByteSource, places: InputPlaces) {
    lines = LineReader(source, limit: Self.lineLimit)
    self.places = places
  }

  mutating func next(mayWait: Bool) throws(InputError) -> NextItem<InputJob> {
    while true {
      switch try lines.next(mayWait: mayWait) {
      case .end: return .end
      case .pending: return .pending
      case .item(let line):
        let bytes = LinkText.trim(line.bytes)
        if line.isTooLong { return .item(tooLong(bytes, line.number)) }
        if !bytes.isEmpty { return .item(draft(from: Array(bytes), line: line.number)) }
      }
    }
  }

  private func tooLong(_ bytes: ArraySlice<UInt8>, _ line: Int) -> InputJob {
    let limit = Quantity.byteSize(Int64(Self.lineLimit))
    var draft = InputJob(url: LinkText.beginning(of: bytes), line: line)
    draft.refuse("is longer than \(limit)", at: places)
    return draft
  }

  private func draft(from bytes: [UInt8], line: Int) -> InputJob {
    var draft = InputJob(line: line)
    let object: JSONValue
    do {
      object = try JSONDocument(parsing: bytes, limits: .around).root
    } catch {
      draft.refuse("is not JSON: \(error.message)", at: places)
      return draft
    }
    guard object.kind == .object else {
      draft.refuse("is not a JSON object such as {\"url\":\"https://example.org/\"}", at: places)
      return draft
    }
    if Self.isRow(object) {
      draft.take(row: object, places)
    } else {
      for member in object.members { draft.take(member.key, member.value, places) }
    }
    if draft.problem == nil, draft.url == nil {
      draft.problem = InputProblem(kind: .missingInput, message: "\(places.line(line)) has no url")
    }
    return draft
  }

  /// Only rows say what their link was besides what it led to, or which schema they have.
  private static func isRow(_ object: JSONValue) -> Bool {
    object["input"] != nil || object["schema"]?.string?.hasPrefix("halyard.result/") == true
  }
}

extension InputJob {
  private static let members = ["url", "kind", "ref", "select", "require", "unwrap", "oembed", "origin"]

  /// The first thing wrong with a line is the one to tell.
  fileprivate mutating func refuse(_ words: String, at places: InputPlaces) {
    guard problem == nil else { return }
    problem = InputProblem(kind: .invalidInput, message: "\(places.line(line)) \(words)")
  }

  /// What was asked, and not what was found.
  fileprivate mutating func take(row: JSONValue, _ places: InputPlaces) {
    if row["kind"]?.string == "run" { refuse("is the row of a recipe, and not of a link", at: places) }
    take(link: text(of: row["input"], named: "input", places), places)
    ref = row["ref"]?.numberText ?? text(of: row["ref"], named: "ref", places)
    for member in row["kept"]?.members.map({ $0 }) ?? [] {
      kept.append(KeptColumn(member.key, member.value.string ?? member.value.minified))
    }
    origin = row["origin"].flatMap(LinkOrigin.init)
  }

  /// A link that is too long keeps the rest of its job.
  private mutating func take(link: String?, _ places: InputPlaces) {
    guard let link else { return }
    let trimmed = LinkText.trimmed(link)
    let isTooLong = trimmed.utf8.count > LineReader.limit
    if isTooLong { refuse("has a link \(LinkText.tooLong)", at: places) }
    url = trimmed.isEmpty ? nil : isTooLong ? LinkText.beginning(of: trimmed.utf8) : trimmed
  }

  fileprivate mutating func take(_ name: String, _ value: JSONValue, _ places: InputPlaces) {
    switch name {
    case "url":
      take(link: text(of: value, named: name, places), places)
    case "kind":
      kind = text(of: value, named: name, places)
      if let kind, CommandTable.jobCommands.allSatisfy({ $0.name != kind }) {
        let known = CommandTable.jobCommands.map(\.name).joined(separator: ", ")
        refuse("has the unknown kind \(Printable.quoted(kind)); kinds are \(known)", at: places)
      }
    case "ref":
      ref = value.numberText ?? text(of: value, named: name, places)
    case "select":
      select = text(of: value, named: name, places)
      if let select { checkSelector(select, places) }
    case "require":
      require = requirements(in: value, places)
    case "unwrap":
      unwraps = flag(value, named: name, places)
    case "oembed":
      oembed = flag(value, named: name, places)
    case "origin":
      origin = LinkOrigin(value)
      if origin == nil { refuse("has an 'origin' without line and column", at: places) }
    default:
      let hint = Suggestion.closest(to: name, among: Self.members).map { " — did you mean '\($0)'?" } ?? ""
      refuse("has the unknown member \(Printable.quoted(name))\(hint)", at: places)
    }
  }

  private mutating func flag(_ value: JSONValue, named name: String, _ places: InputPlaces) -> Bool? {
    if value.kind != .bool, value.kind != .null {
      refuse("has an '\(name)' that is neither true nor false", at: places)
    }
    return value.bool
  }

  /// The member's string; null counts as not there, another kind is refused.
  private mutating func text(of value: JSONValue?, named name: String, _ places: InputPlaces) -> String? {
    guard let value else { return nil }
    if value.kind != .string, value.kind != .null {
      refuse("has a '\(name)' that is not a string", at: places)
    }
    return value.string
  }

  /// One requirement or an array of them; null counts as not there.
  private mutating func requirements(in value: JSONValue, _ places: InputPlaces) -> [String]? {
    if value.isNull { return nil }
    let texts = value.kind == .array ? value.elements.map(\.string) : [value.string]
    var requirements: [String] = []
    for text in texts {
      guard let text else {
        refuse("has a 'require' that is neither a string nor an array of strings", at: places)
        return nil
      }
      do {
        _ = try JSONRequirement(text)
        requirements.append(text)
      } catch {
        refuse("has a 'require' that is not a requirement: \(error.message)", at: places)
      }
    }
    return requirements
  }

  private mutating func checkSelector(_ text: String, _ places: InputPlaces) {
    do {
      _ = try JSONSelector(text)
    } catch {
      refuse("has a select that is \(error.reason)", at: places)
    }
  }
}

extension LinkOrigin {
  /// Of a row that was printed before; nil when it says no place.
  fileprivate init?(_ value: JSONValue) {
    guard let line = value["line"]?.numberText.flatMap(Int.init),
      let column = value["column"]?.numberText.flatMap(Int.init), line > 0, column > 0
    else { return nil }
    self.init(
      file: value["file"]?.string, line: line, column: column,
      text: value["text"]?.string?.shortened(toBytes: Self.longestText))
  }
}
