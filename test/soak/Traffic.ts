import { Effect, Ref } from "effect"
import { request } from "undici"
import { type Caller, caller } from "../bench/Api.ts"
import { BenchFailure } from "../bench/BenchFailure.ts"
import type { Product } from "../bench/Product.ts"
import { makeSenders } from "../bench/Senders.ts"
import { recipient, sendBody, senderOf } from "../bench/Sends.ts"
import type { Answered } from "./Sample.ts"

/** The load of a soak, a second or once in so many seconds. */
export const plan = {
  environments: 8,
  recipients: 25,
  sendsPerSecond: 6,
  /** Of so many sends one is repeated with its key, and must get the answer it had. */
  repeatedOneOf: 20,
  readsPerSecond: 2,
  inboundEverySeconds: 2,
  uploadEverySeconds: 15,
  batchEverySeconds: 60,
  batchRecipients: 20
} as const

const announced = ["message.delivered", "message.read", "message.failed", "message.received"]
const document = Buffer.alloc(20_480, "linha de um documento\n")

interface Tenant {
  readonly call: Caller
  readonly number: string
}

/** The knowledge of a soak's callers. */
export interface Known {
  /** Ids of accepted messages, oldest first. */
  readonly messages: Array<string>
  readonly batches: Array<string>
  readonly answered: Answered
}

/** Makes the environments with an endpoint each, and opens the service windows of their recipients. */
export const makeTenants = Effect.fnUntraced(function* (product: Product, receiver: string) {
  const senders = yield* makeSenders(product, plan.environments, [
    "messages:read",
    "messages:write",
    "sandbox:write",
    "webhooks:read",
    "webhooks:write",
    "logs:read"
  ])
  const tenants = yield* Effect.forEach(senders, ({ key, number }) =>
    Effect.map(caller(product.url, key, 16), (call): Tenant => ({ call, number }))
  )
  yield* Effect.forEach([...tenants.map(({ call }) => call), product.sandbox], (call, at) =>
    call.post("/v1/webhook-endpoints", { url: `${receiver}/${at}`, subscribed_events: announced })
  )
  for (const tenant of tenants) for (let n = 0; n < plan.recipients; n++) yield* hear(tenant, n)
  return tenants
})

/** Sends and reads at a steady rate until it is interrupted; fails at the first answer that is none. */
export const traffic = (product: Product, tenants: ReadonlyArray<Tenant>, known: Known) =>
  Effect.all(
    [
      every(1 / plan.sendsPerSecond, (n) => send(of(tenants, n), n, known)),
      every(1 / plan.readsPerSecond, (n) => read(of(tenants, n), n, known)),
      every(plan.inboundEverySeconds, (n) => hear(of(tenants, n), Math.floor(n / tenants.length) % plan.recipients)),
      every(plan.uploadEverySeconds, () => upload(product.sandbox)),
      every(plan.batchEverySeconds, (n) => batch(product, n, known))
    ],
    { concurrency: "unbounded", discard: true }
  )

/** Starts `act` on the clock, whatever became of the ones before; fails when one of them fails. */
const every = <E, R>(seconds: number, act: (n: number) => Effect.Effect<unknown, E, R>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const failed = yield* Ref.make<E | undefined>(undefined)
      const started = performance.now()
      for (let n = 0; ; n++) {
        const failure = yield* Ref.get(failed)
        if (failure !== undefined) return yield* Effect.fail(failure)
        yield* Effect.forkScoped(Effect.catch(act(n), (error) => Ref.set(failed, error)))
        yield* Effect.sleep(Math.max(0, started + (n + 1) * seconds * 1000 - performance.now()))
      }
    })
  )

const of = (tenants: ReadonlyArray<Tenant>, n: number): Tenant => tenants[n % tenants.length] as Tenant

const timed = <A, E, R>(into: Array<number>, call: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const started = performance.now()
    return Effect.tap(call, () => Effect.sync(() => into.push(performance.now() - started)))
  })

const send = Effect.fnUntraced(function* ({ call, number }: Tenant, n: number, { answered, messages }: Known) {
  const body = sendBody(number, recipient(Math.floor(n / plan.environments) % plan.recipients))
  const accept = call.post("/v1/messages", body, `soak-${n}`)
  const { id } = (yield* timed(answered.accepts, accept)).body
  messages.push(id)
  if (n % plan.repeatedOneOf !== 0) return
  const again = (yield* accept).body.id
  if (again !== id) return yield* new BenchFailure({ message: `the key of ${id} was answered with ${again}` })
})

/** Reads in turn a message that is a minute old at most, a page of messages and a page of the request log. */
const read = ({ call }: Tenant, n: number, { answered }: Known) => {
  const page = n % 25 === 24 ? "/v1/request-logs?limit=20" : "/v1/messages?limit=20"
  return timed(answered.reads, n % 5 === 4 ? call.get(page) : call.get("/v1/messages?limit=1&direction=outbound"))
}

const hear = ({ call, number }: Tenant, n: number) =>
  call.post("/v1/sandbox/inbound-messages", {
    channel: "chatapp",
    from: recipient(n),
    to: number,
    type: "text",
    text: { body: "Oi" }
  })

/** Announces, uploads, completes, reads and deletes one document. */
const upload = Effect.fnUntraced(function* (call: Caller) {
  const asked = { kind: "document", mime_type: "text/plain", byte_length: document.length, lifecycle: "library" }
  const { body } = yield* call.post("/v1/media/uploads", asked)
  yield* Effect.tryPromise({
    try: async () => {
      const answer = await request(body.upload_url, {
        method: "PUT",
        headers: { "content-type": "text/plain" },
        body: document
      })
      await answer.body.dump()
      if (answer.statusCode !== 200) throw new Error(String(answer.statusCode))
    },
    catch: (error) => new BenchFailure({ message: `PUT of a document: ${String(error)}` })
  })
  yield* call.post(`/v1/media/${body.id}/complete`, undefined)
  yield* call.get(`/v1/media/${body.id}`)
  yield* call.delete(`/v1/media/${body.id}`)
})

/** A batch of a marketing template to recipients who have had none. */
const batch = Effect.fnUntraced(function* (product: Product, n: number, { batches }: Known) {
  const body = {
    sender: { type: "chatapp_phone_number", id: yield* senderOf(product) },
    template: { name: "promo", language: "pt_BR" },
    recipients: Array.from({ length: plan.batchRecipients }, (_, at) => ({
      to: `+55219${String(n * plan.batchRecipients + at).padStart(8, "0")}`,
      variables: { first_name: `Maria ${at}` }
    }))
  }
  batches.push((yield* product.sandbox.post("/v1/batches", body, `soak-batch-${n}`)).body.id)
})
