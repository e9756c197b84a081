import Assembly
import Links
import Pipeline
import Posix
import TransportZeroMQ
import ZeroMQ

extension ZeroMQSettings {
  /// How a process's lanes are secured, decided before any socket exists.
  init(_ arguments: ParsedArguments) throws {
    self.init(allowsInsecure: arguments[FleetOption.insecure])
    let role = KeyRole(of: arguments.command)
    advertisedHost = hostName
    guard let path = arguments[FleetOption.key] else {
      for option in [FleetOption.allowKeys, FleetOption.alsoKey] {
        try arguments.require(!arguments.isSet(option), of: option, "only with --key")
      }
      return
    }
    // The other files are there only while a fleet changes its keys.
    func files(of role: KeyRole) throws -> [KeyFile] {
      let other = arguments[FleetOption.alsoKey].flatMap {
        fileExists(KeyFile.path(of: role, at: $0)) ? $0 : nil
      }
      return try [path, other].compactMap(\.self).map { try KeyFile.read($0, for: role) }
    }
    // The workers of `up` read their own.
    if arguments.command == CommandTable.up { for role in KeyRole.allCases { _ = try files(of: role) } }
    let files = try files(of: role)
    let aggregators = files.flatMap { $0.members.keys(of: .aggregator) }
    var allowed = MemberKeys()
    for key in aggregators { allowed.add(key, as: .aggregator) }
    let lists = try arguments[FleetOption.allowKeys].map { [try MemberKeys.read($0)] } ?? files.map(\.members)
    curve = CurveSettings(
      own: files[0].own, aggregators: aggregators,
      allowed: lists.reduce(allowed.rights) { $0.merging($1.rights) { $0.union($1) } })
  }
}

/// What the owner of a key does in its fleet, in the words of key files.
enum KeyRole: String, CaseIterable, Sendable {
  case aggregator, fetcher, decoder, client

  var rights: LaneRights {
    switch self {
    case .aggregator: .aggregator
    case .fetcher: .fetcher
    case .decoder: .decoder
    case .client: .client
    }
  }

  /// Those of which a fleet has any number.
  static let members: [KeyRole] = [.fetcher, .decoder, .client]

  /// The role of those who run a command.
  init(of command: CommandSpec) {
    self = KeyRole(rawValue: command.name) ?? .client
  }
}

/// Public keys of a fleet, with what their owners may do: lines of a role and a key. A key may stand in several lines.
struct MemberKeys: Hashable {
  private(set) var rights: [CurveKey: LaneRights] = [:]

  func keys(of role: KeyRole) -> [CurveKey] {
    rights.keys.filter { self.rights[$0]?.contains(role.rights) == true }.sorted { $0.z85 < $1.z85 }
  }

  mutating func add(_ key: CurveKey, as role: KeyRole) {
    rights[key, default: []].insert(role.rights)
  }

  /// - Returns: False when that is no line of a role and a key.
  mutating func add(line: some StringProtocol) -> Bool {
    let words = line.split(separator: " ")
    guard words.count == 2, let role = KeyRole(rawValue: String(words[0])),
      let key = CurveKey(z85: String(words[1]))
    else { return false }
    add(key, as: role)
    return true
  }

  func text(of roles: [KeyRole] = KeyRole.allCases) -> String {
    roles.flatMap { role in keys(of: role).map { "\(role.rawValue) \($0.z85)\n" } }.joined()
  }

  /// The file of `--allow-keys`.
  static func read(_ path: String) throws(InputError) -> MemberKeys {
    var keys = MemberKeys()
    for line in try ListFile.lines(path) where !keys.add(line: line) {
      throw InputError(
        path,
        "'\(Printable.text(String(line)))' is not a role (fetcher, decoder, client) and a public key, as 'halyard keys'"
          + " prints them")
    }
    return keys
  }
}

/// The key pair of one member of a fleet, and the public keys of all.
struct KeyFile: Hashable {
  var own: CurveKeyPair
  var members: MemberKeys

  /// What its lines begin with that hold its own pair.
  private static let (publicName, secretName) = ("public", "secret")

