import FoundationEssentials

/// Sets and dictionaries whose order is the same in every process and every time; with another order a seed does
/// something else. The runtime takes the switch from the environment, at its start only.
enum RepeatableHashing {
  static var isOn: Bool { ProcessInfo.processInfo.environment["SWIFT_DETERMINISTIC_HASHING"] == "1" }
}
