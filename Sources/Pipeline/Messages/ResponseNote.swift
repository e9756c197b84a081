/// What headers of a response say about its body, for the row.
public struct ResponseNote: Hashable, Sendable {
  /// Longer headers are as good as none.
  public static let mostBytes = 2 << 10

  /// `Content-Disposition` as it came.
  public var disposition: String?
  /// `Content-Language` as it came.
  public var language: String?
  /// The whole body's length in bytes, where the server told it and no coding hides it.
  public var length: UInt64?
  /// The response says that it is a check for bots and no answer.
  public var isChallenge: Bool

  /// nil when there is nothing to tell.
  public init?(disposition: String?, language: String?, length: UInt64?, isChallenge: Bool = false) {
    func bounded(_ header: String?) -> String? {
      header.flatMap { $0.utf8.count <= Self.mostBytes ? $0 : nil }
    }
    (self.disposition, self.language, self.length) = (bounded(disposition), bounded(language), length)
    self.isChallenge = isChallenge
    if self.disposition == nil, self.language == nil, length == nil, !isChallenge { return nil }
  }
}
