import { Effect } from "effect"
import type { Client } from "../Client.ts"
import { fields } from "../Log.ts"
import type { Visitor } from "../money/Buyers.ts"
import { listAll } from "../Reading.ts"
import type { Seeds } from "../Seeds.ts"
import type { AgenticVendor } from "./AgenticVendor.ts"
import type { PixVendor } from "./PixVendor.ts"

/** What authorizations are asked for on. */
export interface AgentStage {
  readonly client: Client
  readonly vendor: AgenticVendor
  readonly stopped: () => boolean
}

/** An authorization as the API shows it at the end. */
export interface AuthorizationSeen {
  readonly id: string
  readonly status: string
}

/** Authorizations here, and the ids of those that their provider has open, when all is over. */
export interface AgentsSeen {
  readonly authorizations: ReadonlyArray<AuthorizationSeen>
  readonly openThere: ReadonlyArray<string>
}

const path = "/v1/agentic/authorizations"
const pace = [300, 900] as const

/** Connects the production environment to the provider, as a person of the dashboard does. */
export const connectAgents = Effect.fnUntraced(function* (
  client: Client,
  visitor: Visitor,
  vendor: AgenticVendor,
  baseUrl: string
) {
  vendor.connect(baseUrl, yield* connectBy(client, visitor, "pixprov1.agentic_payments", vendor.credentials))
})

/** Replaces the demonstration's account of Pix by one at an institution, where the vendor's wire has no account of one key. */
export const connectPix = Effect.fnUntraced(function* (
  client: Client,
  visitor: Visitor,
  { credentials }: PixVendor,
  demoConnectionId: string
) {
  if (credentials === undefined) return
  const path = `/v1/provider-connections/${demoConnectionId}/disconnect`
  yield* client.call("setup", { kind: "harness", path }, { method: "POST", path, body: {} })
  yield* connectBy(client, visitor, "pixprov2.payments", credentials)
})

/** Enters credentials at the page of a new setup session, as a person does; returns the id of the connection. */
const connectBy = Effect.fnUntraced(function* (
  client: Client,
  visitor: Visitor,
  target: "pixprov1.agentic_payments" | "pixprov2.payments",
  credentials: Readonly<Record<string, string>>
) {
  const sessions = "/v1/provider-credential-setup-sessions"
  const ask = (method: "GET" | "POST", at: string, body?: object) =>
    client.call("setup", { kind: "harness", path: at }, { method, path: at, ...(body === undefined ? {} : { body }) })
  const { text } = yield* ask("POST", sessions, { target })
  const id = String(fields(text).id)
  const page = `/dashboard/setup/${id}`
  yield* Effect.promise(() => visitor(page, page, credentials))
  const connection = fields((yield* ask("GET", `${sessions}/${id}`)).text).provider_connection_id
  if (typeof connection !== "string") return yield* Effect.die(`${target} is not connected: ${text}`)
  return connection
})

/** One agent: asks customers for authorizations, of whom some give them, and takes most of them back soon after. */
export const agent = Effect.fnUntraced(function* (stage: AgentStage, name: string, seeds: Seeds) {
  const { client, stopped, vendor } = stage
  for (let turn = 0; !stopped(); turn++) {
    yield* Effect.sleep(seeds.between(...pace))
    const body = {
      bank_id: "bank_azul",
      customer_name: "Ana",
      customer_tax_id: "12345678909",
      max_amount_brl_centavos: 10_000
    }
    const key = `authorization ${name} ${turn}`
    const answer = yield* client.call(name, { kind: "harness", path }, { method: "POST", path, body, key })
    if (answer.phase !== "ok") continue
    const id = String(fields(answer.text).id)
    yield* Effect.sleep(seeds.between(0, 400))
    if (seeds.chance(0.3)) yield* Effect.promise(() => vendor.authorize(id))
    if (seeds.chance(0.8)) yield* revoke(client, name, id)
  }
})

const revoke = (client: Client, name: string, id: string) => {
  const at = `${path}/${id}/revoke`
  return client.call(name, { kind: "harness", path: at }, { method: "POST", path: at, body: {} })
}

/** Looks for so long at least: a create that was cut off by the last fault may land later than this begins. */
const leastTries = 10

const isOver = ({ status }: AuthorizationSeen): boolean => status !== "pending" && status !== "authorized"

/** Takes back whatever is open here, and looks until nothing is open at the provider, once a second. */
export const gatherAgents = Effect.fnUntraced(function* (client: Client, vendor: AgenticVendor, tries: number) {
  for (let attempt = 1; ; attempt++) {
    const authorizations = yield* listAll<AuthorizationSeen>(client, `${path}?`)
    for (const one of authorizations) if (!isOver(one)) yield* revoke(client, "reader", one.id)
    const openThere = yield* Effect.promise(() => vendor.open())
    const isAwaited = authorizations.length > 0 && attempt < leastTries
    const isAtRest = !isAwaited && openThere.length === 0 && authorizations.every(isOver)
    if (isAtRest || attempt >= tries) return { authorizations, openThere } satisfies AgentsSeen
    yield* Effect.sleep("1 second")
  }
})
