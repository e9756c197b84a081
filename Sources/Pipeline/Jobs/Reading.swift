/// What a job wishes of the reading: how a `decode` reads its document, a `title` its page, and what a `run` runs.
public struct Reading: Hashable, Sendable {
  /// What to select; nil for all of it.
  public var select: String?
  /// What must be there, each `PATH:TYPE`.
  public var require: [String] = []
  /// Whether the JSON may stand in a script: behind words that keep others from running it, or in a call (JSONP).
  public var unwraps = false
  /// Whether the page's oEmbed endpoint is asked too.
  public var wantsEmbed = false
  /// How the answer to a recipe's call is read, as recipes write it.
  public var call: String?
  /// What a `run` runs: a recipe as its file holds it.
  public var recipe: String?
  /// What the recipe is told, each `NAME=VALUE`.
  public var parameters: [String] = []

  public init(select: String? = nil, require: [String] = [], unwraps: Bool = false, wantsEmbed: Bool = false)
  {
    self.select = select
    self.require = require
    self.unwraps = unwraps
    self.wantsEmbed = wantsEmbed
  }

  /// Whether it only selects, or not even that.
  public var isPlain: Bool { self == Reading(select: select) }

  /// What its texts add to a message.
  public var textBytes: Int {
    ([select, call, recipe].compactMap(\.self) + require + parameters).reduce(0) { $0 + $1.utf8.count }
  }
}
