/// Where the number that starts at `start` ends: no leading zero, digits on both sides of a point.
func endOfNumber(in source: Span<UInt8>, from start: Int) throws(JSONError) -> Int {
  var at = start
  if source[at] == UInt8(ascii: "-") { at += 1 }
  if at < source.count, source[at] == UInt8(ascii: "0") {
    at += 1
    if at < source.count, isDigit(source[at]) { throw JSONError(.malformedNumber, at: at) }
  } else {
    at = try endOfDigits(in: source, from: at)
  }
  if at < source.count, source[at] == UInt8(ascii: ".") {
    at = try endOfDigits(in: source, from: at + 1)
  }
  if at < source.count, source[at] | 0x20 == UInt8(ascii: "e") {
    at += 1
    if at < source.count, source[at] == UInt8(ascii: "+") || source[at] == UInt8(ascii: "-") { at += 1 }
    at = try endOfDigits(in: source, from: at)
  }
  return at
}

/// Where the run of digits that starts at `start` ends; there must be at least one.
private func endOfDigits(in source: Span<UInt8>, from start: Int) throws(JSONError) -> Int {
  guard start < source.count else { throw JSONError(.endsTooEarly, at: start) }
  guard isDigit(source[start]) else { throw JSONError(.malformedNumber, at: start) }
  var at = start + 1
  while at < source.count, isDigit(source[at]) { at += 1 }
  return at
}

func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") <= 9 }
