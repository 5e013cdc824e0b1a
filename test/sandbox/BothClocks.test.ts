import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { seedProject } from "../support/Tenants.ts"
import { quiesce, turnTo } from "../support/TurnedClock.ts"
import { until } from "../support/Until.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { normal } from "./NormalForm.ts"

// `COURSES=200 npm test -- test/sandbox/BothClocks.test.ts` plays more of them.

const seeds = Array.from({ length: Number(process.env.COURSES ?? 4) }, (_, n) => n + 1)
const patience = 60_000 + seeds.length * 20_000

const second = 1000
const hour = 3600 * second
/** What goes by behind each act, in milliseconds. */
const spans = [second, 10 * second, 90 * second, hour, 25 * hour]
/**
 * A course is shorter than the seven days of a payment: what is due further ahead than a day is the sweeper's, which is
 * left out here, for it looks some million times in two weeks of a turned clock.
 */
const longestCourse = 6 * 24 * hour
const acts = [
  "writes",
  "sends",
  "sends a template",
  "asks for money",
  "is paid",
  "cancels",
  "reviews",
  "plans a batch"
] as const

interface Played {
  readonly act: (typeof acts)[number]
  readonly customer: number
  readonly span: number
}

/** The course of a seed: what is done, and how long it takes until the next. */
const courseOf = (seed: number): ReadonlyArray<Played> => {
  let state = seed * 2_654_435_761
  const draw = (below: number) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_507) + 0x9e3779b9) | 0
    return (state >>> 0) % below
  }
  let left = longestCourse
  return Array.from({ length: 12 }, () => {
    const drawn = spans[draw(spans.length)] ?? second
    const span = drawn < left - 12 * hour ? drawn : second
    left -= span
    return { act: acts[draw(acts.length)] ?? "writes", customer: draw(3), span }
  })
}

/** How time goes by in a sandbox: `begin` answers the instant at which it stands. */
interface Passing {
  readonly begin: (key: string) => Effect.Effect<number, never, Api>
  readonly pass: (key: string, span: number) => Effect.Effect<void, never, Api>
}

/** Plays a course in a sandbox of its own. Returns everything that its key can read of what came of it. */
const play = Effect.fnUntraced(function* (seed: number, name: string, { begin, pass }: Passing) {
  const api = yield* Api
  const { sandbox } = yield* seedProject(api.acme.organization_id, `${name}-${seed}`)
  const { key } = sandbox
  const number = yield* seedNumber(sandbox)
  const post = (path: string, body: object) => api.post(`/v1/${path}`, body, { key })
  const read = (path: string) => Effect.map(api.get(`/v1/${path}`, { key }), ({ body }) => body)
  const from = yield* begin(key)
  const answers: Array<unknown> = []
  const made: Record<string, Array<string>> = { messages: [], payments: [], templates: [], batches: [] }
  let now = from
  for (const { act, customer, span } of courseOf(seed)) {
    const to = `+55119123456${10 + customer}`
    const envelope = {
      channel: "chatapp",
      sender: { type: "chatapp_phone_number", id: number.id },
      recipient: { type: "phone_e164", id: to }
    }
    const welcome = { name: "welcome", language: "pt_BR" }
    const payment = made.payments?.at(-1)
    const asked = yield* Effect.gen(function* () {
      switch (act) {
        case "writes":
          return yield* post("sandbox/inbound-messages", {
            channel: "chatapp",
            from: to,
            to: number.id,
            type: "text",
            text: { body: "Oi" }
          })
        case "sends":
          return yield* post("messages", { ...envelope, message: { type: "text", text: { body: "Olá" } } })
        case "sends a template":
          return yield* post("messages", {
            ...envelope,
            message: { type: "template", template: { ...welcome, variables: { 1: "Ana" } } }
          })
        case "asks for money":
          return yield* post("payments", { amount_brl_centavos: 5_000 })
        case "is paid":
          return payment === undefined
            ? undefined
            : yield* post(`sandbox/payments/${payment}/status`, { status: "paid" })
        case "cancels":
          return payment === undefined ? undefined : yield* post(`payments/${payment}/cancel`, {})
        case "reviews":
          return yield* post("templates", {
            name: `order_${made.templates?.length}`,
            language: "pt_BR",
            category: "utility",
            components: [{ type: "BODY", text: "Seu pedido saiu." }]
          })
        case "plans a batch":
          return yield* post("batches", {
            sender: envelope.sender,
            template: welcome,
            scheduled_at: new Date(now + 30 * 60 * second).toISOString(),
            recipients: [{ to, variables: { 1: "Ana" } }]
          })
      }
    })
    if (asked !== undefined) {
      answers.push([act, asked.status, asked.body.error?.code])
      const kind = { sends: "messages", "sends a template": "messages", "asks for money": "payments" }[act as "sends"]
      const list = made[kind ?? { reviews: "templates", "plans a batch": "batches" }[act as "reviews"] ?? ""]
      if (asked.status < 300 && typeof asked.body.id === "string") list?.push(asked.body.id)
      if (act === "reviews" && asked.status === 201) yield* post(`templates/${asked.body.id}/submit`, {})
    }
    now += span
    yield* pass(key, span)
  }
  const ended: Array<unknown> = []
  for (const [kind, ids] of Object.entries(made)) for (const id of ids) ended.push(yield* read(`${kind}/${id}`))
  const events = yield* read("webhook-events/listen?limit=1&wait_ms=0")
  const heard = yield* read("messages?direction=inbound&limit=100")
  return normal({ answers, ended, heard: heard.data, events: events.data?.length }, from, new Map())
})

const results = new Map<number, unknown>()

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("On the product's turned clock", (it) => {
  it.effect(
    "plays recorded courses of a sandbox on real time",
    () =>
      Effect.gen(function* () {
        const passing: Passing = {
          begin: () => Clock.currentTimeMillis,
          pass: (_key, span) =>
            Effect.flatMap(Clock.currentTimeMillis, (now) => turnTo(now + span)) as Effect.Effect<void>
        }
        for (const seed of seeds) {
          results.set(seed, yield* play(seed, "turned", passing))
          yield* quiesce
        }
        assert.strictEqual(results.size, seeds.length)
      }),
    patience
  )
})

it.layer(WholeProduct({ clock: "live" }), { excludeTestServices: true })("On the clock of the sandbox", (it) => {
  it.effect(
    "the courses have equal results on a turned clock, to the millisecond",
    () =>
      Effect.gen(function* () {
        const { get, post } = yield* Api
        const settled = Effect.fnUntraced(function* (key: string, span: number) {
          const asked = yield* post("/v1/sandbox/clock/advance", { by_seconds: span / second }, { key })
          assert.strictEqual(asked.status, 202, asked.text)
          const read = get(`/v1/sandbox/clock/advances/${asked.body.id}`, { key })
          yield* until(Effect.map(read, ({ body }) => body.status !== "running"))
          assert.strictEqual((yield* read).body.status, "settled")
        })
        const passing: Passing = {
          begin: Effect.fnUntraced(function* (key: string) {
            yield* post("/v1/sandbox/clock/freeze", undefined, { key })
            yield* settled(key, second)
            return Date.parse((yield* get("/v1/sandbox/clock", { key })).body.now)
          }),
          pass: settled
        }
        for (const seed of seeds) {
          assert.deepStrictEqual(yield* play(seed, "led", passing), results.get(seed), `seed ${seed}`)
        }
      }),
    patience
  )
})
