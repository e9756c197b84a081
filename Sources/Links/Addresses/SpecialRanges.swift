/// The IANA special-purpose registries, and where clouds keep their metadata.
enum SpecialRanges {
  struct Row: Sendable {
    let range: AddressRange
    /// Nil where the registry calls a part of a special range globally reachable.
    let use: SpecialUse?
  }

  /// What is narrower stands first.
  static let v4Texts: [(cidr: String, use: SpecialUse?)] = [
    ("0.0.0.0/32", .unspecified),
    ("0.0.0.0/8", .thisNetwork),
    ("10.0.0.0/8", .privateUse),
    ("100.100.100.200/32", .cloudMetadata),
    ("100.64.0.0/10", .carrierNAT),
    ("127.0.0.0/8", .loopback),
    ("168.63.129.16/32", .cloudMetadata),
    ("169.254.169.254/32", .cloudMetadata),
    ("169.254.170.2/32", .cloudMetadata),
    ("169.254.170.23/32", .cloudMetadata),
    ("169.254.0.0/16", .linkLocal),
    ("172.16.0.0/12", .privateUse),
    ("192.0.0.9/32", nil),
    ("192.0.0.10/32", nil),
    ("192.0.0.192/32", .cloudMetadata),
    ("192.0.0.0/24", .protocolAssignment),
    ("192.0.2.0/24", .documentation),
    ("192.88.99.0/24", .relay6to4),
    ("192.168.0.0/16", .privateUse),
    ("198.18.0.0/15", .benchmarking),
    ("198.51.100.0/24", .documentation),
    ("203.0.113.0/24", .documentation),
    ("224.0.0.0/4", .multicast),
    ("255.255.255.255/32", .broadcast),
    ("240.0.0.0/4", .reserved),
  ]

  /// What is narrower stands first.
  ///
  /// Outside 2000::/3 nothing is public, so there the names of ranges only give better reasons.
  static let v6Texts: [(cidr: String, use: SpecialUse?)] = [
    ("::/128", .unspecified),
    ("::1/128", .loopback),
    ("::/96", .compatibleV4),
    ("::ffff:0:0/96", .mappedV4),
    ("64:ff9b::/96", .nat64),
    ("64:ff9b:1::/48", .nat64),
    ("100::/64", .discardOnly),
    ("100:0:0:1::/64", .discardOnly),
    ("2001::/32", .teredo),
    ("2001:1::1/128", nil),
    ("2001:1::2/128", nil),
    ("2001:1::3/128", nil),
    ("2001:2::/48", .benchmarking),
    ("2001:3::/32", nil),
    ("2001:4:112::/48", nil),
    ("2001:10::/28", .orchid),
    ("2001:20::/28", nil),
    ("2001:30::/28", nil),
    ("2001::/23", .protocolAssignment),
    ("2001:db8::/32", .documentation),
    ("2002::/16", .tunnel6to4),
    ("3fff::/20", .documentation),
    ("5f00::/16", .segmentRouting),
    ("fd00:ec2::254/128", .cloudMetadata),
    ("fd00:ec2::23/128", .cloudMetadata),
    ("fd20:ce::254/128", .cloudMetadata),
    ("fe80::a9fe:a9fe/128", .cloudMetadata),
    ("fc00::/7", .uniqueLocal),
    ("fe80::/10", .linkLocal),
    ("fec0::/10", .siteLocal),
    ("ff00::/8", .multicast),
  ]

  private static let v4 = rows(v4Texts)
  private static let v6 = rows(v6Texts)
  private static let v4Leads = leads(v4)
  private static let v6Leads = leads(v6)
  private static let globalUnicastPrefix: UInt128 = 0b001

  /// Nil for a public address.
  static func use(of address: IPAddress) -> SpecialUse? {
    switch address.family {
    case .v4:
      guard v4Leads[Int(address.bits >> 24) & 255] else { return nil }
      return row(of: address, in: v4)?.use
    case .v6:
      let isGlobalUnicast = address.bits >> 125 == globalUnicastPrefix
      if isGlobalUnicast, !v6Leads[Int(address.bits >> 120) & 255] { return nil }
      if let row = row(of: address, in: v6) { return row.use }
      return isGlobalUnicast ? nil : .reserved
    }
  }

  private static func row(of address: IPAddress, in rows: [Row]) -> Row? {
    rows.first { $0.range.contains(address) }
  }

  private static func rows(_ texts: [(cidr: String, use: SpecialUse?)]) -> [Row] {
    texts.compactMap { text in
      (try? AddressRange(cidr: text.cidr)).map { Row(range: $0, use: text.use) }
    }
  }

  /// The values of the first byte that some range has: most public addresses differ already there.
  private static func leads(_ rows: [Row]) -> [Bool] {
    var leads = [Bool](repeating: false, count: 256)
    for row in rows {
      let shift = UInt128(row.range.network.family.width - 8)
      for lead in Int(row.range.first.bits >> shift)...Int(row.range.last.bits >> shift) {
        leads[lead] = true
      }
    }
    return leads
  }
}
