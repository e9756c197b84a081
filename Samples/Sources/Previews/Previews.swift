import Halyard

/// Link previews for a chat, kept for ten minutes.
public struct Previews: Sendable {
  private let client: HalyardClient

  /// What the client of previews needs.
  public static var settings: ClientSettings {
    var settings = ClientSettings()
    settings.cache = ClientSettings.Cache(answers: .seconds(600))
    settings.deadline = .seconds(10)
    return settings
  }

  public init(_ client: HalyardClient) {
    self.client = client
  }

  /// One line about a link; the link itself when there is nothing to say about it.
  public func line(about link: some LinkConvertible) async -> String {
    switch await client.title(link).result() {
    case .success(let page): "\(page.title) (\(page.card.siteName ?? page.url))"
    case .failure: link.linkText
    }
  }
}
