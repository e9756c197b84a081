enum RecipeOption {
  static let param = Option<[String]>(
    "--param NAME=VALUE", .input, .repeated, "Set a parameter of the recipe; may be given again")

  static let output = Option<String?>(
    "-o, --output FILE", .output, .file, "Write it to FILE, which stays as it was until all is there")

  static let deadline = Option<Int64?>(
    "--deadline TIME", .limits, .variable, .integer(LinkOption.deadlines, as: .time),
    "Time limit for the whole run, including all its calls")

  static let html = Option<String?>(
    "--html FILE", .output, .file,
    "Write a page of what was gathered into this file as well: sections as grids, with their pictures")

  static let row = Option<Bool>(
    "--row", .output, .flag, "Print the run's whole row, with how each step ended")

  static let check = Option<Bool>("--check", .general, .flag, "Check the recipe without calling a server")

  static let list = Option<Bool>("--list", .general, .flag, "List the recipes that are built in")

  static let show = Option<Bool>("--show", .general, .flag, "Print the recipe as it is written")
}
