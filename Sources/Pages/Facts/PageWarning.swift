/// What is odd about a page without being a failure.
public enum PageWarning: Hashable, Sendable {
  /// The system has no table of the page's charset: characters beyond ASCII became U+FFFD.
  case charsetUnavailable(Charset)
  /// Nothing says which charset it is, and it is not UTF-8.
  case charsetGuessed(Charset)

  /// One line for people, with what to do.
  public var message: String {
    switch self {
    case .charsetGuessed(let charset):
      """
      charset_guessed: neither the server nor the page says which charset it is in, and it is not UTF-8; it was read as \
      \(charset.rawValue)
      """
    case .charsetUnavailable(let charset):
      """
      charset_unavailable: the C library has no table for \(charset.rawValue), so the page's characters beyond ASCII are \
      lost; install its converters (libc6 on Debian, glibc-gconv-extra on Fedora)
      """
    }
  }
}
