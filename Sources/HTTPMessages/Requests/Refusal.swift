/// Why a request is refused. Nothing after it can be trusted to be a request, so the connection ends.
public enum Refusal: String, Error, CaseIterable, Sendable {
  case malformedRequestLine = "malformed request line"
  case malformedTarget = "malformed request target"
  case otherHost = "the request target names another host than Host"
  case targetTooLong = "request target too long"
  case unknownVersion = "HTTP version not supported"
  case unknownMethod = "method not supported"
  case malformedLineEnd = "line not ended by CR LF"
  case malformedFieldName = "malformed field name"
  case malformedFieldValue = "control byte in a field"
  case foldedField = "folded field"
  case headTooLarge = "fields too large"
  case tooManyFields = "too many fields"
  case missingHost = "no Host"
  case repeatedHost = "more than one Host"
  case malformedHost = "malformed Host"
  case malformedLength = "malformed Content-Length"
  case repeatedLength = "more than one Content-Length"
  case unknownCoding = "transfer coding not supported"
  case repeatedCoding = "more than one Transfer-Encoding"
  case lengthAndCoding = "both Content-Length and Transfer-Encoding"
  case codingInOldVersion = "Transfer-Encoding in HTTP/1.0"
  case unknownExpectation = "expectation not supported"
  case malformedChunk = "malformed chunk"
  case extensionTooLong = "chunk extension too long"
  case bodyTooLarge = "body too large"

  /// The status of the response.
  public var status: Int {
    switch self {
    case .malformedRequestLine, .malformedTarget, .otherHost, .malformedLineEnd, .malformedFieldName,
      .malformedFieldValue, .foldedField, .missingHost, .repeatedHost, .malformedHost, .malformedLength,
      .repeatedLength, .repeatedCoding, .lengthAndCoding, .codingInOldVersion, .malformedChunk,
      .extensionTooLong:
      400
    case .bodyTooLarge: 413
    case .targetTooLong: 414
    case .unknownExpectation: 417
    case .headTooLarge, .tooManyFields: 431
    case .unknownMethod, .unknownCoding: 501
    case .unknownVersion: 505
    }
  }
}
