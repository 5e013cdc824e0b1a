import type { KeyScope } from "@carteiro/schema/conventions/Access.ts"
import { Effect } from "effect"
import type { ClusterNode } from "../support/ClusterLines.ts"
import { caller } from "./Api.ts"
import { ownersIn, type Product } from "./Product.ts"
import { recipient } from "./Sends.ts"

/** One environment with a number of its own: two owners, each wherever its id falls. */
export interface Sender {
  readonly key: string
  readonly number: string
  /** The processes those owners live in, of a cluster. */
  readonly homes: ReadonlyArray<number>
}

/** The one customer all senders write to. */
export const customer = recipient(0)

/** So many environments of one organization, made through the public API; the customer has written to each of them. */
export const makeSenders = Effect.fnUntraced(function* (
  product: Product,
  count: number,
  scopes: ReadonlyArray<KeyScope> = senderScopes
) {
  const { database, sandbox } = product
  const senders: Array<Sender> = []
  for (let n = 0; n < count; n++) {
    // An organization holds a hundred active projects; here one stands for many.
    if (n % 50 === 49) yield* database.query("update organization_counters set active_projects = 0")
    const project = (yield* sandbox.post("/v1/projects", { name: `Sender ${n}` })).body
    const environmentId: string = project.environments[0].id
    const asked = { name: `sender ${n}`, environment: "sandbox", project_id: project.id, scopes }
    const key: string = (yield* sandbox.post("/v1/api-keys", asked)).body.secret
    const [row] = yield* database.query("select id from phone_numbers where environment_id = $1", [environmentId])
    const number = String(row?.id)
    const { post } = yield* caller(product.url, key, 1)
    const heard = { channel: "chatapp", from: customer, to: number, type: "text", text: { body: "Oi" } }
    senders.push({ key, number, homes: yield* waking(product, post("/v1/sandbox/inbound-messages", heard)) })
  }
  return senders
})

const senderScopes: ReadonlyArray<KeyScope> = ["messages:write", "sandbox:write"]

/** The shards whose owners in memory a call made more: those it woke. */
const waking = Effect.fnUntraced(function* <A, E, R>(product: Product, call: Effect.Effect<A, E, R>) {
  const shards = product.nodes().filter(({ role }) => role === "shard")
  const count = (shard: ClusterNode) => ownersIn(shard, ["Environment", "PhoneNumber"])
  const before = yield* Effect.forEach(shards, count)
  yield* call
  const after = yield* Effect.forEach(shards, count)
  return shards.filter((_, at) => (after[at] ?? 0) > (before[at] ?? 0)).map(({ pid }) => pid)
})
