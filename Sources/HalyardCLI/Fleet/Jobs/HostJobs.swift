import JSONQuery
import Links
import Pipeline
import Recipes
import Roles

/// Tells users who name a host that no job has.
enum HostJobs {
  /// A page takes a moment of the aggregator; a host whose jobs are not among so many is not called unknown.
  private static let mostPages = 5

  /// What to say about a host; nil when the fleet has jobs of it, or too many jobs to be sure.
  static func notice(about host: String, asking client: FleetClient) async throws -> String? {
    var search = JobSearch()
    search.host = host
    var pages = JobPages(search, limit: 1)
    for _ in 0..<mostPages {
      guard let found = try await pages.next(from: client) else {
        return words(host, known: try await newest(client))
      }
      guard found.isEmpty else { return nil }
    }
    return nil
  }

  /// The hosts of the newest jobs.
  private static func newest(_ client: FleetClient) async throws -> [String] {
    var pages = JobPages(JobSearch(), limit: JobSearch.mostFound)
    var hosts: [String] = []
    for line in try await pages.next(from: client) ?? [] {
      guard let host = try JSONDocument(parsing: line).root["host"]?.string, !hosts.contains(host) else {
        continue
      }
      hosts.append(host)
    }
    return hosts
  }

  /// - Parameter known: Hosts that jobs have.
  static func words(_ host: String, known: [String]) -> String {
    let twins = known.filter { name(of: $0) == name(of: host) }
    let near = twins.isEmpty ? Suggestion.nearest(3, to: host, among: known) : twins
    let others = near.isEmpty ? "" : "; it has jobs of \(near.joined(separator: ", "))"
    return "halyard: the fleet has no job of host \(Printable.text(host + others))\n"
  }

  /// The host without its port.
  private static func name(of host: String) -> Substring {
    guard let colon = host.lastIndex(of: ":"), host[host.index(after: colon)...].allSatisfy(\.isNumber) else {
      return host[...]
    }
    return host[..<colon]
  }
}

/// A host as a user writes it.
enum HostText {
  /// As jobs wait for it; nil when none is given.
  static func key(
    _ option: TypedOption<String?>, _ arguments: ParsedArguments
  ) throws(UsageError) -> String? {
    guard let text = arguments[option] else { return nil }
    guard let key = try? WebURL.userInput(text).hostKey, key.utf8.count <= HostSlotRequest.longestHost else {
      throw arguments.rejection(of: option, "'\(text)' is not a host")
    }
    return key
  }
}
