import { Effect } from "effect"
import { Agent, request } from "undici"
import { type Client, isFinal, type Target } from "../Client.ts"
import { fields } from "../Log.ts"

import type { PixVendor } from "../payments/PixVendor.ts"
import type { Seeds } from "../Seeds.ts"

/** What buyers run on. */
export interface Counter {
  readonly client: Client
  readonly stopped: () => boolean
}

/** A package somebody wants once, whatever happens to the answers; its key names it. */
export type Unbought = Set<string>

/** One customer: buys packages with the saved card, and asks again under the same key as real callers do. */
export const buyer = Effect.fnUntraced(function* (counter: Counter, name: string, seeds: Seeds, unbought: Unbought) {
  for (let turn = 0; !counter.stopped(); turn++) {
    yield* Effect.sleep(seeds.between(400, 1_600))
    const key = `buy ${name}-${turn}`
    unbought.add(key)
    const copies = Array.from({ length: seeds.chance(0.4) ? seeds.between(2, 4) : 1 }, (_, copy) => copy)
    for (let ends = yield* Effect.forEach(copies, (copy) => buy(counter, `${name}.${copy}`, key), everyone); ; ) {
      if (ends.some(isFinal)) unbought.delete(key)
      if (!unbought.has(key) || counter.stopped()) break
      yield* Effect.sleep(seeds.between(50, 250))
      ends = [yield* buy(counter, name, key)]
    }
  }
})

/** Asks again until every purchase has its final answer. */
export const buyAgain = Effect.fnUntraced(function* (counter: Counter, unbought: Unbought, tries: number) {
  for (let attempt = 0; attempt < tries && unbought.size > 0; attempt++) {
    yield* Effect.forEach(
      [...unbought],
      (key) => Effect.map(buy(counter, "insister", key), (end) => isFinal(end) && unbought.delete(key)),
      { concurrency: 4 }
    )
    if (unbought.size > 0) yield* Effect.sleep("250 millis")
  }
})

const buy = (counter: Counter, name: string, key: string) =>
  counter.client.call(
    name,
    { kind: "buy", key },
    { method: "POST", path: "/v1/billing/packages/purchase", body: { package_code: "pack_1k" }, key }
  )

const everyone = { concurrency: "unbounded" } as const

/** Has the account top itself up: its threshold follows the balance, so that what is sent next takes it below. */
export const crosser = Effect.fnUntraced(function* ({ client, stopped }: Counter, seeds: Seeds) {
  while (!stopped()) {
    yield* Effect.sleep(seeds.between(500, 1_500))
    const path = "/v1/billing/balance"
    const { phase, text } = yield* client.call("crosser", { kind: "harness", path }, { method: "GET", path })
    if (phase !== "ok") continue
    const threshold = Math.floor(Number(fields(text).balance_brl) * 100 - 1) / 100
    const body = { enabled: true, threshold_brl: Math.max(0, threshold).toFixed(2), amount_brl: "20" }
    const set = "/v1/billing/auto-topup"
    yield* client.call("crosser", { kind: "harness", path: set }, { method: "PUT", path: set, body })
  }
})

/** Somebody who is signed in at the dashboard: opens a page, and posts its form; answers the status, and where it leads. */
export type Visitor = (
  page: string,
  path: string,
  form: Readonly<Record<string, string>>
) => Promise<{ readonly status: number; readonly location: string }>

/** Signs in by a link, while nothing is hurt yet. */
export const signIn = Effect.fnUntraced(function* (target: () => Target, signInUrl: string) {
  const agent = yield* Effect.acquireRelease(
    Effect.sync(() => new Agent({ connections: 2, headersTimeout: 12_000, bodyTimeout: 12_000 })),
    (agent) => Effect.promise(() => agent.destroy())
  )
  const cookies = new Map<string, string>()
  const exchange = async (path: string, form?: Readonly<Record<string, string>>) => {
    const answer = await request(`${target().url}${path}`, {
      dispatcher: agent,
      method: form === undefined ? "GET" : "POST",
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" })
      },
      body: form === undefined ? null : new URLSearchParams(form).toString()
    })
    for (const set of [answer.headers["set-cookie"] ?? []].flat()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (name !== undefined) cookies.set(name, value ?? "")
    }
    const location = String(answer.headers.location ?? "")
    return { status: answer.statusCode, location, text: await answer.body.text() }
  }
  const submit: Visitor = async (page, path, form) => {
    const { text } = await exchange(page)
    const csrf = /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? ""
    return exchange(path, { csrf, ...form })
  }
  const { pathname, search, searchParams } = new URL(signInUrl)
  const token = searchParams.get("token") ?? ""
  const { status } = yield* Effect.promise(() => submit(`${pathname}${search}`, "/dashboard/sign-in", { token }))
  return status === 303 ? submit : yield* Effect.die(`nobody could sign in: ${status}`)
})

/** Tops up by Pix, and pays at the bank. Who gets no answer pays at last, or never. */
export const pixPayer = Effect.fnUntraced(function* (
  submit: Visitor,
  vendor: Pick<PixVendor, "decide">,
  seeds: Seeds,
  stopped: () => boolean
) {
  const page = "/dashboard/billing/top-up"
  while (!stopped()) {
    yield* Effect.sleep(seeds.between(500, 2_000))
    const amount = `${seeds.between(20, 99)},${seeds.between(10, 99)}`
    const asked = yield* Effect.exit(Effect.tryPromise(() => submit(page, `${page}/pix`, { amount })))
    yield* Effect.sleep(seeds.between(0, 500))
    if (asked._tag === "Success") vendor.decide(asked.value.location.split("/").at(-1) ?? "", "paid")
  }
})
