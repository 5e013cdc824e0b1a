import { mkdtempSync, readdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { CardProvider } from "@carteiro/provider/payments/CardProvider.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import type { GivenAnswer } from "../support/AnsweredCalls.ts"
import { intentOf, stripeOver } from "../support/StripeCalls.ts"
import { watchingSockets } from "../support/WatchedSockets.ts"

const exits = { return_url: "https://carteiro.example/", cancel_url: "https://carteiro.example/" }
const order = {
  external_id: "ctu_1",
  customer: "cus_1",
  payment_method: "pm_1",
  amount_centavos: 4500,
  off_session: false,
  return_url: "https://carteiro.example/"
}

/** Every method of the port: one that is added does not compile before it is watched too. */
const methods: { readonly [M in keyof CardProvider]: (provider: CardProvider) => Effect.Effect<unknown> } = {
  customer: ({ customer }) => customer("org_1"),
  setup: ({ setup }) => setup("cus_1"),
  pages: ({ pages }) =>
    pages === undefined ? Effect.void : Effect.all([pages.begin("cus_1", exits), pages.card("cs_1")]),
  card: ({ card }) => card("pm_1"),
  attach: ({ attach }) => attach("pm_1", "cus_1"),
  detach: ({ detach }) => detach("pm_1", "cus_1"),
  charge: ({ charge }) => charge(order),
  chargeById: ({ chargeById }) => chargeById("pi_1"),
  chargeOf: ({ chargeOf }) => chargeOf("ctu_1", { customer: "cus_1", ordered_at: 0 }),
  authenticationPage: ({ authenticationPage }) => authenticationPage({ id: "pi_1", client_secret: "secret" }),
  proveCredential: ({ proveCredential }) => proveCredential
}

const answers: ReadonlyArray<readonly [string, GivenAnswer]> = [
  ["a success", [200, intentOf("ctu_1", { latest_charge: { disputed: true }, data: [], has_more: false })]],
  ["a declined card", [402, { error: { type: "card_error", code: "card_declined" } }]],
  ["a refusal", [400, { error: { type: "invalid_request_error" } }]],
  ["a failure to be repeated", [503, { error: { type: "api_error" } }, { "stripe-should-retry": "true" }]],
  ["a redirect to another host", [307, {}, { location: "https://elsewhere.example/" }]],
  ["no answer", "broken"]
]

it.live(
  "no method of the adapter to Stripe opens a socket that the outbound stack did not dial, whatever it is answered",
  () =>
    Effect.gen(function* () {
      const home = mkdtempSync(join(tmpdir(), "carteiro-stripe-"))
      const before = process.env.XDG_CONFIG_HOME
      process.env.XDG_CONFIG_HOME = home
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          if (before === undefined) delete process.env.XDG_CONFIG_HOME
          else process.env.XDG_CONFIG_HOME = before
        })
      )
      const { opened } = yield* watchingSockets
      for (const [name, answer] of answers) {
        for (const [method, run] of Object.entries(methods)) {
          const { calls, provider } = yield* stripeOver(() => answer)
          yield* run(provider)
          assert.isAbove(calls.length, 0, `${method}, ${name}`)
          assert.deepStrictEqual(opened, [], `${method}, ${name}`)
          assert.isTrue(
            calls.every(({ path }) => path.startsWith("/v1/")),
            method
          )
        }
      }
      // The client keeps an id of the machine in a file, unless it is told not to.
      assert.deepStrictEqual(readdirSync(home), [])
    }).pipe(Effect.scoped)
)
