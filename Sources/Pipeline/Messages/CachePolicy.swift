/// What a server calls the version of a resource that it sent (RFC 9110, section 8.8).
public struct Validators: Hashable, Sendable {
  /// Longer ones are as good as none: they travel with the job.
  public static let mostBytes = 4 << 10

  /// The resource, as it was requested.
  public var url: String
  public var entityTag: String?
  public var lastModified: String?

  /// None that can be asked by.
  static let none = Validators()

  private init() { url = "" }

  /// nil when there is nothing to ask by, or too much of it, or it cannot stand in a header.
  public init?(url: String, entityTag: String?, lastModified: String?) {
    (self.url, self.entityTag, self.lastModified) = (url, entityTag, lastModified)
    guard isSound else { return nil }
  }

  var isSound: Bool {
    let texts = [url, entityTag, lastModified].compactMap { $0 }
    return texts.count > 1 && texts.reduce(0) { $0 + $1.utf8.count } <= Self.mostBytes
      && texts.allSatisfy { $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
  }
}

/// The wish to keep a job's answer for later jobs that ask the same.
public struct CachePolicy: Hashable, Sendable {
  /// The version of the cached answer, which the fetcher revalidates.
  public var known: Validators?

  public init(known: Validators? = nil) {
    self.known = known
  }
}

/// What a fetcher reports about a cacheable answer; an answer without it is not cached.
public struct CacheNote: Hashable, Sendable {
  /// The response was no success, whatever the job made of it.
  public var isOfFailure: Bool
  public var validators: Validators?
  /// The server says that what is known is still so; the members tell only the way to it.
  public var isUnchanged: Bool

  public init(isOfFailure: Bool = false, validators: Validators? = nil, isUnchanged: Bool = false) {
    self.isOfFailure = isOfFailure
    self.validators = validators
    self.isUnchanged = isUnchanged
  }
}
