/// What halyard-recipes(5) says: the text of the documentation on recipes, which a test compares it with.
enum RecipeManual {
  static func write(to page: inout ManPage) {
    var markdown = ManMarkdown(text)
    markdown.write(to: &page)
  }

  static let text = #"""
    A recipe is one JSON file (RFC 8259, UTF-8). `halyard run --check FILE` tells everything that is wrong with it, each problem
    with its line and column. Two are built in, and `halyard run --show users` prints one to begin with:

    ```json
    {
      "parameters": {
        "base": {"type": "url"},
        "details": {"type": "boolean", "default": true}
      },
      "steps": {
        "list": {
          "call": "{+base}/api/users{?page}",
          "next": {"pages": "/total_pages"},
          "select": "/data"
        },
        "users": {
          "when": "$details",
          "each": "$list",
          "call": "{+base}/api/users/{input.id}",
          "select": "/data"
        }
      },
      "output": {"users": "$users"}
    }
    ```

    | Member | What it is |
    |---|---|
    | `about` | what the recipe is for |
    | `parameters` | the values given to the recipe, by name |
    | `sections` | an array of objects for which a step may run one by one; each has an `id` of its own, and what else it likes |
    | `steps` | the calls, by name; at least one |
    | `output` | what the recipe yields; needed |

    Unknown members are refused. Names of parameters and steps are letters, digits and `_`, are all different, and are none of
    `sections`, `item`, `input`, `value` and `page`.

    ### Parameters

    | Member | What it is |
    |---|---|
    | `type` | `string`, `integer`, `boolean` or `url`; needed |
    | `default` | the value when none is given; without it one must be given |
    | `about` | what it is for |

    On the command line a boolean is `yes` or `no`. A `url` is an http or https address without a name and password; a slash at its
    end is dropped, so that `{+base}/api` has one slash, however `base` was given.

    ### Steps

    | Member | What it is |
    |---|---|
    | `call` | the address to call, a template; needed |
    | `each` | run for each value of an array, `"$list"`, `"$list/data"` or `"$sections"`; else the step runs once |
    | `after` | a step or an array of steps that must end well first |
    | `input` | what the call is made with |
    | `when` | a boolean parameter, `"$details"`: when it is false, nothing is called, and the step yields what it would have run for |
    | `require` | what the answer must hold, PATH:TYPE as for `halyard decode --require`; one or an array |
    | `select` | the part of the answer to take, a JSON Pointer (RFC 6901) or a JSONPath query (RFC 9535); else all of it |
    | `absolute` | where the chosen value has addresses that are to be made absolute, relative to the answer's own; one place or an array. What is not an HTTP address becomes null |
    | `next` | how an answer leads to the next one |
    | `output` | what the step yields; else what was taken |
    | `order` | with `each`: the order of the outputs, `source` (the default) or `completion` |
    | `policy` | with `each`: `all` (the default), `settled` or `first` |

    A step starts when `after` and all that it refers to have ended well. Steps that wait for each other in a circle are refused.
    When a step fails, those that wait for it are cancelled with it as the cause; the others go on.

    **Input.** What `input` says; else, with `each`, the value of the array; else the first output of those in `after`, in their
    order, with which the call can be written. When there is none, the step fails with `missing_input`.

    **Policy.** With `all` the first failure fails the step, and calls under way are forgotten. With `settled` every call ends,
    and those that failed are left out of the outputs. With `first` the output is that of the first call that ends well.

    **Pages.** `next` has one of three members, and `most`, the number of pages to read (100 unless it says otherwise):

    | Member | Where the next page is |
    |---|---|
    | `pointer` | at the address that stands there in the document; none, null or an empty one ends |
    | `link` | at the Link header of this relation (RFC 8288), such as `"next"` |
    | `pages` | there are as many as the number that stands there; `{page}` in `call` counts them from 1 |

    What is taken of each page must be an array; the step yields all of them as one. Where the number of
    pages is known after the first, the others are asked for side by side; else one after another, and a page that was read already
    ends the walk.

    ### Templates

    `call` is a template of RFC 6570, levels 1 to 3: `{name}` encodes all but letters, digits and `-._~`; `{+name}` keeps reserved
    characters, so an address begins with `{+base}`; `{?name,other}` and `{&name}` write query parameters, `{/name}` a part of a path.
    Names are parameters, `page`, `input`, and `input.id` for a member of the input. A value that is missing, null, an array or an
    object is `missing_input`. As the RFC has it, `{?input.id}` writes `?input.id=7`; for `?id=7` write `?id={input.id}`.
    What comes from an answer must not lead to another path: with `.` or `..` as a part of the path that a
    value made, `%2e` included, a call is refused as `invalid_input`, unless the value begins the address.

    ### References

    In `input` and `output` strings that start with `$` stand for values, wherever they are in objects and arrays; `$$` is a dollar
    sign. Behind the name may stand a pointer, `"$list/0/id"`, or a query, `"$list$[:4].id"`, which takes the first four.

    | Name | What it is | Where |
    |---|---|---|
    | a parameter, a step | its value, its output | everywhere |
    | `$sections` | all sections, as an array | everywhere |
    | `$item` | the value of `each` | `input` and `output` of a step with `each` |
    | `$input` | what the call was made with | `output` of a step |
    | `$value` | what was taken of the answer | `output` of a step |

    ### Running it

    `halyard run RECIPE --param NAME=VALUE` makes the calls and prints what `output` comes to, as one line of JSON. Of several values
    for one parameter the last counts. A name that is no built-in recipe is a path; `./users` is one too.

