/// What halyard-recipes(5) says: the text of the documentation on recipes, which a test compares it with.
enum RecipeManual {
  static func write(to page: inout ManPage) {
    var markdown = ManMarkdown(text)
    markdown.write(to: &page)
  }

  static let text = #"""
    A recipe is one JSON file (RFC 8259, UTF-8) that describes a chain of calls. `halyard run --check FILE` lists every mistake in it,
    with line and column. Two recipes are built in. `halyard run --show users` prints one of them, a good one to start from:

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

    | Member | Value |
    |---|---|
    | `about` | what the recipe is for |
    | `parameters` | the values that a user gives to the recipe, by name |
    | `sections` | an array of objects over which a step can run; each has an `id` of its own, and any other members |
    | `steps` | the calls, by name; required, at least one |
    | `output` | what the recipe yields; required |

    Unknown members are errors. Names of parameters and steps consist of letters, digits and `_`. They are all different, and none of
    them is `sections`, `item`, `input`, `value` or `page`.

    ### Parameters

    | Member | Value |
    |---|---|
    | `type` | `string`, `integer`, `boolean` or `url`; required |
    | `default` | the value if the user gives none; without a default, the user must give a value |
    | `about` | what it is for |

    On the command line, a boolean is `yes` or `no`. A `url` is an http or https address without a user name and password. A slash at
    its end is dropped, so that `{+base}/api` always has one slash.

    ### Steps

    | Member | Value |
    |---|---|
    | `call` | the address to call, a template; required |
    | `each` | an array to run over: `"$list"`, `"$list/data"` or `"$sections"`; without it, the step runs once |
    | `after` | a step or an array of steps that must succeed first |
    | `input` | the input of the call |
    | `when` | a boolean parameter, `"$details"`; if it is false, nothing is called, and the step yields its inputs |
    | `require` | one or several requirements for the answer, PATH:TYPE as for `halyard decode --require` |
    | `select` | the part of the answer to take, a JSON Pointer (RFC 6901) or a JSONPath query (RFC 9535); default: all of it |
    | `absolute` | one or several places in the selected value whose addresses are made absolute |
    | `next` | how an answer leads to the next page |
    | `output` | what the step yields; default: what was selected |
    | `order` | with `each`: the order of the outputs, `source` (the default) or `completion` |
    | `policy` | with `each`: `all` (the default), `settled` or `first` |

    A step starts when the steps in `after`, and all steps that it refers to, have succeeded. Steps that wait for each other in a
    circle are an error. When a step fails, the steps that wait for it are cancelled with that cause, and the others go on.

    **Input.** The input of a call is what `input` says. Without `input`, it is the value from `each`. Without `each`, it is the first
    output of the steps in `after`, in their order, that fills the template. If there is none, the step fails with `missing_input`.

    **Policy.** With `all`, the first failure fails the step, and the other calls are dropped. With `settled`, every call ends, and
    those that failed are left out of the outputs. With `first`, the output is that of the first call that succeeds.

    **Addresses.** `absolute` resolves addresses relative to the answer's own address. What is not an HTTP address becomes null.

    **Pages.** `next` has one of these three members, and `most`, the number of pages to read (default 100):

    | Member | Where the next page is |
    |---|---|
    | `pointer` | at the address in this place of the document; if it is missing, null or empty, there is no next page |
    | `link` | in the Link header with this relation (RFC 8288), such as `"next"` |
    | `pages` | this place of the document has the number of pages; `{page}` in `call` counts them from 1 |

    What is selected from each page must be an array. The step yields all of them as one array. If the first page gives the number of
    pages, the others are fetched at the same time; otherwise one after another, until an address comes a second time.

    ### Templates

    `call` is a template of RFC 6570, levels 1 to 3:

    | Expression | Writes |
    |---|---|
    | `{name}` | the value; everything but letters, digits and `-._~` is percent-encoded |
    | `{+name}` | the value with reserved characters unchanged; an address starts with `{+base}` |
    | `{?name,other}`, `{&name}` | query parameters |
    | `{/name}` | a path segment |

    A name is a parameter, `page`, `input`, or `input.id` for a member of the input. If a value is missing, null, an array or an
    object, the call fails with `missing_input`. As in the RFC, `{?input.id}` writes `?input.id=7`; for `?id=7`, write
    `?id={input.id}`.

    A value from an answer cannot lead to another path. If a value makes `.` or `..` a path segment, also as `%2e`, the call is
    refused with `invalid_input`, unless the value is the start of the address.

    ### References

    In `input` and `output`, strings that start with `$` stand for values, anywhere in objects and arrays; `$$` is a dollar sign. A
    pointer can follow the name, as in `"$list/0/id"`, or a query, as in `"$list$[:4].id"`, which takes the first four.

    | Name | Value | Allowed in |
    |---|---|---|
    | a parameter or a step | its value, or its output | everywhere |
    | `$sections` | all sections, as an array | everywhere |
    | `$item` | the value from `each` | `input` and `output` of a step with `each` |
    | `$input` | the input of the call | `output` of a step |
    | `$value` | what was selected from the answer | `output` of a step |

