/// Decodes `%41`; nil for a bad escape, a zero byte, or what is not UTF-8.
///
/// - Parameter plusIsSpace: As forms send it in a query.
public func percentDecoded(_ bytes: some Sequence<UInt8>, plusIsSpace: Bool = false) -> String? {
  var decoded: [UInt8] = []
  var iterator = bytes.makeIterator()
  while let byte = iterator.next() {
    switch byte {
    case UInt8(ascii: "%"):
      guard let high = iterator.next()?.hexDigit, let low = iterator.next()?.hexDigit, high | low != 0 else {
        return nil
      }
      decoded.append(UInt8(high << 4 | low))
    case UInt8(ascii: "+") where plusIsSpace: decoded.append(.space)
    case 0: return nil
    default: decoded.append(byte)
    }
  }
  return String(validating: decoded, as: UTF8.self)
}
