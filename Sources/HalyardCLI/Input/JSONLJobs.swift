internal import JSONQuery
import Pipeline
import Recipes
import Roles

/// A JSON object per line: `{"url":…,"kind":…,"ref":…,"select":…,"require":…,"unwrap":…,"oembed":…,"language":…,"origin":…}`, of which only `url` is needed.
///
/// A row of Halyard's own is a job too: its `input` is the link, `ref` and `kept` come along, and all else is what was found.
/// A line with anything else becomes a job that has failed already, so the good lines around it still run.
struct JSONLJobs: JobReader {
  /// A row can hold a whole document.
  private static let lineLimit = 16 << 20

  private let context: InputContext
  private var lines = LineReader(limit: Self.lineLimit)

  init(_ context: InputContext) { self.context = context }

  mutating func take(_ chunk: [UInt8]?) { lines.take(chunk) }

  mutating func next() -> JobDraft? {
    while let line = lines.next() {
      let bytes = LinkText.trim(line.bytes)
      if line.isTooLong || !bytes.isEmpty { return job(bytes, isTooLong: line.isTooLong, line.number) }
    }
    return nil
  }

  private func job(_ bytes: ArraySlice<UInt8>, isTooLong: Bool, _ line: Int) -> JobDraft {
    var job = context.job(line: line)
    let place = context.place(line: line)
    guard !isTooLong else {
      job.input = LinkText.beginning(of: bytes)
      job.refuse("\(place) is longer than \(Quantity.byteSize(Int64(Self.lineLimit)))")
      return job
    }
    let object: JSONValue
    do {
      object = try JSONDocument(parsing: Array(bytes), limits: .around).root
    } catch {
      job.refuse("\(place) is not JSON: \(error.message)")
      return job
    }
    guard object.kind == .object else {
      job.refuse("\(place) is not a JSON object such as {\"url\":\"https://example.org/\"}")
      return job
    }
    // Only rows say what their link was besides what it led to, or which schema they have.
    if object["input"] != nil || object["schema"]?.string?.hasPrefix("halyard.result/") == true {
      job.take(row: object, place)
    } else {
      // What kind it is decides what it has of what all jobs have.
      job = context.job(object["kind"]?.string.flatMap(JobKind.init(name:)), line: line)
      for member in object.members { job.take(member.key, member.value, place) }
    }
    if job.input == nil { job.refuse("\(place) has no url", as: .missingInput) }
    return job
  }
}

extension JobDraft {
  private static let members = [
    "url", "kind", "ref", "select", "require", "unwrap", "oembed", "language", "origin",
  ]

  /// What was asked, and not what was found.
  fileprivate mutating func take(row: JSONValue, _ place: String) {
    if row["kind"]?.string == "run" { refuse("\(place) is the row of a recipe, and not of a link") }
    take(link: text(of: row["input"], named: "input", place), place)
    ref = row["ref"]?.numberText ?? text(of: row["ref"], named: "ref", place)
    for member in row["kept"]?.members.map({ $0 }) ?? [] {
      kept.append(KeptColumn(member.key, member.value.string ?? member.value.minified))
    }
    origin = row["origin"].flatMap(LinkOrigin.init)
  }

  /// A link that is too long keeps the rest of its job.
  private mutating func take(link: String?, _ place: String) {
    guard let link else { return }
    let trimmed = LinkText.trimmed(link)
    let isTooLong = trimmed.utf8.count > LineReader.limit
    if isTooLong { refuse("\(place) has a link \(LinkText.tooLong)") }
    input = trimmed.isEmpty ? nil : isTooLong ? LinkText.beginning(of: trimmed.utf8) : trimmed
  }

  fileprivate mutating func take(_ name: String, _ value: JSONValue, _ place: String) {
    switch name {
    case "url":
      take(link: text(of: value, named: name, place), place)
    case "kind":
      let kind = text(of: value, named: name, place)
      if let kind, CommandTable.jobCommands.allSatisfy({ $0.name != kind }) {
        let known = CommandTable.jobCommands.map(\.name).joined(separator: ", ")
        refuse("\(place) has the unknown kind \(Printable.quoted(kind)); kinds are \(known)")
      }
    case "ref":
      ref = value.numberText ?? text(of: value, named: name, place)
    case "select":
      guard let select = text(of: value, named: name, place) else { return }
      reading.select = select
      checkSelector(select, place)
    case "require":
      if let require = requirements(in: value, place) { reading.require = require }
    case "unwrap":
      if let unwraps = flag(value, named: name, place) { reading.unwraps = unwraps }
    case "oembed":
      if let wants = flag(value, named: name, place) {
        reading.wantsEmbed = wants && kind == .title
      }
    case "language":
      guard let language = text(of: value, named: name, place) else { return }
      reading.language = language
      if !LanguageList.isOne(language) { refuse("\(place) has a language that \(LanguageList.complaint)") }
    case "origin":
      origin = LinkOrigin(value)
      if origin == nil { refuse("\(place) has an 'origin' without line and column") }
    default:
      let hint = Suggestion.closest(to: name, among: Self.members).map { " — did you mean '\($0)'?" } ?? ""
      refuse("\(place) has the unknown member \(Printable.quoted(name))\(hint)")
    }
  }

  private mutating func flag(_ value: JSONValue, named name: String, _ place: String) -> Bool? {
    if value.kind != .bool, value.kind != .null {
      refuse("\(place) has an '\(name)' that is neither true nor false")
    }
    return value.bool
  }

  /// The member's string; null counts as not there, another kind is refused.
  private mutating func text(of value: JSONValue?, named name: String, _ place: String) -> String? {
    guard let value else { return nil }
    if value.kind != .string, value.kind != .null {
      refuse("\(place) has a '\(name)' that is not a string")
    }
    return value.string
  }

  /// One requirement or an array of them; null counts as not there.
  private mutating func requirements(in value: JSONValue, _ place: String) -> [String]? {
    if value.isNull { return nil }
    let texts = value.kind == .array ? value.elements.map(\.string) : [value.string]
    var requirements: [String] = []
    for text in texts {
      guard let text else {
        refuse("\(place) has a 'require' that is neither a string nor an array of strings")
        return nil
      }
      do {
        _ = try JSONRequirement(text)
        requirements.append(text)
      } catch {
        refuse("\(place) has a 'require' that is not a requirement: \(error.message)")
      }
    }
    return requirements
  }

  private mutating func checkSelector(_ text: String, _ place: String) {
    do {
      _ = try JSONSelector(text)
    } catch {
      refuse("\(place) has a select that is \(error.reason)")
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

/// A recipe as a user names it: one that is built in, or a file.
struct RecipeFile {
  let name: String

  /// All of it, or a little more than a recipe may have.
  func read() throws(InputError) -> [UInt8] {
    if let shipped = ShippedRecipe(rawValue: name) { return shipped.file }
    let source: DescriptorSource
    do {
      source = try DescriptorSource(path: name == "-" ? nil : name)
    } catch {
      throw InputError(name, error.problem + hint)
    }
    var bytes: [UInt8] = []
    while bytes.count <= RecipeLimits.longestFile, let chunk = try source.nextChunk() { bytes += chunk }
    return bytes
  }

  private var hint: String {
    let known = ShippedRecipe.allCases.map(\.rawValue)
    guard !name.contains("/"), !name.contains(".") else { return "" }
    if let meant = Suggestion.closest(to: name, among: known) { return " — did you mean '\(meant)'?" }
    return "; built in are \(known.joined(separator: ", "))"
  }
}
