import { assert, it } from "@effect/vitest"
import { Effect, Exit, Layer, Scope } from "effect"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { seedProject } from "../support/Tenants.ts"
import { create, TestDatabase } from "../support/TestDatabase.ts"
import { until } from "../support/Until.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { normal } from "./NormalForm.ts"

// `COURSES=40 npm test -- test/sandbox/KilledAdvances.test.ts` plays more of them.

const seeds = Array.from({ length: Number(process.env.COURSES ?? 2) }, (_, n) => n + 1)
const minute = 60
const hour = 60 * minute
/** How long a course takes on the sandbox's clock, in seconds. */
const whole = 5 * 24 * hour

/** A node over that database; it stops in the middle of whatever it does when `use` has ended. */
const onNode = Effect.fnUntraced(function* <A>(
  url: string,
  use: Effect.Effect<A, unknown, Layer.Success<ReturnType<typeof WholeProduct>>>
) {
  const scope = yield* Scope.make()
  const product = WholeProduct({ clock: "live", database: TestDatabase.at(url) })
  const context = yield* Layer.buildWithMemoMap(product, Layer.makeMemoMapUnsafe(), scope)
  return yield* Effect.ensuring(Effect.provideContext(Effect.orDie(use), context), Scope.close(scope, Exit.void))
})

/** Numbers below a bound, by a seed. */
const drawing = (seed: number) => {
  let state = Math.imul(seed, 2_654_435_761) | 0
  return (below: number) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_507) + 0x9e3779b9) | 0
    return (state >>> 0) % below
  }
}

interface Sandbox {
  readonly key: string
  readonly numberId: string
}

/** A sandbox whose clock stands, with things of all kinds that fall due within a course. Returns what is read of it later. */
const open = Effect.fnUntraced(function* ({ key, numberId }: Sandbox, seed: number) {
  const api = yield* Api
  const draw = drawing(seed)
  const post = Effect.fnUntraced(function* (path: string, body: object) {
    const answer = yield* api.post(`/v1/${path}`, body, { key })
    assert.isBelow(answer.status, 300, answer.text)
    return answer.body
  })
  yield* post("sandbox/clock/freeze", {})
  const template = yield* post("templates", {
    name: "order",
    language: "pt_BR",
    category: "utility",
    components: [{ type: "BODY", text: "Seu pedido saiu." }]
  })
  yield* post(`templates/${template.id}/submit`, {})
  yield* settled(key, yield* begin(key, hour))
  const from = Date.parse((yield* api.get("/v1/sandbox/clock", { key })).body.now)
  const sender = { type: "chatapp_phone_number", id: numberId }
  const reads: Array<string> = []
  for (let n = 0; n < 4; n++) {
    const expires_in_seconds = hour + draw(100) * hour
    const payment = yield* post("payments", {
      amount_brl_centavos: 5000,
      provider_options: { pixprov1: { expires_in_seconds } }
    })
    reads.push(`payments/${payment.id}`)
  }
  for (let n = 0; n < 2; n++) {
    const scheduled_at = new Date(from + (30 * minute + draw(100) * hour) * 1000).toISOString()
    const order = { name: "order", language: "pt_BR" }
    const recipients = [{ to: `+551191234561${n}` }]
    reads.push(`batches/${(yield* post("batches", { sender, template: order, scheduled_at, recipients })).id}`)
  }
  const second = yield* post("templates", {
    name: "later",
    language: "pt_BR",
    category: "utility",
    components: [{ type: "BODY", text: "Seu pedido chega hoje." }]
  })
  yield* post(`templates/${second.id}/submit`, {})
  reads.push(`templates/${second.id}`)
  const sent = yield* post("messages", {
    channel: "chatapp",
    sender,
    recipient: { type: "phone_e164", id: "+5511912345670" },
    message: { type: "template", template: { name: "order", language: "pt_BR" } }
  })
  reads.push(`messages/${sent.id}`)
  return { from, reads }
})

const begin = Effect.fnUntraced(function* (key: string, by_seconds: number) {
  const asked = yield* (yield* Api).post("/v1/sandbox/clock/advance", { by_seconds }, { key })
  assert.strictEqual(asked.status, 202, asked.text)
  return asked.body.id as string
})

const settled = Effect.fnUntraced(function* (key: string, id: string) {
  const api = yield* Api
  const read = Effect.map(api.get(`/v1/sandbox/clock/advances/${id}`, { key }), ({ body }) => body)
  yield* until(Effect.map(read, ({ status }) => status !== "running"))
  assert.strictEqual((yield* read).status, "settled")
})

/** Returns everything that a sandbox tells of its course. */
const told = Effect.fnUntraced(function* (key: string, { from, reads }: Effect.Success<ReturnType<typeof open>>) {
  const api = yield* Api
  // What messages came to is added to their batch by the next pass of its owner, at whichever instant that has a pass.
  const bodies = yield* Effect.forEach(reads, (path) =>
    Effect.map(api.get(`/v1/${path}`, { key }), ({ body: { updated_at, ...body } }) =>
      path.startsWith("batches/") ? body : { ...body, updated_at }
    )
  )
  const sent = (yield* api.get("/v1/messages?limit=100", { key })).body.data as ReadonlyArray<{ readonly id: string }>
  const events = yield* Effect.forEach(sent, ({ id }) =>
    Effect.map(api.get(`/v1/messages/${id}`, { key }), ({ body }) => body.events)
  )
  const instants = events.map((of: ReadonlyArray<{ readonly occurred_at: string }>) =>
    of.map(({ occurred_at }) => Date.parse(occurred_at))
  )
  for (const list of instants)
    assert.deepStrictEqual(
      list,
      list.toSorted((one, other) => one - other)
    )
  return normal({ bodies, events }, from, new Map())
})

const sandbox = Effect.fnUntraced(function* (name: string) {
  const { acme } = yield* Api
  const { sandbox } = yield* seedProject(acme.organization_id, name)
  return { key: sandbox.key, numberId: (yield* seedNumber(sandbox)).id }
})

it.live.each(seeds)(
  "advances that nodes leave in their middle come to what one advance comes to: seed %d",
  (seed) =>
    Effect.gen(function* () {
      const url = yield* create()
      const { inOne, inParts, parted } = yield* onNode(
        url,
        Effect.gen(function* () {
          const one = yield* sandbox("in-one")
          const opened = yield* open(one, seed)
          yield* settled(one.key, yield* begin(one.key, whole))
          const parted = yield* sandbox("in-parts")
          return { inOne: yield* told(one.key, opened), inParts: yield* open(parted, seed), parted }
        })
      )
      const { key } = parted
      const draw = drawing(seed + 1000)
      let left = whole
      let under: string | undefined
      while (left > 0 || under !== undefined) {
        under = yield* onNode(
          url,
          Effect.gen(function* () {
            const api = yield* Api
            if (under !== undefined) yield* settled(key, under)
            for (let parts = draw(3); parts > 0 && left > 0; parts--) {
              const span = Math.min(left, minute + draw(30 * hour))
              left -= span
              const id = yield* begin(key, span)
              if (parts === 1) return id
              yield* settled(key, id)
              if (draw(3) === 0)
                assert.strictEqual((yield* api.post("/v1/sandbox/clock/freeze", {}, { key })).status, 200)
            }
            return undefined
          })
        )
      }
      assert.deepStrictEqual(yield* onNode(url, told(key, inParts)), inOne)
    }).pipe(Effect.scoped),
  240_000
)
