/// A recipe that is part of the program and is run by its name.
package enum ShippedRecipe: String, CaseIterable, Sendable {
  case users
  case feeds

  package var file: [UInt8] {
    switch self {
    case .users: PackageResources.users_json
    case .feeds: PackageResources.feeds_json
    }
  }
}