    ### Running it

    `halyard run RECIPE --param NAME=VALUE` makes the calls and prints the value of `output` as one line of JSON. If a parameter is
    given several times, the last value counts. A name that is not a built-in recipe is a path, and so is `./users`.

    - Every call is a job of its own. It is fetched and decoded as by `halyard decode`, with the retries, limits and politeness of the
      command. With `--fleet`, the fleet makes the calls under its own settings.
    - The calls of a step run at the same time, as many as `--concurrency` and `--per-host` allow. The outputs have the order of
      `each`, whatever the order of the answers, unless `order` is `completion`.
    - `--header` and `--cookie` go to the site that a step's `call` names, in the template itself or by a parameter. If an answer
      names the site, as in `{+input.url}`, they go to the site of the first step whose `call` names one. They go to no other site,
      wherever an answer, a next page or a redirect leads. Values from `input` and `each` count as answers here, even those written in
      the recipe.
    - On a terminal, a line shows the steps: `list ok  users 7/12  names …`.
    - `--html FILE` also writes a page. Arrays of objects become grids of cards, with the names, pictures and links that such objects
      usually have.
    - The exit code is 0 if the run succeeded, 1 if it failed, 64 for a usage error, and 130 after Ctrl-C. It is 65 for an invalid
      recipe or a file that cannot be written; both are found before the first call.

    Messages name each step that failed, what was left out, and what was not done because of it:

    ```console
    $ halyard run users --allow-address 127.0.0.1:8600 --param base=http://127.0.0.1:8600/nothing
    halyard: list: http_status: fetch http://127.0.0.1:8600/nothing/api/users?page=1: the server answered 404
    halyard: users: not done, because list failed
    ```

    ### The row

    A run is a job with one row, like any other job. `--row` prints it, and so does `halyard results` of its batch.

    | Member | Value |
    |---|---|
    | `kind`, `input` | `run`, and the name of the recipe as it was given |
    | `status` | `ok`, `cancelled`, or `failed` if a step failed, even if there is a `value` |
    | `value` | the recipe's `output`; absent if a step that it needs did not succeed |
    | `steps` | how each step ended, by name |
    | `error` | the first failure: `kind`, `stage`, `message`, `retryable` |
    | `ms` | milliseconds of the run |

    Each of the `steps` has a `status`, and other members that depend on it:

    | `status` | Other members |
    |---|---|
    | `ok` | `left_out`: the calls that failed under `settled` or `first`; `notes`: pages that were not read, and why |
    | `skipped` | none: its `when` was false |
    | `failed` | `error`: `kind` and `message` |
    | `cancelled` | `because`: the step that failed and that this one waited for |

    A call in `left_out` has its `ordinal` in `each`, from 0, and its `error`. This is the row of a run in which several things went
    wrong:

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

    A run that was cancelled, or whose deadline passed, has no `value`, and its `error` says so. Its open calls end as `cancelled`;
    their cause is the run's job, and the kind and message of what ended it. The calls are in no list of batches, and their rows are
    deleted with the run.

    ### Interrupting and resuming

    | What happens | What follows |
    |---|---|
    | Ctrl-C | The run is cancelled, here or in the fleet. Calls in progress are ended |
    | Ctrl-C with `--ledger` | Calls in progress are finished. The run stays open |
    | The process dies with `--ledger` | The run stays open |
    | The same command with the same `--ledger` | The run resumes. Calls that were answered are not repeated |
    | … after the run is over | The same result is printed again, with a note on standard error |
    | A worker or the aggregator of a fleet dies | The fleet goes on by itself |
    | `halyard cancel BATCH` | As after Ctrl-C. The row has the text of `--cause` |
    | `--deadline TIME` passes | The run fails with `deadline`, and its calls end |
    | `halyard requeue BATCH` | A run that failed starts again and repeats all its calls |

    To repeat a run that is over, name another `--ledger`. A ledger knows a run by the text of the recipe, the parameters in the order
    given, and the options that change answers, such as `--header`. All other options may differ the next time. In a fleet, the row of
    a run has its `BATCH`; while the run is in progress, `halyard status --json` has it, and lists the steps in `runs`.

    When a call fails, its consequences are in the same transaction as the failure: waiting calls are never made, and calls in
    progress are ended, on every machine.

    ### Limits

    | What | At most |
    |---|---|
    | A recipe | 1 MiB, 64 levels deep, 200 steps, 1,000 sections |
    | The calls of one step, pages included | 100,000; more fail with `body_too_large` |
    | The calls of a run, pages included | 200,000; more fail with `body_too_large` |
    | The pages of one call | 100, or `most`, which can be 10,000; further pages are left out, with a note |
    | An answer | `--max-body`, 8 MiB |
    | The value of a step or of the run | 64 MiB while it runs, including the inputs that it builds, and 16 MiB in the row |
    | The values of all steps together | 256 MiB |

    If a value is too large, gather less, or `select` only what is needed in a step.
    """#
}
