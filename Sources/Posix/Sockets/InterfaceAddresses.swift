internal import CPosix

/// The addresses that this machine's network interfaces have now, as text; nil when the system does not tell.
public func interfaceAddresses() -> [String]? {
  var first: UnsafeMutablePointer<ifaddrs>?
  guard unsafe getifaddrs(&first) == 0 else { return nil }
  defer { unsafe freeifaddrs(first) }
  var texts: [String] = []
  var next = unsafe first
  while let interface = unsafe next {
    if let address = unsafe interface.pointee.ifa_addr, let text = unsafe text(of: address) {
      texts.append(text)
    }
    unsafe next = interface.pointee.ifa_next
  }
  return texts
}

/// Without the zone of a link-local address; nil for what is no IP address.
private func text(of address: UnsafePointer<sockaddr>) -> String? {
  let length: Int
  switch unsafe CInt(address.pointee.sa_family) {
  case AF_INET: length = MemoryLayout<sockaddr_in>.size
  case AF_INET6: length = MemoryLayout<sockaddr_in6>.size
  default: return nil
  }
  let text = unsafe writtenText(room: 128) { buffer, room in
    unsafe getnameinfo(address, socklen_t(length), buffer, socklen_t(room), nil, 0, NI_NUMERICHOST) == 0
  }
  return text.map { String($0.prefix { $0 != "%" }) }
}

/// The number that an address is, four plain decimal parts or IPv6 without brackets and zone; nil for any other text.
public func addressNumber(of text: Span<UInt8>) -> (number: UInt128, isV4: Bool)? {
  var letters = InlineArray<46, CChar>(repeating: 0)
  guard text.count < letters.count else { return nil }
  for index in text.indices {
    // For C the text would end here.
    guard text[index] != 0 else { return nil }
    letters[index] = CChar(bitPattern: text[index])
  }
  return unsafe letters.span.withUnsafeBufferPointer { letters in
    guard let start = letters.baseAddress else { return nil }
    var v4 = in_addr()
    if unsafe inet_pton(AF_INET, start, &v4) == 1 { return (UInt128(UInt32(bigEndian: v4.s_addr)), true) }
    var v6: UInt128 = 0
    return unsafe inet_pton(AF_INET6, start, &v6) == 1 ? (UInt128(bigEndian: v6), false) : nil
  }
}
