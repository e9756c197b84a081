package import Pipeline

/// One job as the input says it; its link is not checked yet.
package struct InputJob: Hashable, Sendable {
  /// The link without what stands around it; of a line that is too long only its beginning.
  var url: String?
  /// The name of a link command; nil for the command that reads the input.
  var kind: String?
  /// The user's own key; a number keeps its spelling.
  var ref: String?
  /// A JSON Pointer (RFC 6901) or a JSONPath query (RFC 9535) into the document that a decode fetches.
  var select: String?
  /// What that document must hold, each PATH:TYPE.
  var require: [String]?
  /// Whether that document may stand in a script.
  var unwraps: Bool?
  /// Whether the page's oEmbed endpoint is asked; nil when the job does not say.
  var oembed: Bool?
  /// Values to carry into the row, in the order the user named them.
  var kept: [KeptColumn] = []
  /// Where the link stands, if the input is a document.
  package var origin: LinkOrigin?
  /// A relative link in a document whose address is not known; it gets no job.
  var isRelative = false
  /// Why this job cannot start; it still gets its row.
  var problem: InputProblem?
  /// Where the job stands in its source, counted from 1; arguments count as lines.
  var line: Int
  /// Which of several sources the job is from, counted from 0.
  var source = 0
}

/// What is wrong with one job of an otherwise readable input.
struct InputProblem: Hashable, Sendable {
  enum Kind: Sendable {
    case invalidInput
    case missingInput
  }

  var kind: Kind
  /// One line that names the place.
  var message: String
}

/// How places of a source are named in messages.
struct InputPlaces: Sendable {
  /// The source's name where there are others beside it.
  var source: String?

  /// Such as `line 3`, or `line 3 of links.txt`.
  func line(_ number: Int) -> String {
    source.map { "line \(number) of \(Printable.text($0))" } ?? "line \(number)"
  }
}
