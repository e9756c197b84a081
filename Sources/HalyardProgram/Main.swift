import HalyardCLI
import Posix

@main
enum Main {
  static func main() async {
    exitProcess(await Program.run(Array(Program.commandLine.dropFirst())))
  }
}
