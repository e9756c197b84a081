/// What headers say about a body, in an extension.
extension ResponseNote {
  func add(to frame: inout FrameWriter) {
    frame.add(.responseNote) {
      $0.optionalText(disposition)
      $0.optionalText(language)
      $0.integer(UInt8(length == nil ? 0 : 1))
      if let length { $0.integer(length) }
      $0.integer(UInt8(isChallenge ? 1 : 0))
      for link in links { $0.text(link) }
    }
  }

  init?(_ frame: FrameReader) throws(FrameError) {
    guard var found = frame.first(.responseNote) else { return nil }
    let disposition = try found.optionalText("disposition")
    let language = try found.optionalText("language")
    let length = try found.flag("length is known") ? try found.integer("length", as: UInt64.self) : nil
    let isChallenge = try found.flag("challenge")
    var links: [String] = []
    while !found.isAtEnd { links.append(try found.text("link")) }
    self.init(
      disposition: disposition, language: language, length: length, isChallenge: isChallenge, links: links)
  }
}
