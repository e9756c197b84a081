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
