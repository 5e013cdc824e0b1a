import { findNearest } from "@carteiro/http-edge/Json.ts"
import { ConfigProvider, Effect } from "effect"
import { StartRefused } from "../StartRefused.ts"
import { settingsTable } from "./SettingsTable.ts"

const prefix = "CARTEIRO_"

/** Names that other programs of this repository read: the client SDK, the receiver, and runs of tests. */
const otherCommands = [
  "CARTEIRO_API_KEY",
  "CARTEIRO_API_BASE",
  "CARTEIRO_WEBHOOK_SECRET",
  "CARTEIRO_SIMULATION_RUNS",
  "CARTEIRO_SIMULATION_SEED",
  "CARTEIRO_VENDOR_SPECS",
  "CARTEIRO_FUZZ_RUNS",
  "CARTEIRO_FUZZ_SEED",
  "CARTEIRO_TEST_STRIPE_KEY",
  "CARTEIRO_TEST_MERCADOPAGO_KEY",
  "CARTEIRO_TEST_PIX_API_FILE",
  "CARTEIRO_TEST_TELNYX_KEY",
  "CARTEIRO_TEST_OPENAI_KEY",
  "CARTEIRO_TEST_ELEVENLABS_KEY"
] as const

/** Every variable that a command of this repository knows. */
export const knownNames: ReadonlySet<string> = new Set([
  ...Object.values(settingsTable).map(({ name }) => name),
  ...otherCommands
])

/**
 * Refuses an environment with a `CARTEIRO_` variable that no command knows: a setting that is spelt wrongly would
 * otherwise be one that is silently not set. Boot contract, "Settings"
 */
export const refuseUnknownNames: Effect.Effect<void, StartRefused> = Effect.gen(function* () {
  const provider = yield* ConfigProvider.ConfigProvider
  for (const name of yield* namesBelow(provider, ["CARTEIRO"])) {
    if (!knownNames.has(name)) return yield* new StartRefused({ message: unknownName(name) })
  }
})

/** The line about an unknown name. */
const unknownName = (name: string): string => {
  // A person may also have put the prefix before PORT, HOST or DATABASE_URL, so the prefix is ignored.
  const bare = (text: string) => (text.startsWith(prefix) ? text.slice(prefix.length) : text)
  const meant = findNearest(bare(name), [...knownNames].map(bare), name.length)
  const full = [...knownNames].find((known) => bare(known) === meant)
  const way = full === undefined ? "" : `; did you mean ${full}?`
  return `${name}: no setting has this name${way} (npm start -- --help lists all)`
}

/** The variables of the environment that begin with these words; the provider tells names word by word. */
const namesBelow = (
  provider: ConfigProvider.ConfigProvider,
  words: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<string>> =>
  Effect.gen(function* () {
    const found = yield* Effect.orDie(provider.load(words))
    if (found === undefined) return []
    const name = words.join("_")
    const own = found.value === undefined || words.length === 1 ? [] : [name]
    if (found._tag === "Value") return own
    // Words that are all numbers are told as a length; the names themselves do not matter, as none of ours has such.
    if (found._tag === "Array") return [...own, `${name}_${found.length - 1}`]
    const below = yield* Effect.forEach([...found.keys].sort(), (word) => namesBelow(provider, [...words, word]))
    return [...own, ...below.flat()]
  })
