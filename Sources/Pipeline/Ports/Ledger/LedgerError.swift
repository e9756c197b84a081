/// The ledger could not be read or written; nothing of what was asked has happened.
public struct LedgerError: Error, Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// Another process is using it.
    case locked
    /// There is no room to write.
    case full
    case readOnly
    case corrupt
    /// Its file was removed or replaced while it is in use.
    case removed
    /// A newer version of the program wrote it.
    case newerSchema
    /// The data is too large for any ledger.
    case tooLarge
    case other
  }

  public var kind: Kind
  /// One line: what, where, cause, and what to do next.
  public var message: String

  public init(_ message: String, kind: Kind = .other) {
    self.kind = kind
    self.message = message
  }

  /// Whether the same commit can succeed later without opening the ledger anew.
  public var mayPass: Bool {
    switch kind {
    case .locked, .full, .readOnly, .removed, .other: true
    case .corrupt, .newerSchema, .tooLarge: false
    }
  }
}
