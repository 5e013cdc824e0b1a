import { Effect } from "effect"
import { BenchFailure } from "./BenchFailure.ts"
import { quote, type Requests } from "./Load.ts"
import type { Product } from "./Product.ts"

/** Recipients of a run; every request of a connection goes to another one. */
export const recipients = 10_000

/** The n-th recipient, n from 0. */
export const recipient = (n: number): string => `+55119${String(n % recipients).padStart(8, "0")}`

/** The text every send carries. */
export const text = "Your order has shipped and arrives tomorrow."

/** POST /v1/messages to one recipient after the other, with a fresh Idempotency-Key each when `keyed`. */
export const sends = (apiKey: string, sender: string, keyed: boolean): Requests => ({
  method: "POST",
  headers: { Authorization: `Bearer ${apiKey}` },
  path: '"/v1/messages"',
  setup: `local head, tail = ${quote(head(sender))}, ${quote(tailOf(text))}`,
  body: `head .. string.format("+55119%08d", n % ${recipients}) .. tail`,
  ...(keyed ? { idempotencyKey: 'run .. "-" .. n' } : {})
})

/** The same of several callers in turn, each from its own number to one recipient. */
export const sendsOf = (
  callers: ReadonlyArray<{ readonly key: string; readonly number: string }>,
  to: string
): Requests => ({
  method: "POST",
  headers: {},
  path: '"/v1/messages"',
  setup: `local keys, bodies = {${callers.map(({ key }) => quote(`Bearer ${key}`)).join(",")}},
  {${callers.map(({ number }) => quote(sendBody(number, to))).join(",")}}`,
  authorization: `keys[n % ${callers.length} + 1]`,
  body: `bodies[n % ${callers.length} + 1]`
})

/** The same body as one JSON text, saying `words` where a send must be told from all others. */
export const sendBody = (sender: string, to: string, words = text): string => `${head(sender)}${to}${tailOf(words)}`

const head = (sender: string): string =>
  `{"channel":"chatapp","sender":{"type":"chatapp_phone_number","id":"${sender}"},"recipient":{"type":"phone_e164","id":"`
const tailOf = (words: string) => `"},"message":{"type":"text","text":{"body":"${words}"}}}`

/** The sandbox number of the demo organization. */
export const senderOf = (product: Product): Effect.Effect<string, BenchFailure> => {
  const id = product.dev.sandbox.phone_number_id
  return id === null
    ? Effect.fail(new BenchFailure({ message: "the product's dev.json names no sandbox phone number" }))
    : Effect.succeed(id)
}

/** One inbound message of a customer to the sandbox number: it opens the service window, and raises one event. */
export const inbound = Effect.fnUntraced(function* (product: Product, n: number) {
  const to = yield* senderOf(product)
  const body = { channel: "chatapp", from: recipient(n), to, type: "text", text: { body: "Where is my order?" } }
  return yield* product.sandbox.post("/v1/sandbox/inbound-messages", body)
})

/** Opens the service window of the first recipients, through the public API. */
export const openWindows = (product: Product, count = recipients) =>
  Effect.forEach(
    Array.from({ length: count }, (_, n) => n),
    (n) => inbound(product, n),
    { concurrency: 64, discard: true }
  )
