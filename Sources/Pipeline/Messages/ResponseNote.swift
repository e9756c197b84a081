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

  /// nil when there is nothing to tell.
  public init?(
    disposition: String?, language: String?, length: UInt64?, isChallenge: Bool = false, links: [String] = []
  ) {
    func bounded(_ header: String?) -> String? {
      header.flatMap { $0.utf8.count <= Self.mostBytes ? $0 : nil }
    }
    (self.disposition, self.language, self.length) = (bounded(disposition), bounded(language), length)
    self.isChallenge = isChallenge
    var room = Self.mostBytesInAll - (self.disposition?.utf8.count ?? 0) - (self.language?.utf8.count ?? 0)
    self.links = links.filter { $0.utf8.count <= Self.mostBytes }.prefix(Self.mostLinks).prefix { link in
      room -= link.utf8.count
      return room >= 0
    }
    if self.disposition == nil, self.language == nil, length == nil, !isChallenge, self.links.isEmpty {
      return nil
    }
  }
}
