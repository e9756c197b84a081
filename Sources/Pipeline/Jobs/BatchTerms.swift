/// How a batch shares its fleet with other batches. What is nil was not asked for.
public struct BatchTerms: Archived, Codable, Hashable, Sendable {
  /// What the user calls the batch.
  public var name: String? {
    didSet { name = name?.shortened(toBytes: Self.longestName) }
  }
  /// Its part of what can start, beside the weights of the others; see `share`.
  public var weight: UInt32?
  /// How many of its jobs workers may be on; 0 for no limit.
  public var atMost: UInt32?
  /// How many of its jobs may start in an hour, one after another; 0 for no limit.
  public var perHour: UInt32?
  /// None of its jobs starts before.
  public var startsAt: Moment?
  /// Its jobs have to be over by then; each has that in its own deadline.
  public var deadline: Moment?

  /// Bytes of a name; a longer one loses its middle.
  public static let longestName = 200
  public static let lowWeight: UInt32 = 1
  public static let normalWeight: UInt32 = 10
  public static let highWeight: UInt32 = 100
  public static let mostWeight: UInt32 = 1_000

  public init(name: String? = nil) {
    self.name = name?.shortened(toBytes: Self.longestName)
  }

  /// The weight that counts, from 1 to `mostWeight`.
  public var share: UInt32 { min(max(weight ?? Self.normalWeight, 1), Self.mostWeight) }

  /// Jobs go out as if there were no terms.
  public var areUsual: Bool { share == Self.normalWeight && !isLimited && startsAt == nil }

  /// Jobs that could run may have to wait for others of their batch.
  public var isLimited: Bool { atMost ?? 0 > 0 || perHour ?? 0 > 0 }

  /// Takes over what the others ask for.
  ///
  /// - Returns: Whether that changes anything.
  @discardableResult
  public mutating func take(_ others: BatchTerms) -> Bool {
    let before = self
    name = others.name ?? name
    weight = others.weight ?? weight
    atMost = others.atMost ?? atMost
    perHour = others.perHour ?? perHour
    startsAt = others.startsAt ?? startsAt
    deadline = others.deadline ?? deadline
    return self != before
  }

  init() {}

  mutating func code(_ coder: inout some Coder) {
    coder.field(1, &name)
    coder.field(2, &weight)
    coder.field(3, &atMost)
    coder.field(4, &perHour)
    coder.field(5, &startsAt)
    coder.field(6, &deadline)
  }
}

extension BatchTerms {
  private static let hourParts: [(unit: String, perHour: UInt32)] = [("s", 3_600), ("m", 60), ("h", 1)]

  /// Jobs in a second, a minute or an hour, such as `5/s`; nil without a limit.
  public var rate: String? {
    guard let perHour, perHour > 0 else { return nil }
    return Self.hourParts.first { perHour.isMultiple(of: $0.perHour) }.map {
      "\(perHour / $0.perHour)/\($0.unit)"
    }
  }

  /// Jobs in an hour in a rate such as `5/s`, where `0` is no limit; nil when it is none, or too high.
  public static func perHour(_ rate: String) -> UInt32? {
    if rate == "0" { return 0 }
    let parts = rate.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let unit = hourParts.first(where: { $0.unit == parts[1] }),
      let count = UInt32(parts[0]), count > 0
    else { return nil }
    let (product, overflow) = count.multipliedReportingOverflow(by: unit.perHour)
    return overflow ? nil : product
  }
}

/// What is paused: none of its jobs starts, and those that workers are on come to their end.
public enum PauseScope: Codable, Hashable, Sendable {
  case all
  /// A host as it stands in a URL, with its port unless that is the usual one.
  case host(String)
  case batch(BatchID)

  public var host: String? { if case .host(let host) = self { host } else { nil } }
  public var batch: BatchID? { if case .batch(let batch) = self { batch } else { nil } }

  /// Its host can be one.
  var isSound: Bool {
    guard case .host(let host) = self else { return true }
    return !host.isEmpty && host.utf8.count <= HostSlotRequest.longestHost
  }
}

/// Who paused something, when, for how long, and why.
public struct Pause: Codable, Hashable, Sendable {
  public var by: String
  public var reason: String?
  public var at: Moment
  /// nil for a pause that lasts until it is resumed.
  public var lastsMilliseconds: Int64?

  /// Bytes of a reason or an author; a longer one loses its middle.
  public static let longestText = 200

  public init(
    by author: String, reason: String? = nil, at moment: Moment = Moment(unixMilliseconds: 0),
    lastsMilliseconds: Int64? = nil
  ) {
    by = author.shortened(toBytes: Self.longestText)
    self.reason = reason?.shortened(toBytes: Self.longestText)
    (at, self.lastsMilliseconds) = (moment, lastsMilliseconds.flatMap { $0 > 0 ? $0 : nil })
  }

  /// It lasts for some time.
  var isSound: Bool { lastsMilliseconds.map { $0 > 0 } ?? true }

  public var until: Moment? { lastsMilliseconds.map { at.advanced(byMilliseconds: $0) } }
}

extension Pause? {
  /// What is to end by a moment stays when it ends later.
  ///
  /// - Returns: Stale when it was paused before, or is to end and does not; another pause takes the place of an earlier one.
  public mutating func become(_ pause: Pause?, dueBy moment: Moment? = nil) -> BatchAnswer {
    let known = self
    if pause == nil, let moment, known?.until.map({ $0 > moment }) ?? true { return .stale }
    self = pause
    return (known == nil) == (pause != nil) ? .applied : .stale
  }
}

/// A pause, and what it is of.
public struct KnownPause: Codable, Hashable, Sendable {
  public var scope: PauseScope
  public var pause: Pause

  public init(_ scope: PauseScope, _ pause: Pause) {
    (self.scope, self.pause) = (scope, pause)
  }
}
