/// What the first bytes of a file that is no text say about its media type, by the MIME Sniffing standard.
public enum FileSignature {
  public static func type(of start: Span<UInt8>) -> String? {
    for (pattern, type) in patterns where matches(start, pattern) { return type }
    if isMP4(start) { return "video/mp4" }
    let isMatroska = matches(start, [0x1A, 0x45, 0xDF, 0xA3])
    return isMatroska && (4..<42).contains { matches(start, text("webm"), at: $0) } ? "video/webm" : nil
  }

  private static func matches(_ start: Span<UInt8>, _ pattern: [UInt8?], at offset: Int = 0) -> Bool {
    guard start.count - offset >= pattern.count else { return false }
    for index in pattern.indices {
      if let byte = pattern[index], byte != start[offset + index] { return false }
    }
    return true
  }

  /// A box of type `ftyp` that names a brand of MP4.
  private static func isMP4(_ start: Span<UInt8>) -> Bool {
    guard start.count >= 12, matches(start, text("ftyp"), at: 4) else { return false }
    let length = Int(start[0]) << 24 | Int(start[1]) << 16 | Int(start[2]) << 8 | Int(start[3])
    guard length % 4 == 0 else { return false }
    for brand in stride(from: 8, to: min(length, start.count - 2), by: 4)
    where brand != 12 && matches(start, text("mp4"), at: brand) { return true }
    return false
  }

  private static func text(_ text: String) -> [UInt8?] {
    text.utf8.map { $0 == UInt8(ascii: "?") ? nil : $0 }
  }

  /// Nil stands for any byte, and so does a question mark.
  private static let patterns: [([UInt8?], String)] = [
    (text("%PDF-"), "application/pdf"),
    (text("%!PS-Adobe-"), "application/postscript"),
    ([0, 0, 1, 0], "image/x-icon"),
    ([0, 0, 2, 0], "image/x-icon"),
    (text("BM"), "image/bmp"),
    (text("GIF87a"), "image/gif"),
    (text("GIF89a"), "image/gif"),
    (text("RIFF????WEBPVP"), "image/webp"),
    ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"),
    ([0xFF, 0xD8, 0xFF], "image/jpeg"),
    (text("FORM????AIFF"), "audio/aiff"),
    (text("ID3"), "audio/mpeg"),
    (text("OggS\0"), "application/ogg"),
    (text("MThd\0\0\0\u{6}"), "audio/midi"),
    (text("RIFF????AVI "), "video/avi"),
    (text("RIFF????WAVE"), "audio/wave"),
    ([0x1F, 0x8B, 0x08], "application/x-gzip"),
    (text("PK\u{3}\u{4}"), "application/zip"),
    (text("Rar!\u{1A}\u{7}\0"), "application/x-rar-compressed"),
    (text("wOFF"), "font/woff"),
    (text("wOF2"), "font/woff2"),
    (text("OTTO"), "font/otf"),
    (text("ttcf"), "font/collection"),
    ([0, 1, 0, 0], "font/ttf"),
  ]
}
