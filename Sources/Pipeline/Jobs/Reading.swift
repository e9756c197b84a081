/// What a job wishes of the reading: how a `decode` reads its document, and a `title` its page.
public struct Reading: Hashable, Sendable {
  /// What to select; nil for all of it.
  public var select: String?
  /// What must be there, each `PATH:TYPE`.
  public var require: [String] = []
  /// Whether the JSON may stand in a script: behind words that keep others from running it, or in a call (JSONP).
  public var unwraps = false
  /// Whether the page's oEmbed endpoint is asked too.
  public var wantsEmbed = false

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
    require.reduce(select?.utf8.count ?? 0) { $0 + $1.utf8.count }
  }
}
