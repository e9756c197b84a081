/// How a job wants its body read: the document of a `decode`, the page of a `title`, the recipe of a `run`.
public struct Reading: Hashable, Sendable {
  /// The part of the document to select; nil for all of it.
  public var select: String?
  /// The parts that the document must have, each `PATH:TYPE`.
  public var require: [String] = []
  /// Whether the JSON may stand in a script: behind words that keep others from running it, or in a call (JSONP).
  public var unwraps = false
  /// Whether the page's oEmbed endpoint is asked too.
  public var wantsEmbed = false
  /// How the answer to a recipe's call is read, as recipes write it.
  public var call: String?
  /// The recipe of a `run`, as its file has it.
  public var recipe: String?
  /// The recipe's arguments, each `NAME=VALUE`.
  public var parameters: [String] = []
  /// Headers for the link's own origin, each `NAME: VALUE`.
  public var headers: [String] = []
  /// What every request has as its Accept-Language.
  public var language: String?
  /// The final statuses whose body is read as the document of a `decode`; those below 400 when there are none.
  public var accepts: [StatusRange] = []

  public init(select: String? = nil, require: [String] = [], unwraps: Bool = false, wantsEmbed: Bool = false)
  {
    self.select = select
    self.require = require
    self.unwraps = unwraps
    self.wantsEmbed = wantsEmbed
  }

  /// The bytes that its texts add to a message.
  public var textBytes: Int {
    func bytes(_ text: String?) -> Int { text?.utf8.count ?? 0 }
    func bytes(_ texts: [String]) -> Int { texts.reduce(0) { $0 + $1.utf8.count } }
    return bytes(select) + bytes(call) + bytes(recipe) + bytes(language)
      + bytes(require) + bytes(parameters) + bytes(headers) + bytes(accepts.map(\.text))
  }
}
