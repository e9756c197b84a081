/// The text that a call writes into a buffer of its size, up to the first zero; nil when the call fails.
func writtenText(room: Int = 4_096, _ call: (UnsafeMutablePointer<CChar>, Int) -> Bool) -> String? {
  var buffer = [CChar](repeating: 0, count: room)
  guard unsafe call(&buffer, room) else { return nil }
  return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
