import Pipeline

/// One job as the input says it; its link is not checked yet.
struct InputJob: Hashable, Sendable {
  /// The link without the white space around it; of a line that is too long only its beginning.
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
  /// Why this job cannot start; it still gets its row.
  var problem: InputProblem?
  /// Where the job stands in the input, counted from 1; arguments count as lines.
  var line: Int
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
