/// Drops user names and passwords from a link that is shown, also from links inside it, percent-encoded or not.
///
/// An authority starts behind two slashes, and behind `http:` and `https:` whatever follows. What stands in it before its
/// last `@` goes. One pass, so that a hostile link costs no more than its length.
struct UserinfoFilter {
  private var shown: [UInt8] = []
  /// Where in `shown` the authority began that is being read.
  private var authority: Int?
  private var slashes = 0
  private var isBehindWebScheme = false

  static func shown(_ link: [UInt8]) -> [UInt8] {
    var filter = UserinfoFilter()
    var index = 0
    while index < link.count {
      let length = link.span.encodedByte(at: index) == nil ? 1 : 3
      filter.take(link[index..<(index + length)])
      index += length
    }
    return filter.shown
  }

  /// Takes a byte, or one that is percent-encoded.
  private mutating func take(_ letters: ArraySlice<UInt8>) {
    switch letters.span.encodedByte(at: 0) ?? letters[letters.startIndex] {
    case .slash, .backslash:
      shown += letters
      slashes += 1
      authority = slashes >= 2 || isBehindWebScheme ? shown.count : nil
      return
    case .colon:
      isBehindWebScheme = endsInWebScheme
      shown += letters
      if isBehindWebScheme { authority = authority ?? shown.count }
    case .question, .hash:
      shown += letters
      authority = nil
      isBehindWebScheme = false
    case .at:
      if let authority { shown.removeLast(shown.count - authority) } else { shown += letters }
      isBehindWebScheme = false
    default:
      shown += letters
      isBehindWebScheme = false
    }
    slashes = 0
  }

  /// Whether `http` or `https` stands at the end as a word of its own.
  private var endsInWebScheme: Bool {
    let word = shown.suffix(6).reversed().prefix { $0.isASCIILetter || $0.isASCIIDigit }
    return ["http", "https"].contains(String(decoding: word.reversed(), as: UTF8.self).lowercased())
  }
}
