import { readFileSync } from "node:fs"
import { Effect, Random, Redacted, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { withBridge } from "../../app/BridgeAdapters.ts"
import { webUrl } from "../../boot/settings/Readers.ts"
import { escapeValue } from "../kit/Escapes.ts"
import { print } from "../kit/Output.ts"
import { type BridgeCheck, type CheckedPromise, runChecks } from "./BridgeCheck.ts"
import { numberChecks } from "./NumberChecks.ts"
import { speechChecks } from "./SpeechChecks.ts"

const roles = ["numprov", "speechprov1", "speechprov2", "speechprov3"] as const

const marks: Readonly<Record<CheckedPromise["status"], string>> = {
  kept: "ok",
  broken: "BROKEN",
  left_out: "left out"
}

const line = ({ problem, promise, status }: CheckedPromise): string => {
  const head = `${marks[status].padEnd(9)} ${escapeValue(promise)}`
  return problem === null ? head : `${head}\n${" ".repeat(10)}${escapeValue(problem)}`
}

const check = Command.make(
  "check",
  {
    url: Argument.String("url").pipe(
      Argument.withDescription("Base address of the bridge, such as http://127.0.0.1:9000"),
      Argument.withMetavar("URL")
    ),
    role: Flag.Literals("role", roles).pipe(Flag.withDescription("What the bridge stands for")),
    key: Flag.String("key-file").pipe(
      Flag.withDescription("File with the key that the bridge takes; - reads it from stdin"),
      Flag.withMetavar("path")
    ),
    ddd: Flag.String("ddd").pipe(
      Flag.withDescription("Area code of the numbers that are asked for"),
      Flag.withDefault("11")
    ),
    voice: Flag.String("voice").pipe(Flag.withDescription("A voice that the bridge knows"), Flag.withDefault("ana")),
    write: Flag.Boolean("write").pipe(
      Flag.withDescription("Also order a number, speak and transcribe: this may cost"),
      Flag.withDefault(false)
    )
  },
  ({ ddd, key: file, role, url: text, voice, write }) =>
    Effect.gen(function* () {
      const url = yield* Effect.fromResult(Result.mapError(webUrl(text), (problem) => new Error(`URL: ${problem}`)))
      const key = yield* Effect.try({
        try: () => readFileSync(file === "-" ? 0 : file, "utf8").trim(),
        catch: () => new Error(`The file ${file} cannot be read; name a file that holds the key.`)
      })
      if (key === "") return yield* Effect.fail(new Error("The key is empty; the file has to hold the key."))
      const id = `check_${(yield* Random.nextIntBetween(0, 2 ** 40)).toString(36)}`
      const results = yield* withBridge(url, ({ numbers, speech }) => {
        const checks: ReadonlyArray<BridgeCheck> =
          role === "numprov"
            ? numberChecks(numbers, { key: Redacted.make(key), ddd, id })
            : speechChecks(speech, { key, voice, id, transcribes: role === "speechprov1" })
        return runChecks(checks, write)
      })
      const broken = results.filter(({ status }) => status === "broken").length
      const summary = broken === 0 ? "The bridge keeps what was looked at." : `${broken} of its promises are broken.`
      yield* print(
        { status: broken === 0 ? "kept" : "broken", results },
        `${results.map(line).join("\n")}\n\n${summary}`
      )
      if (broken > 0) return yield* Effect.fail(new Error(summary))
    })
).pipe(Command.withDescription("Check a bridge against the protocol of its role, by the calls that this service makes"))

/** Commands for the author of a bridge; they need no installation. docs/bridge.md */
export const bridge = Command.make("bridge").pipe(Command.withSubcommands([check]))