  var text: String {
    members.text() + "\(Self.publicName) \(own.publicKey.z85)\n\(Self.secretName) \(own.secretKey.z85)\n"
  }

  /// - Parameter path: The file, or a directory with one for each role.
  static func read(_ path: String, for role: KeyRole) throws(InputError) -> KeyFile {
    let path = self.path(of: role, at: path)
    guard let keys = KeyFile(try ListFile.content(of: path, SafeFile.readingSecret)) else {
      throw InputError(path, "this is not a key file; make some with 'halyard keys -o DIRECTORY'")
    }
    guard keys.members.rights[keys.own.publicKey]?.contains(role.rights) == true else {
      throw InputError(
        path,
        "this is not the key of \(role == .aggregator ? "an" : "a") \(role.rawValue); name the directory that"
          + " 'halyard keys' made, or the right file in it")
    }
    return keys
  }

  static func path(of role: KeyRole, at path: String) -> String {
    isDirectory(path) ? file(of: role, in: path) : path
  }

  static func file(of role: KeyRole, in directory: String) -> String { "\(directory)/\(role.rawValue).key" }
}

extension KeyFile {
  /// - Parameter text: Lines of a name and a key; empty ones and those that begin with # say nothing.
  init?(_ text: String) {
    var members = MemberKeys()
    var pair: [String: CurveKey] = [:]
    for line in ListFile.lines(of: text) where !members.add(line: line) {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      guard words.count == 2, [Self.publicName, Self.secretName].contains(words[0]) else { return nil }
      pair[words[0]] = CurveKey(z85: words[1])
    }
    guard let publicKey = pair[Self.publicName], let secretKey = pair[Self.secretName],
      members.keys(of: .aggregator).count == 1
    else { return nil }
    self.init(own: CurveKeyPair(publicKey: publicKey, secretKey: secretKey), members: members)
  }
}

extension FleetPlace {
  /// An address or a directory, but no text that was meant for an address and is none.
  static func read(_ text: String) throws(ValueProblem) -> FleetPlace {
    guard !text.hasPrefix("tcp://"), !text.hasPrefix("ipc://") else { return FleetPlace(text) }
    let scheme = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
    let isScheme = !scheme.isEmpty && text.dropFirst(scheme.count).hasPrefix(":/") || text.hasPrefix("tcp:")
    let port = text.split(separator: ":", omittingEmptySubsequences: false).dropFirst().last ?? ""
    let isHostAndPort = !text.contains("/") && !port.isEmpty && port.allSatisfy(\.isNumber)
    guard isScheme || isHostAndPort else { return FleetPlace(text) }
    let shown = Printable.text(text)
    throw ValueProblem(
      words: "'\(shown)' is neither tcp://HOST:PORT nor ipc://PATH; for a directory write ./\(shown)")
  }
}

extension ParsedArguments {
  /// The fleet that an option names, else that of the default directory.
  var fleetPlace: FleetPlace {
    self[FleetOption.fleet] ?? FleetPlace(runDirectory: FleetPlace.defaultDirectory(environment))
  }

  /// The run directory that an option names, else the default one.
  var runDirectory: String {
    let directory = self[FleetOption.runDirectory] ?? FleetPlace.defaultDirectory(environment)
    return FleetPlace(runDirectory: directory).directory ?? "/"
  }

  func fleet() throws -> FleetLinkPlan { try FleetLinkPlan(self) }

  /// The fleet that does the work, with options of its own; nil when this process does it.
  func chosenFleet() throws -> FleetLinkPlan? {
    guard isSet(FleetOption.chosenFleet) else { return nil }
    let fleet = try fleet()
    try refuseFleetsOwn()
    return fleet
  }

  /// The host that an option names, as jobs wait for it; nil when none is given.
  func hostKey(_ option: Option<String?>) throws(UsageError) -> String? {
    guard let text = self[option] else { return nil }
    guard let key = try? WebURL.userInput(text).hostKey, key.utf8.count <= HostSlotRequest.longestHost else {
      throw rejection(of: option, "'\(text)' is not a host")
    }
    return key
  }
}
