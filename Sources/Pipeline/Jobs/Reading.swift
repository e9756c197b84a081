/// How a `decode` job reads its document.
public struct Reading: Hashable, Sendable {
  /// What to select; nil for all of it.
  public var select: String?
  /// What must be there, each `PATH:TYPE`.
  public var require: [String] = []
  /// Whether the JSON may stand in a script: behind words that keep others from running it, or in a call (JSONP).
  public var unwraps = false

  public init(select: String? = nil, require: [String] = [], unwraps: Bool = false) {
    self.select = select
    self.require = require
    self.unwraps = unwraps
  }

  /// Whether it only selects, or not even that.
  public var isPlain: Bool { require.isEmpty && !unwraps }

  /// What its texts add to a message.
  public var textBytes: Int {
    require.reduce(select?.utf8.count ?? 0) { $0 + $1.utf8.count }
  }
}
