import Posix
import ZeroMQ

/// The keys of a member of a fleet, as a file of four named lines.
struct KeyFile: Hashable {
  /// All inboxes of the fleet prove with it that they belong to it.
  var fleet: CurveKeyPair
  /// Proves who is sending.
  var member: CurveKeyPair

  private static let names = ["fleet_public", "fleet_secret", "member_public", "member_secret"]

  var text: String {
    let keys = [fleet.publicKey, fleet.secretKey, member.publicKey, member.secretKey]
    return zip(Self.names, keys).map { "\($0) \($1.z85)\n" }.joined()
  }

  /// - Parameter text: Lines of a name and a key; empty ones and those that begin with # say nothing.
  init?(_ text: String) {
    var keys: [String: CurveKey] = [:]
    for line in ListFile.lines(of: text) {
      let words = line.split(separator: " ", maxSplits: 1)
      guard words.count == 2, let key = CurveKey(z85: String(words[1])) else { return nil }
      keys[String(words[0])] = key
    }
    let found = Self.names.compactMap { keys[$0] }
    guard found.count == Self.names.count, keys.count == found.count else { return nil }
    fleet = CurveKeyPair(publicKey: found[0], secretKey: found[1])
    member = CurveKeyPair(publicKey: found[2], secretKey: found[3])
  }

  init(fleet: CurveKeyPair, member: CurveKeyPair) {
    self.fleet = fleet
    self.member = member
  }

  static func read(_ path: String) throws(InputError) -> KeyFile {
    guard let keys = KeyFile(try ListFile.content(of: path, SafeFile.readingSecret)) else {
      throw InputError(path, "this is not a key file; make one with 'halyard keys -o FILE'")
    }
    return keys
  }

  /// Public keys, one a line.
  static func readAllowed(_ path: String) throws(InputError) -> Set<CurveKey> {
    var keys: Set<CurveKey> = []
    for line in try ListFile.lines(path) {
      guard let key = CurveKey(z85: String(line)) else {
        throw InputError(
          path, "'\(Printable.text(String(line)))' is not a public key as 'halyard keys' prints it")
      }
      keys.insert(key)
    }
    return keys
  }
}
