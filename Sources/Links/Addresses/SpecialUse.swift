/// Why an address is not on the public internet; the raw value is what people read.
enum SpecialUse: String, Hashable, Sendable {
  case thisNetwork = "this network"
  case unspecified
  case loopback
  case privateUse = "private"
  case carrierNAT = "carrier-grade NAT"
  case linkLocal = "link-local"
  case cloudMetadata = "cloud metadata"
  case protocolAssignment = "protocol assignment"
  case documentation
  case benchmarking
  case relay6to4 = "6to4 relay"
  case multicast
  case broadcast
  case reserved
  case mappedV4 = "IPv4-mapped"
  case compatibleV4 = "IPv4-compatible"
  case nat64 = "NAT64"
  case teredo = "Teredo"
  case tunnel6to4 = "6to4"
  case orchid = "ORCHID"
  case discardOnly = "discard-only"
  case segmentRouting = "segment routing"
  case uniqueLocal = "unique-local"
  case siteLocal = "site-local"
}
