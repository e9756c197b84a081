import Pipeline
import Roles

extension JobDraft {
  /// The first thing wrong with a job is the one to tell.
  ///
  /// - Parameter message: One line that names the place.
  mutating func refuse(_ message: String, as kind: FailureKind = .invalidInput) {
    if refusal == nil { refusal = Failure(kind, at: .input, message) }
  }
}

/// What the readers of a source need to know to make jobs of it.
struct InputContext: Sendable {
  /// The source's name where messages have to tell it from others.
  var source: String?
  /// What jobs are that do not say it themselves.
  var kind = JobKind.title
  /// How documents and pages are read whose jobs do not say it themselves.
  var reading = Reading()

  /// Such as `line 3`, or `line 3 of links.txt`.
  func place(line number: Int) -> String {
    source.map { "line \(number) of \(Printable.text($0))" } ?? "line \(number)"
  }

  /// A job with nothing but what all jobs of its kind have.
  func job(_ kind: JobKind? = nil, line: Int) -> JobDraft {
    let kind = kind ?? self.kind
    var draft = JobDraft(kind: kind, input: nil)
    if kind == .decode { draft.reading = reading }
    draft.reading.wantsEmbed = kind == .title && reading.wantsEmbed
    draft.reading.language = reading.language
    draft.line = line
    return draft
  }

  /// A job for the link in `bytes`.
  ///
  /// Bytes that are not UTF-8 make the job a failed one: repaired, they would lead somewhere else.
  ///
  /// - Parameter place: Where it stands; nil for its line.
  func job(
    linkedTo bytes: ArraySlice<UInt8>, isTooLong: Bool, line: Int, place: @autoclosure () -> String? = nil
  ) -> JobDraft {
    let trimmed = LinkText.trim(bytes)
    var job = job(line: line)
    func refuse(_ words: String, as kind: FailureKind = .invalidInput) {
      job.refuse("\(place() ?? self.place(line: line)) \(words)", as: kind)
    }
    if isTooLong {
      job.input = LinkText.beginning(of: trimmed)
      refuse("is \(LinkText.tooLong)")
    } else if trimmed.isEmpty {
      refuse("has no link", as: .missingInput)
    } else if let link = String(validating: trimmed, as: UTF8.self) {
      job.input = link
    } else {
      job.input = String(decoding: trimmed, as: UTF8.self)
      refuse("is not UTF-8")
    }
    return job
  }
}

/// Links as they stand in an input.
enum LinkText {
  /// Bytes of an overlong link that are kept to show which one it was.
  private static let shownBytes = 200

  static let tooLong = "longer than \(Quantity.byteSize(Int64(LineReader.limit)))"

  static func beginning(of link: some Sequence<UInt8>) -> String {
    "\(String(decoding: Array(link.prefix(shownBytes)), as: UTF8.self))…"
  }

  /// Without the white space and the angle brackets around it, which stand there in mails and documents.
  static func trim(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let text = trimBlanks(bytes)
    let inner = text.dropFirst().dropLast()
    guard text.count >= 2, text.first == UInt8(ascii: "<"), text.last == UInt8(ascii: ">"),
      !inner.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") })
    else { return text }
    return trimBlanks(inner)
  }

  static func trimmed(_ text: String) -> String {
    String(decoding: trim(Array(text.utf8)[...]), as: UTF8.self)
  }

  /// No-break spaces, spaces of no width, and the space of CJK text, which come along when a link is copied.
  private static let wideBlanks: [[UInt8]] = [
    [0xC2, 0xA0], [0xE2, 0x80, 0x8B], [0xE2, 0x80, 0xAF], [0xE2, 0x81, 0xA0], [0xE3, 0x80, 0x80],
    [0xEF, 0xBB, 0xBF],
  ]

  static func trimBlanks(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = bytes
    while let first = rest.first {
      if isBlank(first) {
        rest = rest.dropFirst()
      } else if first >= 0x80, let blank = wideBlanks.first(where: rest.starts(with:)) {
        rest = rest.dropFirst(blank.count)
      } else {
        break
      }
    }
    while let last = rest.last {
      if isBlank(last) {
        rest = rest.dropLast()
      } else if last >= 0x80, let blank = wideBlanks.first(where: { rest.suffix($0.count).elementsEqual($0) })
      {
        rest = rest.dropLast(blank.count)
      } else {
        break
      }
    }
    return rest
  }
}
