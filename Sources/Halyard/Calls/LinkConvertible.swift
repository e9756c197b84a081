public import FoundationEssentials

/// What a client takes as a link: a `String`, a `Substring`, a `URL`, or a type of yours.
public protocol LinkConvertible: Sendable {
  /// The link as text. What is wrong with it, the call fails with.
  var linkText: String { get }
}

extension String: LinkConvertible {
  /// The same text.
  public var linkText: String { self }
}

extension Substring: LinkConvertible {
  /// The same text.
  public var linkText: String { String(self) }
}

extension URL: LinkConvertible {
  /// The whole URL; one that is relative to another is resolved against it.
  public var linkText: String { absoluteString }
}
