import Pipeline
package import Roles

/// One job of an input, and where it stands there; its link is not checked yet.
package struct InputJob: Hashable, Sendable {
  /// A job that cannot start still gets its row: then the draft says why.
  package var draft: JobDraft
  /// Where the job stands in its source, counted from 1; arguments count as lines.
  package var line: Int
  /// Which of several sources the job is from, counted from 0.
  package var source = 0
  /// A relative link in a document whose address is not known; it gets no job.
  var isRelative = false

  /// The first thing wrong with a job is the one to tell.
  ///
  /// - Parameter message: One line that names the place.
  mutating func refuse(_ message: String, as kind: FailureKind = .invalidInput) {
    if draft.refusal == nil { draft.refusal = Failure(kind, at: .input, message) }
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
  func job(_ kind: JobKind? = nil, line: Int) -> InputJob {
    let kind = kind ?? self.kind
    var draft = JobDraft(kind: kind, input: nil)
    if kind == .decode { draft.reading = reading }
    draft.reading.wantsEmbed = kind == .title && reading.wantsEmbed
    draft.reading.language = reading.language
    return InputJob(draft: draft, line: line)
  }

  /// A job for the link in `bytes`.
  ///
  /// Bytes that are not UTF-8 make the job a failed one: repaired, they would lead somewhere else.
  ///
  /// - Parameter place: Where it stands; nil for its line.
  func job(
    linkedTo bytes: ArraySlice<UInt8>, isTooLong: Bool, line: Int, place: @autoclosure () -> String? = nil
  ) -> InputJob {
    let trimmed = LinkText.trim(bytes)
    var job = job(line: line)
    func refuse(_ words: String, as kind: FailureKind = .invalidInput) {
      job.refuse("\(place() ?? self.place(line: line)) \(words)", as: kind)
    }
    if isTooLong {
      job.draft.input = LinkText.beginning(of: trimmed)
      refuse("is \(LinkText.tooLong)")
    } else if trimmed.isEmpty {
      refuse("has no link", as: .missingInput)
    } else if let link = String(validating: trimmed, as: UTF8.self) {
      job.draft.input = link
    } else {
      job.draft.input = String(decoding: trimmed, as: UTF8.self)
      refuse("is not UTF-8")
    }
    return job
  }
}
