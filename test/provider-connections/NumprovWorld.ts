import {
  type InventoryNumber,
  type NumberAccount,
  type NumberCall,
  Numprov
} from "@carteiro/provider/NumberProvider.ts"
import { Effect, Layer, Redacted } from "effect"
import { Api, type CallOptions } from "../support/ApiTest.ts"
import { seedTenant, type TestEnvironment } from "../support/Tenants.ts"

type Operation = "account" | "numbers"
/** The ways in which a call can fail. */
export type Mishap = "none" | "lost" | "refused" | "suspended" | "dies"

/** A tenant's account: its id, its key and its numbers, two on a page. */
interface Account {
  readonly id: string
  readonly numbers: Array<InventoryNumber>
}

/** A number provider without sockets that behaves as the test says and records its calls. */
export class NumprovWorld {
  readonly accounts = new Map<string, Account>()
  readonly asked: Array<readonly [operation: Operation, key: string]> = []
  /** The next failures, by operation. */
  readonly mishaps: Record<Operation, Array<Mishap>> = { account: [], numbers: [] }
  private made = 0

  readonly layer = Layer.succeed(Numprov, { platform: undefined, of: (key) => this.account(Redacted.value(key)) })

  /** Makes an account with a key of its own and that many active numbers. */
  open(numbers: number): { readonly account_id: string; readonly api_key: string } {
    const n = ++this.made
    const api_key = `key-of-${n}`
    this.accounts.set(api_key, {
      id: `acc_${n}`,
      numbers: Array.from({ length: numbers }, (_, at) => ({
        number_id: `num_${n}_${at}`,
        number: `+55118${String(n * 1000 + at).padStart(8, "0")}`,
        status: "active" as const,
        sms: true
      }))
    })
    return { account_id: `acc_${n}`, api_key }
  }

  private account(key: string): NumberAccount {
    const ask = <A>(operation: Operation, answer: (account: Account) => A): Effect.Effect<NumberCall<A>> =>
      Effect.suspend((): Effect.Effect<NumberCall<A>> => {
        this.asked.push([operation, key])
        const account = this.accounts.get(key)
        const next = this.mishaps[operation].shift()
        const mishap = account === undefined ? "refused" : next === "none" ? undefined : next
        if (mishap === "dies") return Effect.die(new Error("the node stops here"))
        if (mishap === "lost") return Effect.succeed({ _tag: "Unknown", retry_after_ms: null } as const)
        if (mishap !== undefined || account === undefined) {
          const code = mishap === "suspended" ? "account_suspended" : "credentials_invalid"
          return Effect.succeed({ _tag: "Refused", code } as const)
        }
        return Effect.succeed({ _tag: "Done", value: answer(account) } as const)
      })
    const never = () => Effect.die(new Error("nothing is rented"))
    return {
      read: ask("account", ({ id }) => ({ id, name: "Customer" })),
      numbers: (cursor) =>
        ask("numbers", ({ numbers }) => {
          const from = Number(cursor ?? 0)
          const next = from + 2 < numbers.length ? String(from + 2) : null
          return { numbers: numbers.slice(from, from + 2).map((one) => ({ ...one })), next }
        }),
      available: never,
      order: never,
      orderById: never,
      findOrder: never,
      release: never
    }
  }
}

let stages = 0

/** A separate organization, and the calls of its keys. */
export const numprovStage = Effect.gen(function* () {
  const api = yield* Api
  const n = ++stages
  const tenant = yield* seedTenant(`numprov${n}`)
  const calls = ({ key }: Pick<TestEnvironment, "key">) => {
    const path = "/v1/provider-connections/numprov"
    let keys = 0
    const post = (to: string, body?: unknown, options: CallOptions = {}) =>
      api.post(`${path}${to}`, body, { key, idempotencyKey: `n${n}-${++keys}`, ...options })
    return {
      post,
      get: (to: string) => api.get(`${path}${to}`, { key }),
      import: (body: object, options: CallOptions = {}) =>
        api.post("/v1/phone-numbers/import-numprov", body, { key, idempotencyKey: `i${n}-${++keys}`, ...options }),
      number: (id: string) => Effect.map(api.get(`/v1/phone-numbers/${id}`, { key }), ({ body }) => body),
      api: (method: string, to: string, body?: unknown) => api.call(method, `/v1${to}`, body, { key })
    }
  }
  return { tenant, calls, sandbox: calls(tenant.sandbox), production: calls(tenant.production) }
})
