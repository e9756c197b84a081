import FuzzDriver
import Posix

@main
struct Main {
  static func main() {
    let prefix = "--target="
    let names = CommandLine.arguments.filter { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.count) }
    guard let name = names.last, let target = FuzzTarget(rawValue: String(name)) else {
      fatalError("usage: fuzz \(prefix)\(FuzzTarget.allCases.map(\.rawValue).joined(separator: "|"))")
    }
    let status = FuzzDriver.run(target.check)
    guard status == 0 else { fatalError("libFuzzer ended with status \(status)") }
  }
}
