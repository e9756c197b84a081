internal import Posix

/// Appends text with quotes, backslashes and control characters escaped; clean runs are copied whole.
func appendEscaped(_ text: String.UTF8View, to output: inout [UInt8]) {
  let source = text.span
  var copied = 0
  while true {
    let escaped = source.firstIndexOfEscaped(from: copied)
    output.append(copying: source.extracting(copied..<escaped))
    guard escaped < source.count else { return }
    appendEscape(source[escaped], to: &output)
    copied = escaped + 1
  }
}

private func appendEscape(_ byte: UInt8, to output: inout [UInt8]) {
  output.append(UInt8(ascii: "\\"))
  switch byte {
  case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(byte)
  case 0x08: output.append(UInt8(ascii: "b"))
  case 0x09: output.append(UInt8(ascii: "t"))
  case 0x0A: output.append(UInt8(ascii: "n"))
  case 0x0C: output.append(UInt8(ascii: "f"))
  case 0x0D: output.append(UInt8(ascii: "r"))
  default:
    output.append(contentsOf: "u00".utf8)
    for digit in [byte >> 4, byte & 15] {
      output.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }
}
