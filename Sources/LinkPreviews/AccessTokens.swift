/// Who may ask, and how much: one line for each, `NAME TOKEN [rate=N] [per-host=N]`.
package struct AccessTokens: Sendable {
  package struct Holder: Hashable, Sendable {
    package var name: String
    /// Requests a second; ten times as many may come at once.
    package var perSecond = 20.0
    /// Links of one host that are fetched a minute for it.
    package var perHostAndMinute = 60.0
    fileprivate var secret: [UInt8]
  }

  /// What is wrong with a line.
  package struct Fault: Error, Hashable, Sendable {
    package var line: Int
    package var cause: String
  }

  package let holders: [Holder]
  private static let shortest = 16

  package init(_ text: String) throws(Fault) {
    var holders: [Holder] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let words = line.split { $0 == " " || $0 == "\t" || $0 == "\r" }
      guard let name = words.first, !name.hasPrefix("#") else { continue }
      func fault(_ cause: String) -> Fault { Fault(line: index + 1, cause: cause) }
      guard words.count > 1, words[1].utf8.count >= Self.shortest else {
        throw fault("a name and a token of \(Self.shortest) characters or more are needed")
      }
      guard !holders.contains(where: { $0.name == name }) else {
        throw fault("'\(name)' has a token already")
      }
      var holder = Holder(name: String(name), secret: Array(words[1].utf8))
      for word in words.dropFirst(2) {
        let number = word.split(separator: "=").last.flatMap { Double($0) } ?? 0
        guard number > 0, number.isFinite else { throw fault("'\(word)' is not rate=N or per-host=N") }
        if word.hasPrefix("rate=") {
          holder.perSecond = number
        } else if word.hasPrefix("per-host=") {
          holder.perHostAndMinute = number
        } else {
          throw fault("'\(word)' is not rate=N or per-host=N")
        }
      }
      holders.append(holder)
    }
    self.holders = holders
  }

  /// Takes as long for a wrong token as for a right one.
  package func holder(of token: String) -> Holder? {
    let given = Array(token.utf8)
    var found: Holder?
    for holder in holders {
      var difference = UInt(bitPattern: given.count ^ holder.secret.count)
      for (index, byte) in holder.secret.enumerated() {
        difference |= UInt(byte ^ (index < given.count ? given[index] : 0))
      }
      if difference == 0 { found = holder }
    }
    return found
  }
}
