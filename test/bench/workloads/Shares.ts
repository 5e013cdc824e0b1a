import { Effect } from "effect"
import { Bench } from "../Bench.ts"
import { BenchFailure } from "../BenchFailure.ts"
import { makeNoise, type Noise } from "../Noise.ts"
import { deferred, type Product, startProduct } from "../Product.ts"
import { quietPerSecond, quietRound } from "../QuietRound.ts"
import { medianOf, sideOf } from "../Report.ts"
import { alternate, type SideResult } from "../Rounds.ts"
import { customer, makeSenders } from "../Senders.ts"
import type { Workload } from "./Workload.ts"

const quiet = 10
const clients = 6
const worstFactor = 3
const mostP99Ms = 100

const component = (n: number) => ({
  type: "TextInput",
  name: `field_${n % 500}`,
  label: `Qual é o seu nome, parte ${n}?`,
  required: n % 2 === 0,
  "helper-text": "Como está no documento"
})

/** A flow of nearly 1 MiB, made of thousands of small components as real ones are. */
const flow = () => {
  const screen = (n: number) => ({
    id: `SCREEN_${n}`,
    title: `Tela ${n}`,
    layout: { type: "SingleColumnLayout", children: Array.from({ length: 80 }, (_, k) => component(n * 80 + k)) }
  })
  return JSON.stringify({
    name: "Cadastro",
    flow_json: { version: "7.2", screens: Array.from({ length: 90 }, (_, n) => screen(n)) }
  })
}

/** A send with the largest file that a body may hold. */
const inline = (number: string) => {
  const bytes = Buffer.alloc(5 * 1_048_576, "\x89PNG\r\n\x1a\n e o resto da imagem", "latin1")
  return JSON.stringify({
    channel: "chatapp",
    sender: { type: "chatapp_phone_number", id: number },
    recipient: { type: "phone_e164", id: customer },
    message: {
      type: "media",
      media: { kind: "image", inline: { mime_type: "image/png", data_base64: bytes.toString("base64") } }
    }
  })
}

/** A thousand contacts with two kilobytes of metadata each. */
const contacts = (part: number) =>
  JSON.stringify({
    rows: Array.from({ length: 1000 }, (_, n) => ({
      phone: `+55119${String(part * 1000 + n).padStart(8, "0")}`,
      metadata: { plan: "gold", note: "x".repeat(1900), number: n }
    }))
  })

/** Who posts large bodies, to whom that must not matter. */
export const shares: Workload = {
  name: "shares",
  about: `POST /v1/messages of ${quiet} environments at ${quietPerSecond} requests a second each, alone and beside another one that posts 1 MiB flows, 5 MiB inline media or 2 MB imports over ${clients} connections as fast as it is answered; one process, no bucket sets a limit.`,
  needs: [],
  run: Effect.gen(function* () {
    const product = yield* startProduct({ name: "shares", env: deferred })
    const [noisy, ...others] = yield* makeSenders(product, quiet + 1)
    if (noisy === undefined) return yield* new BenchFailure({ message: "no environment was made" })
    const { options } = yield* Bench
    const { key, number } = yield* loud(product)
    const beside = { url: product.url, key, clients }
    const imports = Array.from({ length: 30 }, (_, part) => contacts(part))
    const loads = {
      flows: { ...beside, path: "/v1/flows", bodies: [flow()] },
      "inline media": { ...beside, path: "/v1/messages", bodies: [inline(number)] },
      imports: { ...beside, path: "/v1/contacts/bulk-import", bodies: imports }
    } satisfies Record<string, Noise>
    const facts: Array<string> = []
    const noise = (name: string, load: Noise) =>
      Effect.map(makeNoise(load, options.seconds), (counts) => void facts.push(`${name}: ${JSON.stringify(counts)}`))
    const sides = yield* alternate([
      { name: "alone", round: quietRound(product, others, Effect.sleep(options.seconds * 1000)) },
      ...Object.entries(loads).map(([name, load]) => ({
        name: `beside ${name}`,
        round: quietRound(product, others, noise(name, load))
      }))
    ])
    return {
      unit: "requests",
      sides,
      bars: Object.keys(loads).flatMap((name) => barsOf(sides, `beside ${name}`)),
      facts
    }
  })
}

/** The demo organization's own sandbox, its quota large enough for every round. */
const loud = Effect.fnUntraced(function* (product: Product) {
  const { api_key: key, phone_number_id: number } = product.dev.sandbox
  if (number === null) return yield* new BenchFailure({ message: "the product's dev.json names no sandbox number" })
  yield* product.sandbox.post("/v1/sandbox/inbound-messages", {
    channel: "chatapp",
    from: customer,
    to: number,
    type: "text",
    text: { body: "Oi" }
  })
  // The first file opens the quota's row.
  yield* product.sandbox.post("/v1/messages", JSON.parse(inline(number)))
  yield* product.database.query("update media_usage set limit_bytes = 1e12::int8")
  return { key, number }
})

const barsOf = (sides: ReadonlyArray<SideResult>, name: string) => {
  const p50 = medianOf(sideOf(sides, name), "p50Ms") ?? Number.NaN
  const p99 = medianOf(sideOf(sides, name), "p99Ms") ?? Number.NaN
  const alone = medianOf(sideOf(sides, "alone"), "p50Ms") ?? Number.NaN
  return [
    {
      promise: `p50 ${name} at most ${worstFactor}x alone`,
      measured: `${p50.toFixed(1)} ms against ${alone.toFixed(1)} ms`,
      passed: p50 <= worstFactor * alone
    },
    { promise: `p99 ${name} below ${mostP99Ms} ms`, measured: `${p99.toFixed(1)} ms`, passed: p99 < mostP99Ms }
  ]
}
