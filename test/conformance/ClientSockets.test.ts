import { get } from "node:http"
import { Calls, operatorUrl } from "@carteiro/outbound/Calls.ts"
import type { NumberAccount } from "@carteiro/provider/NumberProvider.ts"
import type { SpeechProvider } from "@carteiro/provider/SpeechProvider.ts"
import { makeOpenAi, proveOpenAi } from "@carteiro/provider-openai/OpenAi.ts"
import { makeTelnyx } from "@carteiro/provider-telnyx/Telnyx.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { answeredCalls, type GivenAnswer } from "../support/AnsweredCalls.ts"
import { watchingSockets } from "../support/WatchedSockets.ts"

// Telnyx and OpenAI by their official clients, as StripeSockets.test.ts has it for Stripe: their own ways to the outside (global
// fetch, agents, retries, redirects, uploads, further pages) are never taken.

const url = operatorUrl("https://vendor.invalid")
const key = "key-1"

/** Every method of the port: one that is added does not compile before it is watched too. */
const numberMethods: { readonly [M in keyof NumberAccount]: (account: NumberAccount) => Effect.Effect<unknown> } = {
  read: ({ read }) => read,
  available: ({ available }) => available("11", 3),
  order: ({ order }) => order({ external_id: "npo_1", ddd: "11" }),
  orderById: ({ orderById }) => orderById("o_1"),
  findOrder: ({ findOrder }) => findOrder("npo_1"),
  release: ({ release }) => release("n_1"),
  numbers: ({ numbers }) => numbers(null)
}

const audio = new Uint8Array(Buffer.from("OggS"))
const speech = { external_id: "aud_1", text: "Olá.", voice: "ana", language: "pt-BR" }
const recording = { external_id: "trn_1", language: null, mime_type: "audio/ogg", filename: "one.ogg", audio }

const speechMethods: {
  readonly [M in Exclude<keyof SpeechProvider, "transcription"> | "prove"]: (
    provider: SpeechProvider
  ) => Effect.Effect<unknown, never, Calls>
} = {
  speak: ({ speak }) => speak(key, speech),
  transcribe: ({ transcribe }) => transcribe(key, recording),
  prove: () => proveOpenAi({ url }, key)
}

const number = { id: "n_1", phone_number: "+5511999990001", status: "active", features: [{ name: "sms" }] }
const telnyxSuccess = {
  data: [{ ...number, organization_id: "org_1", customer_reference: "npo_1", phone_numbers: [number] }],
  meta: { page_number: 1, total_pages: 2, total_results: 2, page_size: 1 }
}
const openAiSuccess = { object: "list", data: [], text: "Olá.", language: "portuguese", duration: 1 }

const answersWith = (success: object): ReadonlyArray<readonly [string, GivenAnswer]> => [
  ["a success", [200, success, { "content-type": "application/json" }]],
  ["a refusal", [422, { errors: [{ code: "10015" }], error: { code: "invalid" } }]],
  ["an unknown key", [401, { errors: [{ code: "10009" }], error: { code: "invalid_api_key" } }]],
  ["a failure to be repeated", [503, {}, { "x-should-retry": "true", "retry-after": "0" }]],
  ["too many calls", [429, {}, { "retry-after-ms": "1" }]],
  ["a redirect to another host", [307, {}, { location: "https://elsewhere.example/" }]],
  ["a page instead of JSON", [200, "<html>", { "content-type": "text/html" }]],
  ["no answer", "broken"]
]

/** Runs each method over each answer, and fails where a socket was opened or nothing was dialled. */
const watch = Effect.fnUntraced(function* <P>(
  success: object,
  make: Effect.Effect<P, never, Calls>,
  methods: Readonly<Record<string, (provider: P) => Effect.Effect<unknown, never, Calls>>>,
  path: RegExp
) {
  const { opened } = yield* watchingSockets
  for (const [name, answer] of answersWith(success)) {
    for (const [method, run] of Object.entries(methods)) {
      const { calls, seen } = answeredCalls(() => answer)
      yield* Effect.provideService(Effect.flatMap(make, run), Calls, calls)
      assert.isAbove(seen.length, 0, `${method}, ${name}`)
      assert.deepStrictEqual(opened, [], `${method}, ${name}`)
      for (const one of seen) assert.match(one.path, path, method)
      // A refused call is made again by nobody but the product's workers.
      if (name !== "a success")
        assert.strictEqual(new Set(seen.map((one) => `${one.method} ${one.path}`)).size, seen.length)
    }
  }
})

it.live(
  "no method of the adapter to Telnyx opens a socket that the outbound stack did not dial, whatever it is answered",
  () =>
    Effect.scoped(
      watch(
        telnyxSuccess,
        Effect.map(makeTelnyx({ url, messagingProfileId: "p" }), (provider) => provider.of(Redacted.make(key))),
        numberMethods,
        /^\/v2\//
      )
    )
)

it.live(
  "no method of the adapter to OpenAI opens a socket that the outbound stack did not dial, whatever it is answered",
  () => Effect.scoped(watch(openAiSuccess, makeOpenAi({ url }), speechMethods, /^\/v1\//))
)

it.live("the watch of sockets sees a call that goes its own way", () =>
  Effect.gen(function* () {
    const { opened } = yield* watchingSockets
    yield* Effect.promise(() => fetch("http://127.0.0.1:1/").catch(() => undefined))
    assert.deepStrictEqual(opened, ["fetch"])
    yield* Effect.callback<void>((resume) => void get("http://127.0.0.1:1/").once("error", () => resume(Effect.void)))
    assert.include(opened, "Socket.connect")
    assert.include(opened, "http.client.request.created")
  }).pipe(Effect.scoped)
)
