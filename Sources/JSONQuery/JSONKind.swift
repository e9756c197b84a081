/// The six kinds of JSON values.
public enum JSONKind: UInt8, CaseIterable, Sendable {
  case object
  case array
  case string
  case number
  case bool
  case null
}
