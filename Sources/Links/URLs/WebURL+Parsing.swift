extension WebURL {
  /// The longest URL in bytes, as given and as serialised.
  public static let maximumLength = 64 * 1024

  /// Parses an absolute URL.
  public init(_ text: String) throws(LinkError) {
    self = try URLParser.parse(text.utf8Span.span, base: nil)
  }

  /// Parses the value of a Location header or an `href`, absolute or relative to `base`.
  public init(_ reference: String, relativeTo base: WebURL) throws(LinkError) {
    self = try URLParser.parse(reference.utf8Span.span, base: base)
  }

  /// Parses header bytes, which need not be UTF-8: outside the host, bytes from 0x80 up are
  /// percent-encoded as they are.
  public init(bytes: [UInt8], relativeTo base: WebURL? = nil) throws(LinkError) {
    self = try URLParser.parse(bytes.span, base: base)
  }
}
