import JSONQuery
package import Links
package import Pipeline

/// What makes two jobs the same question, so that the answer to one is the answer to the other. Single flight and kept
/// answers both go by it.
package struct Question: Hashable, Sendable {
  private let kind: JobKind
  package let link: WebURL
  /// nil for a job that wishes nothing of the reading. ASCII only, because Swift takes texts for equal that have other
  /// bytes, and a selection goes by its bytes.
  private let reading: String?

  /// nil for a job that asks no link.
  ///
  /// - Parameter link: As it was read already; nil to read it now.
  package init?(_ job: Job, link: WebURL? = nil) {
    guard job.kind != .echo, let link = link ?? (try? Intake.link(of: job)) else { return nil }
    (kind, self.link) = (job.kind, link)
    reading = job.reading == Reading() ? nil : Self.text(of: job.reading)
  }

  /// The question as a key that holds beyond this process.
  ///
  /// - Parameter settings: Stands for all settings that change answers.
  package func key(settings: UInt64) -> String {
    "\(kind.name) \(settings)\(reading.map { " \($0)" } ?? "")\n\(link.href)"
  }

  /// Every wish by its name, on one line.
  private static func text(of reading: Reading) -> String {
    let line = JSONWriter.object { line in
      for (name, text) in [
        ("select", reading.select), ("call", reading.call), ("recipe", reading.recipe),
        ("language", reading.language),
      ] {
        line.member(name, text)
      }
      for (name, isSet) in [("unwrap", reading.unwraps), ("embed", reading.wantsEmbed)] where isSet {
        line.member(name, true)
      }
      for (name, texts) in [
        ("require", reading.require), ("parameters", reading.parameters), ("headers", reading.headers),
        ("accepts", reading.accepts.map(\.text)),
      ] {
        line.member(name, texts)
      }
    }
    return String(decoding: line.flatMap(Self.escaped), as: UTF8.self)
  }

  private static func escaped(_ byte: UInt8) -> [UInt8] {
    guard byte >= 0x80 || byte == UInt8(ascii: "%") else { return [byte] }
    return Array("%\(String(byte, radix: 16))".utf8)
  }
}