    - Every call is a job of its own, fetched and read as by `halyard decode`, with the retries, the manners and the limits of the
      command. With `--fleet` all of them are the fleet's, which has its own.
    - A step's calls are under way side by side, as many as `--concurrency` and `--per-host` allow. Outputs stand in the order of
      `each`, however the answers arrive, unless `order` is `completion`.
    - What a failure has for consequence is in the same transaction as the failure: calls that wait are not made, those under way
      are ended, wherever they are.
    - `--header` and `--cookie` go to the site that a step's `call` names, in the template itself or by a parameter. Where an answer
      names it, as in `{+input.url}`, they go to that of the first step whose `call` does; and to no other site, wherever an answer, a
      next page or a redirect leads. What `input` and `each` give counts as an answer's here, also where the recipe itself has it.
    - On a terminal a line shows the steps: `list ok  users 7/12  names …`. `--html FILE` writes a page beside the output: arrays of
      objects as grids of cards, with the names, pictures and links that are usual in such objects.
    - The exit status is 0 when the run ended well, 1 when it failed, 64 for a usage error, 65 for a faulty recipe or a file that
      cannot be written, both before any call is made, and 130 after Ctrl-C.

    Messages name each step that failed, what was left out, and what was not done because of it:

    ```console
    $ halyard run users --allow-address 127.0.0.1:8600 --param base=http://127.0.0.1:8600/nothing
    halyard: list: http_status: fetch http://127.0.0.1:8600/nothing/api/users?page=1: the server answered 404
    halyard: users: not done, because list failed
    ```

    ### The row

    A run is a job with one row, like any other; `--row` prints it, and so does `halyard results` of its batch.

    | Member | What it says |
    |---|---|
    | `kind`, `input` | `run`, and the recipe's name as it was given |
    | `status` | `ok`; `failed` when a step failed, although `value` may be there; `cancelled` |
    | `value` | what the recipe's `output` came to; not there when a step it needs did not end well |
    | `steps` | how each step ended, by its name |
    | `error` | the first failure: `kind`, `stage`, `message`, `retryable` |
    | `ms` | milliseconds that it took |

    Each of `steps` has a `status`, and what there is to say about it:

    | `status` | With it |
    |---|---|
    | `ok` | `left_out`: the calls that failed under `settled` or `first`, each with its `ordinal` in `each`, from 0, and its `error`; `notes`: pages that were not read, and why |
    | `skipped` | its `when` was false |
    | `failed` | `error`: `kind` and `message` |
    | `cancelled` | `because`: the step that it waited for and that failed |

    So this is what one has of which every other part went well:

    ```json
    {"kind":"run","input":"crew.json","status":"failed",
     "value":{"crew":["ada@example.org","bo@example.org"]},
     "steps":{
      "crew":{"status":"ok","left_out":[{"ordinal":1,"error":{"kind":"http_status",
       "message":"fetch http://127.0.0.1:8600/api/users/99: the server answered 404"}}]},
      "log":{"status":"failed","error":{"kind":"data_parsing_failed",
       "message":"decode http://127.0.0.1:8600/api/broken: expected ',' or ']' at byte 14"}},
      "pages":{"status":"cancelled","because":"log"}},
     "error":{"kind":"data_parsing_failed","stage":"json",
      "message":"decode http://127.0.0.1:8600/api/broken: expected ',' or ']' at byte 14","retryable":false},
     "attempts":1,"ms":40}
    ```

    A run that was cancelled, or whose time was over, has no `value` and says so in `error`. Its calls end as `cancelled` with the
    cause: the run's job, the kind and the message of what ended it. They stand in no list of batches, and their rows go with the run.

    ### Ending it, going on, and once more

    | What happens | What follows |
    |---|---|
    | Ctrl-C | The run is cancelled, here or in the fleet: no further call, and those under way are ended |
    | Ctrl-C with `--ledger` | Calls under way are finished, and the run stays open |
    | The process dies with `--ledger` | The run stays open |
    | The same command with the same `--ledger` | It goes on. What was answered is not asked for again; of a run that is over, also of one that failed, the same is printed with a word on standard error: another `--ledger` begins anew |
    | A worker of a fleet dies, or the aggregator | The fleet goes on by itself |
    | `halyard cancel BATCH` | The same as Ctrl-C, from elsewhere, with `--cause` in the row |
    | `--deadline TIME` is over | The run fails as `deadline`, and its calls end with it |
    | `halyard requeue BATCH` | A run that failed begins again and makes all its calls anew, also those that had been answered |

    With `--ledger` a run is known by the recipe's text, the parameters as they were given, in their order, and the options that change
    answers, such as `--header`; all others may differ the next time. `BATCH` of a run in a fleet is in its row, and in
    `halyard status --json` while it is under way, where `runs` has the steps.

    ### Limits

    | What | At most |
    |---|---|
    | A recipe | 1 MiB, 64 levels deep, 200 steps, 1,000 sections |
    | The calls of one step, pages counted | 100,000; more are the failure `body_too_large` |
    | The calls of a run, pages counted | 200,000; likewise |
    | The pages of one call | 100, or `most`, which may be 10,000; what stands behind them is left out, with a note |
    | An answer | `--max-body`, 8 MiB |
    | What a step or the run comes to | 64 MiB while it runs, the inputs that it puts together included; 256 MiB for all steps together; and 16 MiB as a row: gather less, or let a step `select` what is needed |
    """#
}
