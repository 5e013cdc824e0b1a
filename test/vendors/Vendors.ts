import { existsSync, readFileSync } from "node:fs"
import { type Calls, operatorUrl } from "@carteiro/outbound/Calls.ts"
import { makeElevenLabs } from "@carteiro/provider-elevenlabs/ElevenLabs.ts"
import { makeMercadoPago } from "@carteiro/provider-mercadopago/MercadoPago.ts"
import { makeOpenAi } from "@carteiro/provider-openai/OpenAi.ts"
import { keyOf, type PixApiCredential } from "@carteiro/provider-pix-api/Accounts.ts"
import { makePixApi } from "@carteiro/provider-pix-api/PixApi.ts"
import { makeStripe } from "@carteiro/provider-stripe/Stripe.ts"
import { makeTelnyx } from "@carteiro/provider-telnyx/Telnyx.ts"
import { type BridgeCheck, lineOf, runChecks } from "@carteiro/runtime/cli/bridge/BridgeCheck.ts"
import { cardChecks } from "@carteiro/runtime/cli/bridge/CardChecks.ts"
import { numberChecks } from "@carteiro/runtime/cli/bridge/NumberChecks.ts"
import { pixChecks } from "@carteiro/runtime/cli/bridge/PixChecks.ts"
import { speechChecks } from "@carteiro/runtime/cli/bridge/SpeechChecks.ts"
import { Effect, Redacted } from "effect"

type Env = Readonly<Record<string, string | undefined>>

/** A vendor whose own test mode the drivers are checked against. */
export interface TestedVendor {
  readonly name: string
  /** The variable that holds its key, or the path of the file with its credential. */
  readonly variable: string
  /** Where the vendor is; a credential of API Pix names its institution itself. */
  readonly url: string
  /** False where a check that makes something would cost more than cents. */
  readonly writes: boolean
  /** Returns what is wrong with a value that would not lead to a test mode. */
  readonly problem?: (value: string) => string | undefined
  readonly checks: (value: string, url: string, id: string) => Effect.Effect<ReadonlyArray<BridgeCheck>, never, Calls>
}

const stripeChecks: TestedVendor["checks"] = Effect.fnUntraced(function* (key, address, id) {
  const url = operatorUrl(address)
  const own = yield* makeStripe({ url, apiKey: Redacted.make(key) })
  const stranger = yield* makeStripe({ url, apiKey: Redacted.make("sk_test_carteiroWrongKey") })
  const made = yield* own.customer(id)
  return cardChecks({
    own,
    stranger,
    id,
    card: "pm_card_visa",
    // The bank of most test cards that decline refuses them as soon as a customer is to have them; not that of this one.
    declined: "pm_card_chargeCustomerFail",
    authenticated: "pm_card_authenticationRequired",
    ...(made._tag === "Customer" ? { known: made.id } : undefined)
  })
})

/** Nobody pays a charge of the checks, so that no search has to settle before one has ended. */
const searchSettlesMs = 0

const mercadoPagoChecks: TestedVendor["checks"] = (key, url, id) =>
  Effect.map(makeMercadoPago({ url: operatorUrl(url), searchSettlesMs }), (provider) =>
    pixChecks(provider, {
      key: Redacted.make(key),
      id,
      modes: ["hosted_checkout", "transparent_pix"],
      refused: { key: Redacted.make("invalid-carteiro-wrong-key"), code: "unauthorized" },
      isExact: false
    })
  )

/** Returns the credential of a file as it is; the adapter judges it. */
const credentialOf = (path: string): PixApiCredential => JSON.parse(readFileSync(path, "utf8"))

const pixApiProblem = (path: string): string | undefined => {
  if (!existsSync(path)) return `the file ${path} does not exist`
  try {
    const credential: unknown = credentialOf(path)
    return typeof credential === "object" && credential !== null ? undefined : `the file ${path} holds no JSON object`
  } catch {
    return `the file ${path} cannot be read as JSON`
  }
}

const pixApiChecks: TestedVendor["checks"] = (path, _, id) =>
  Effect.map(makePixApi({}), (provider) => {
    const credential = credentialOf(path)
    return pixChecks(provider, {
      key: Redacted.make(keyOf(credential)),
      id,
      modes: ["transparent_pix"],
      refused: {
        key: Redacted.make(keyOf({ ...credential, client_id: "invalid-carteiro-wrong-client" })),
        code: "invalid_client"
      }
    })
  })

/** The vendors with a variable each. */
export const testedVendors: ReadonlyArray<TestedVendor> = [
  {
    name: "stripe",
    variable: "CARTEIRO_TEST_STRIPE_KEY",
    url: "https://api.stripe.com",
    writes: true,
    problem: (key) =>
      /^(sk|rk)_test_/.test(key) ? undefined : "it is no key of the test mode: sk_test_… or rk_test_…",
    checks: stripeChecks
  },
  {
    name: "mercadopago",
    variable: "CARTEIRO_TEST_MERCADOPAGO_KEY",
    url: "https://api.mercadopago.com",
    writes: true,
    checks: mercadoPagoChecks
  },
  {
    name: "pix-api",
    variable: "CARTEIRO_TEST_PIX_API_FILE",
    url: "",
    writes: true,
    problem: pixApiProblem,
    checks: pixApiChecks
  },
  {
    name: "telnyx",
    variable: "CARTEIRO_TEST_TELNYX_KEY",
    url: "https://api.telnyx.com",
    // An order would rent a number, which no test mode takes back.
    writes: false,
    checks: (key, url, id) =>
      Effect.map(makeTelnyx({ url: operatorUrl(url) }), (provider) =>
        numberChecks(provider, { key: Redacted.make(key), ddd: "11", id })
      )
  },
  {
    name: "openai",
    variable: "CARTEIRO_TEST_OPENAI_KEY",
    url: "https://api.openai.com",
    writes: true,
    checks: (key, url, id) =>
      Effect.map(makeOpenAi({ url: operatorUrl(url) }), (provider) =>
        speechChecks(provider, { key, voice: "ana", id, transcribes: true })
      )
  },
  {
    name: "elevenlabs",
    variable: "CARTEIRO_TEST_ELEVENLABS_KEY",
    url: "https://api.elevenlabs.io",
    writes: true,
    checks: (key, url, id) =>
      Effect.map(makeElevenLabs({ url: operatorUrl(url) }), (provider) =>
        speechChecks(provider, { key, voice: "ana", id, transcribes: false })
      )
  }
]

/**
 * Runs the checks of each vendor whose variable is set, one after the other, and says what is missing for the others. Returns
 * how many promises are broken, or cannot be looked at with what is set.
 */
export const runVendors = Effect.fnUntraced(function* (
  vendors: ReadonlyArray<TestedVendor>,
  env: Env,
  id: string,
  print: (line: string) => void
) {
  let broken = 0
  for (const { checks, name, problem, url, variable, writes } of vendors) {
    const value = env[variable] ?? ""
    if (value === "") {
      print(`${name}: nothing was run, because ${variable} is not set`)
      continue
    }
    const wrong = problem?.(value)
    if (wrong !== undefined) {
      broken += 1
      print(`${name}: nothing was run; ${variable}: ${wrong}`)
      continue
    }
    print(`${name}:`)
    for (const result of yield* runChecks(yield* checks(value, url, id), writes)) {
      if (result.status === "broken") broken += 1
      print(lineOf(result))
    }
  }
  return broken
})
