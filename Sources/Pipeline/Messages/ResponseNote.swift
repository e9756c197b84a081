/// What headers of a response say about its body, for the row.
public struct ResponseNote: Hashable, Sendable {
  /// Longer headers are as good as none.
  public static let mostBytes = 2 << 10
  public static let mostLinks = 4
  /// Of all its headers together; links beyond that are left out, the last first.
  public static let mostBytesInAll = 6 << 10

  /// `Content-Disposition` as it came.
  public var disposition: String?
  /// `Content-Language` as it came.
  public var language: String?
  /// The whole body's length in bytes, where the server told it and no coding hides it.
  public var length: UInt64?
  /// The response says that it is a check for bots and no answer.
  public var isChallenge: Bool
  /// The values of Link headers, for recipes that follow them.
  public var links: [String] = []

  /// Tells nothing.
  static let none = ResponseNote()

  private init() { isChallenge = false }

  /// nil when there is nothing to tell.
  public init?(
    disposition: String?, language: String?, length: UInt64?, isChallenge: Bool = false, links: [String] = []
  ) {
    (self.disposition, self.language, self.length) = (disposition, language, length)
    (self.isChallenge, self.links) = (isChallenge, links)
    bound()
    if self == .none { return nil }
  }

  /// Leaves out what is too long.
  mutating func bound() {
    func bounded(_ header: String?) -> String? {
      header.flatMap { $0.utf8.count <= Self.mostBytes ? $0 : nil }
    }
    (disposition, language) = (bounded(disposition), bounded(language))
    var room = Self.mostBytesInAll - (disposition?.utf8.count ?? 0) - (language?.utf8.count ?? 0)
    links = Array(
      links.filter { $0.utf8.count <= Self.mostBytes }.prefix(Self.mostLinks).prefix { link in
        room -= link.utf8.count
        return room >= 0
      })
  }
}
