extension Findings {
  /// Takes what an html, base, link or meta element says, unless an earlier one said it.
  mutating func read(
    _ name: TagName, with tokenizer: Tokenizer, in bytes: Span<UInt8>, limits: PageLimits
  ) {
    let element = ElementReading(tokenizer: tokenizer, limits: limits)
    switch name {
    case .html:
      language =
        language ?? element.text(.lang, in: bytes, limit: limits.shortTextBytes)
        ?? element.text(.xmlLang, in: bytes, limit: limits.shortTextBytes)
    case .base:
      base = base ?? element.address(.href, in: bytes)
    case .link:
      links.read(element, in: bytes)
    case .meta:
      readMeta(element, in: bytes)
    default:
      break
    }
  }

  private mutating func readMeta(_ element: ElementReading, in bytes: Span<UInt8>) {
    charset = charset ?? Charset.declared(by: element.tokenizer, in: bytes)
    for attribute in [AttributeName.property, .name, .httpEquiv] {
      guard let range = element.tokenizer.value(of: attribute) else { continue }
      let trimmed = bytes.trimmed(range)
      if attribute == .httpEquiv, trimmed.count == 7, bytes.has("refresh", at: trimmed.lowerBound) {
        refresh = refresh ?? element.text(.content, in: bytes, limit: element.limits.addressBytes)
      }
      guard let name = MetaName.table[bytes, trimmed] else { continue }
      if self[name] == nil { self[name] = element.value(of: name, in: bytes) }
    }
  }
}

extension LinkFindings {
  mutating func read(_ element: ElementReading, in bytes: Span<UInt8>) {
    guard let list = element.tokenizer.value(of: .rel),
      let relation = LinkRelation.first(in: bytes, list)
    else { return }
    switch relation {
    case .canonical:
      canonical = canonical ?? element.address(.href, in: bytes)
    case .imageSource:
      image = image ?? element.address(.href, in: bytes)
    case .touchIcon:
      touchIcon = touchIcon ?? element.address(.href, in: bytes)
    case .icon:
      let sizes = element.tokenizer.value(of: .sizes)
      let width = sizes.map { LinkRelation.width(in: bytes, $0) } ?? 0
      guard width > iconWidth, let address = element.address(.href, in: bytes) else { return }
      icon = address
      iconWidth = width
    case .alternate:
      guard feeds.count < element.limits.feeds, let type = element.tokenizer.value(of: .type),
        LinkRelation.isFeed(bytes, type), let address = element.address(.href, in: bytes)
      else { return }
      feeds.append(address)
    }
  }
}

/// Reads the attributes of the tag a tokenizer is behind.
struct ElementReading {
  let tokenizer: Tokenizer
  let limits: PageLimits

  func value(of name: MetaName, in bytes: Span<UInt8>) -> String? {
    switch name.kind {
    case .title: text(.content, in: bytes, limit: limits.titleBytes)
    case .description: text(.content, in: bytes, limit: limits.descriptionBytes)
    case .short: text(.content, in: bytes, limit: limits.shortTextBytes)
    case .address: address(.content, in: bytes)
    }
  }

  func text(_ name: AttributeName, in bytes: Span<UInt8>, limit: Int) -> String? {
    guard let range = tokenizer.value(of: name) else { return nil }
    if let text = bytes.plainText(in: range, limit: limit) { return text }
    var collector = TextCollector(limit: limit)
    collector.append(bytes, range, as: .attribute)
    return collector.text
  }

  /// An address as the page writes it; one that is too long is none, because half an address is wrong.
  func address(_ name: AttributeName, in bytes: Span<UInt8>) -> String? {
    guard let range = tokenizer.value(of: name).map({ bytes.trimmed($0) }),
      range.count <= limits.addressBytes
    else { return nil }
    if let text = bytes.plainText(in: range, limit: limits.addressBytes) { return text }
    var collector = TextCollector(limit: limits.addressBytes, collapsesSpace: false)
    collector.append(bytes, range, as: .attribute)
    return collector.text
  }
}
