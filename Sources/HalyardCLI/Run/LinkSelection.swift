internal import JSONQuery
internal import Links
import Pipeline
import Posix
import Roles

/// Which links of an input get jobs.
struct LinkSelection: Sendable {
  /// Links that got no job, and so no row.
  struct LeftOut: Hashable, Sendable {
    var excluded = 0
    var duplicates = 0
    /// Relative links in documents whose address is not known.
    var relative = 0

    var isEmpty: Bool { self == LeftOut() }

    /// Such as `left out 12 excluded, 3 duplicates`.
    var words: String {
      var parts: [String] = []
      if excluded > 0 { parts.append("\(ProgressLine.grouped(excluded)) excluded") }
      if duplicates > 0 {
        parts.append("\(ProgressLine.grouped(duplicates)) duplicate\(duplicates == 1 ? "" : "s")")
      }
      if relative > 0 {
        parts.append(
          "\(ProgressLine.grouped(relative)) relative link\(relative == 1 ? "" : "s") (no --base-url)")
      }
      return "left out \(parts.joined(separator: ", "))"
    }
  }

  private let include: [Pattern]
  private let exclude: [Pattern]
  /// nil when duplicates get jobs too.
  private var seen: DistinctJobs?
  private(set) var leftOut = LeftOut()
  /// What it says, as a part of a run's name: other links make another run.
  let wishes: [String]

  init(include: [String] = [], exclude: [String] = [], leavesOutDuplicates: Bool = false) throws(ValueProblem)
  {
    self.include = try include.map(Self.pattern)
    self.exclude = try exclude.map(Self.pattern)
    seen = leavesOutDuplicates ? DistinctJobs() : nil
    wishes =
      include.map { "include \($0)" } + exclude.map { "exclude \($0)" }
      + (leavesOutDuplicates ? ["dedupe"] : [])
  }

  /// A line that is no link is taken: it has a row that says so.
  mutating func takes(_ job: JobDraft) throws(TooManyDistinctJobs) -> Bool {
    if job.isRelative {
      leftOut.relative += 1
      return false
    }
    guard let link = job.input, job.refusal == nil else { return true }
    guard include.isEmpty || include.contains(where: { $0.isFound(in: link) }),
      !exclude.contains(where: { $0.isFound(in: link) })
    else {
      leftOut.excluded += 1
      return false
    }
    guard try seen?.insert(job) == false else { return true }
    leftOut.duplicates += 1
    return false
  }

  static func pattern(_ text: String) throws(ValueProblem) -> Pattern {
    do throws(PatternError) {
      return try Pattern(text)
    } catch {
      let fault =
        switch error {
        case .malformed: "is not a regular expression (RFC 9485)"
        case .tooLarge: "is too large a regular expression"
        }
      throw ValueProblem(words: "\(Printable.quoted(text)) \(fault)")
    }
  }
}

extension LinkSelection {
  init(_ arguments: ParsedArguments) throws(UsageError) {
    // The expressions of all files.
    var listed: [String] = []
    for path in arguments[SelectionOption.excludeFile] {
      listed += try ListFile.lines(path, of: SelectionOption.excludeFile.spec, arguments)
    }
    do throws(ValueProblem) {
      try self.init(
        include: arguments[SelectionOption.include], exclude: arguments[SelectionOption.exclude] + listed,
        leavesOutDuplicates: arguments[SelectionOption.dedupe])
    } catch {
      throw arguments.rejection(of: SelectionOption.excludeFile, error.words)
    }
  }
}

/// The jobs of a run so far, as hashes of 128 bits with a key of this process: no two are taken for one.
struct DistinctJobs: Sendable {
  /// As many take less than half a gigabyte.
  static let limit = 10_000_000

  private var hashes: Set<SIMD2<UInt64>> = []

  /// - Returns: False when the same was asked before.
  mutating func insert(_ job: JobDraft) throws(TooManyDistinctJobs) -> Bool {
    let link = job.input.map { (try? WebURL.userInput($0))?.href ?? $0 }
    let halves = (UInt8(0)...1).map { half in
      var hasher = Hasher()
      hasher.combine(half)
      hasher.combine(job.kind)
      hasher.combine(link)
      hasher.combine(job.reading)
      return UInt64(truncatingIfNeeded: hasher.finalize())
    }
    let isNew = hashes.insert(SIMD2(halves[0], halves[1])).inserted
    guard hashes.count <= Self.limit else { throw TooManyDistinctJobs() }
    return isNew
  }
}

/// More different links than `--dedupe` remembers.
struct TooManyDistinctJobs: Error {}

/// A file of lines that a user names and no other user can have changed; empty lines and those that begin with # say
/// nothing.
enum ListFile {
  private static let limit = 1 << 20

  static func lines(_ path: String) throws(InputError) -> [Substring] {
    lines(of: try content(of: path, SafeFile.readingTrusted))
  }

  /// What the texts of an option stand for, and those of its files.
  static func words<Word>(
    of option: Option<[String]>, _ arguments: ParsedArguments,
    _ read: (String) throws(ValueProblem) -> Word
  ) throws(UsageError) -> [Word] {
    var words: [Word] = []
    for text in try texts(of: option, arguments) {
      do throws(ValueProblem) {
        words.append(try read(text))
      } catch {
        throw arguments.rejection(of: option, error.words)
      }
    }
    return words
  }

  /// What an option says, with the lines of a file in the place of each `@FILE`.
  static func texts(
    of option: some OptionRow, _ arguments: ParsedArguments
  ) throws(UsageError) -> [String] {
    var texts: [String] = []
    for text in arguments.value(of: option)?.texts ?? [] {
      texts += text.hasPrefix("@") ? try lines(String(text.dropFirst()), of: option, arguments) : [text]
    }
    return texts
  }

  /// The lines of a file that an option names.
  static func lines(
    _ path: String, of option: some OptionRow, _ arguments: ParsedArguments
  ) throws(UsageError) -> [String] {
    do throws(InputError) {
      return try lines(path).map { $0.trimmingSpaces() }
    } catch {
      throw arguments.rejection(
        of: option, "\(Printable.quoted(error.source)): \(Printable.text(error.problem))")
    }
  }

  static func lines(of text: String) -> [Substring] {
    // A carriage return and a line feed are one character.
    text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") && !$0.allSatisfy(\.isWhitespace) }
  }

  static func content(
    of path: String, _ open: (String) throws(DistrustedPath) -> Descriptor
  ) throws(InputError) -> String {
    let bytes: [UInt8]?
    do throws(DistrustedPath) {
      bytes = try self.bytes(of: path, open)
    } catch {
      throw InputError(path, error.words)
    }
    // What lies beyond would be left out without a word.
    guard let bytes else { throw InputError(path, "it is longer than \(Quantity.byteSize(Int64(limit)))") }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// nil of a file that is longer than such files are.
  static func bytes(
    of path: String, _ open: (String) throws(DistrustedPath) -> Descriptor
  ) throws(DistrustedPath) -> [UInt8]? {
    let file = try open(path)
    do throws(PosixError) {
      let bytes = try file.readAll(limit: limit)
      return bytes.count <= limit ? bytes : nil
    } catch {
      throw DistrustedPath(path, .failed(error))
    }
  }
}
