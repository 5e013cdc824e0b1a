import { readFileSync } from "node:fs"
import { Effect, Random, Redacted, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { type BridgeAdapters, withBridge } from "../../app/BridgeAdapters.ts"
import { webUrl } from "../../boot/settings/Readers.ts"
import { print } from "../kit/Output.ts"
import { agenticChecks } from "./AgenticChecks.ts"
import { type BridgeCheck, lineOf, runChecks } from "./BridgeCheck.ts"
import { cardChecks } from "./CardChecks.ts"
import { numberChecks } from "./NumberChecks.ts"
import { pixChecks } from "./PixChecks.ts"
import { speechChecks } from "./SpeechChecks.ts"

const roles = ["numprov", "speechprov1", "speechprov2", "speechprov3", "cardproc", "pixprov1", "pixprov2"] as const

/** What the checks of all roles are told. */
interface CheckNames {
  readonly key: Redacted.Redacted
  readonly id: string
  readonly ddd: string
  readonly voice: string
  readonly card: string
  readonly declined: string
  readonly authenticated: string
  readonly participant: string
  readonly agent: string
}

const wrongCardKey = Redacted.make("carteiro-bridge-check-wrong-key")

const checksOf = Effect.fnUntraced(function* (
  role: (typeof roles)[number],
  { agentic, cards, numbers, pixprov1, pixprov2, speech }: BridgeAdapters,
  names: CheckNames
): Effect.fn.Return<ReadonlyArray<BridgeCheck>> {
  switch (role) {
    case "numprov":
      return numberChecks(numbers, names)
    case "cardproc":
      return cardChecks({ ...names, own: yield* cards(names.key), stranger: yield* cards(wrongCardKey) })
    case "pixprov1":
      return [...pixChecks(pixprov1, { ...names, modes: ["hosted_checkout"] }), ...agenticChecks(agentic, names)]
    case "pixprov2":
      return pixChecks(pixprov2, { ...names, modes: ["hosted_checkout", "transparent_pix"] })
    default: {
      const { id, key, voice } = names
      return speechChecks(speech, { key: Redacted.value(key), voice, id, transcribes: role === "speechprov1" })
    }
  }
})

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
    card: Flag.String("card").pipe(Flag.withDescription("A card that pays"), Flag.withDefault("pm_card_ok")),
    declined: Flag.String("declined-card").pipe(
      Flag.withDescription("A card that its bank declines"),
      Flag.withDefault("pm_card_declined")
    ),
    authenticated: Flag.String("authentication-card").pipe(
      Flag.withDescription("A card whose bank asks for the cardholder"),
      Flag.withDefault("pm_card_authentication")
    ),
    participant: Flag.String("participant").pipe(
      Flag.withDescription("The merchant's participant_id for agentic payments"),
      Flag.withDefault("part_1")
    ),
    agent: Flag.String("agent").pipe(
      Flag.withDescription("The merchant's agent_id for agentic payments"),
      Flag.withDefault("agent_1")
    ),
    write: Flag.Boolean("write").pipe(
      Flag.withDescription("Also order, speak, transcribe and charge R$ 10,01: this may cost"),
      Flag.withDefault(false)
    )
  },
  ({ key: file, role, url: text, write, ...names }) =>
    Effect.gen(function* () {
      const url = yield* Effect.fromResult(Result.mapError(webUrl(text), (problem) => new Error(`URL: ${problem}`)))
      const key = yield* Effect.try({
        try: () => readFileSync(file === "-" ? 0 : file, "utf8").trim(),
        catch: () => new Error(`The file ${file} cannot be read; name a file that holds the key.`)
      })
      if (key === "") return yield* Effect.fail(new Error("The key is empty; the file has to hold the key."))
      const id = `chk_${(yield* Random.nextIntBetween(0, 2 ** 40)).toString(36)}`
      const results = yield* withBridge(url, (adapters) =>
        Effect.flatMap(checksOf(role, adapters, { ...names, key: Redacted.make(key), id }), (checks) =>
          runChecks(checks, write)
        )
      )
      const broken = results.filter(({ status }) => status === "broken").length
      const summary = broken === 0 ? "The bridge keeps what was looked at." : `${broken} of its promises are broken.`
      yield* print(
        { status: broken === 0 ? "kept" : "broken", results },
        `${results.map(lineOf).join("\n")}\n\n${summary}`
      )
      if (broken > 0) return yield* Effect.fail(new Error(summary))
    })
).pipe(Command.withDescription("Check a bridge against the protocol of its role, by the calls that this service makes"))

/** Commands for the author of a bridge; they need no installation. docs/bridge.md */
export const bridge = Command.make("bridge").pipe(Command.withSubcommands([check]))
