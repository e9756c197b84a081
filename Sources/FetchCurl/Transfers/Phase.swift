internal import Pipeline

/// How far an exchange has come, each phase with a limit of its own.
enum Phase: Sendable {
  case nameLookup
  case connect
  case tls
  case firstByte
  case headers
  case body
  /// A page whose first bytes are welcome and not needed.
  case startOfPage
  /// Nothing more is wanted; a small rest is read so that the connection can be used again.
  case rest

  private var row: (stage: Stage, activity: String, isForGoodMeasure: Bool) {
    switch self {
    case .nameLookup: (.dns, "looking up the name", false)
    case .connect: (.connect, "connecting", false)
    case .tls: (.tls, "in the TLS handshake", false)
    case .firstByte: (.firstByte, "waiting for the first byte", false)
    case .headers: (.headers, "reading the headers", false)
    case .body: (.body, "reading the body", false)
    case .startOfPage, .rest: (.body, "reading the body", true)
    }
  }

  var stage: Stage { row.stage }

  /// What is being done, for `timed out after 10 s …`.
  var activity: String { row.activity }

  /// Whether the answer stands without what is yet to come.
  var isForGoodMeasure: Bool { row.isForGoodMeasure }

  /// Milliseconds; nil where only the deadline counts.
  func limit(in settings: CurlSettings) -> Int64? {
    switch self {
    case .nameLookup: settings.nameLookupLimit
    case .connect: settings.connectLimit
    case .tls: settings.tlsLimit
    case .firstByte, .startOfPage: settings.firstByteLimit
    case .headers, .body: nil
    case .rest: settings.restLimit
    }
  }
}

/// `150 ms`, `2.5 s`, `10 s`.
func shownDuration(milliseconds: Int64) -> String {
  guard milliseconds >= 1_000 else { return "\(max(milliseconds, 0)) ms" }
  let tenths = milliseconds / 100 % 10
  return tenths == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds / 1_000).\(tenths) s"
}
