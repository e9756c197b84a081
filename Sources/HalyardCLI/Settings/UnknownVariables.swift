import Recipes

/// Variables that look like options of this program and change nothing, as mistyped ones do.
enum UnknownVariables {
  /// What scripts, tests and Deploy/container use.
  private static let others = [
    "COMMIT", "CORPUS", "FUZZ", "HOSTILE", "LONG", "OWN_MOUNTS", "PROGRAM", "SEEDS", "VERSION",
    "WRITE_GOLDEN",
  ].map { OptionSpec.variablePrefix + $0 }

  /// A line for each of them. Kubernetes names the ports of services in variables of its own.
  static func warnings(_ environment: [String: String]) -> [String] {
    let options = CommandTable.commands.flatMap(\.options)
    let known = Set(options.compactMap(\.variable))
    let unknown = environment.keys.filter {
      $0.hasPrefix(OptionSpec.variablePrefix) && !known.contains($0) && !others.contains($0)
        && !$0.contains("_SERVICE_") && !$0.contains("_PORT")
    }
    return unknown.sorted().map { name in
      let meant = Suggestion.closest(to: name, among: known.sorted()).map { " — did you mean '\($0)'?" }
      let option = options.first { $0.variableName == name }.map { "; \($0.flag) has no variable" }
      return "halyard: warning: \(Printable.text(name)) is ignored\(option ?? meant ?? "")\n"
    }
  }
}
