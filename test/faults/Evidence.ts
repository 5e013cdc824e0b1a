import { Effect } from "effect"
import type { Client } from "./Client.ts"
import { type Endpoints, look, type Role, roles } from "./Endpoints.ts"
import type { GroupsSeen } from "./groups/GroupsSeen.ts"
import { readThrough } from "./Listeners.ts"
import { type Entry, fields, restsAs, type Scenario } from "./Log.ts"
import type { MoneySeen } from "./money/MoneySeen.ts"
import type { AgentsSeen } from "./payments/Agents.ts"
import type { PaymentsSeen } from "./payments/PaymentsSeen.ts"
import { listAll } from "./Reading.ts"
import type { Received } from "./Receiver.ts"
import type { Strikes } from "./VendorFaults.ts"

/** A message as the API shows it at the end. */
export interface MessageSeen {
  readonly id: string
  readonly status: string
  readonly delivery_unconfirmed_at?: string | null
  readonly metadata: { readonly marker?: string; readonly sandbox_scenario?: Scenario } | null
  readonly events: ReadonlyArray<{
    readonly type: string
    readonly occurred_at?: string
    readonly details: { readonly applied?: boolean } | null
  }>
}

/** A batch as the API shows it at the end. */
export interface BatchSeen {
  readonly id: string
  readonly status: string
  readonly recipient_count: number
  readonly enqueued_count: number
  readonly delivered_count: number
  readonly read_count: number
  readonly failed_count: number
  readonly metadata: { readonly marker?: string } | null
}

/** A row of the delivery log as the API shows it at the end. */
export interface RowSeen {
  readonly id: string
  readonly endpoint_id: string
  readonly status: "pending" | "delivered" | "failed"
  readonly type: string
  readonly payload: { readonly id: string }
  readonly attempts: ReadonlyArray<{
    readonly status: string
    readonly status_code: number | null
    readonly error_message: string | null
  }>
}

/** An endpoint as the API shows it at the end. */
export interface EndpointSeen {
  readonly id: string
  readonly status: "active" | "disabled"
  readonly probation: boolean
  readonly disabled_reason: string | null
  readonly disabled_detail: { readonly probation_retrip?: boolean } | null
}

/** One send that reached the platform: taken, refused with an error, or left without an answer that tells. */
export interface PlatformPost {
  readonly message_id: string | null
  readonly outcome: "accepted" | "refused" | "dropped"
  readonly fault: string | null
}

/** One status that the platform told; each copy that it took of a message has an id of its own. */
export interface PlatformStatus {
  readonly message_id: string | null
  readonly provider_message_id?: string
  readonly status: string
}

/** One webhook that the product has stored, at that instant in epoch milliseconds. */
export interface PlatformReport {
  readonly at: number
  readonly status: number
  readonly message_ids: ReadonlyArray<string>
}

/** What the platform saw and said, oldest first. */
export interface PlatformLog {
  readonly posts: ReadonlyArray<PlatformPost>
  readonly statuses: ReadonlyArray<PlatformStatus>
  readonly reports: ReadonlyArray<PlatformReport>
}

/** Production as the API and the platform show it at the end. */
export interface ProductionSeen {
  readonly messages: ReadonlyArray<MessageSeen>
  readonly batches: ReadonlyArray<BatchSeen>
  readonly log: PlatformLog
  /** Debits of the ledger for messages. */
  readonly charged: number
}

/** Everything the checks may look at: what clients, receiver and API saw, never the product's own tables. */
export interface Evidence {
  readonly entries: ReadonlyArray<Entry>
  readonly received: ReadonlyArray<Received>
  readonly messages: ReadonlyArray<MessageSeen>
  /** Of both environments. */
  readonly batches: ReadonlyArray<BatchSeen>
  readonly rows: ReadonlyArray<RowSeen>
  readonly endpoints: Readonly<Record<Role, EndpointSeen>>
  /** The listener that read the whole stream when all was over. */
  readonly reader: string
  readonly production: ProductionSeen
  readonly payments: PaymentsSeen
  readonly agents: AgentsSeen
  readonly money: MoneySeen
  readonly groups: GroupsSeen
  /** What vendors of money did wrong, by the fault that had them do so. */
  readonly strikes: Readonly<Record<"pix" | "cards", Strikes>>
}

/** The messages of both environments. */
export const everyMessage = ({ messages, production }: Evidence): ReadonlyArray<MessageSeen> => [
  ...messages,
  ...production.messages
]

/**
 * Looks until nothing waits any more, then reads everything there is; after `tries` looks it reads what there is by then,
 * and the checks say what is stuck. Rows are read after the stream, and the stream after the messages, so that each
 * holds what the one before tells of.
 */
export const gather = Effect.fnUntraced(function* (
  client: Client,
  endpoints: Endpoints,
  log: { readonly entries: ReadonlyArray<Entry> },
  received: ReadonlyArray<Received>,
  gatherElsewhere: Effect.Effect<Pick<Evidence, "production" | "payments" | "agents" | "money" | "groups" | "strikes">>,
  tries: number
) {
  const elsewhere = yield* gatherElsewhere
  for (let attempt = 1; ; attempt++) {
    const last = attempt >= tries
    if (last || (yield* nothingWaits(client))) {
      const messages = yield* listAll<MessageSeen>(client, "/v1/messages?direction=outbound")
      const reader = `reader-${attempt}`
      if (last || messages.every(atRest)) {
        yield* readThrough(client, reader)
        const rows = yield* listAll<RowSeen>(client, "/v1/webhook-events?")
        if (last || rows.every(({ status }) => status !== "pending")) {
          const seen = { steady: blank, failing: blank, switched: blank, counted: blank }
          for (const role of roles) seen[role] = { ...blank, ...fields((yield* look(client, endpoints[role])).text) }
          return {
            entries: [...log.entries],
            received: [...received],
            messages,
            batches: [...(yield* listAll<BatchSeen>(client, "/v1/batches?")), ...elsewhere.production.batches],
            rows,
            endpoints: seen,
            reader,
            ...elsewhere
          }
        }
      }
    }
    yield* Effect.sleep("400 millis")
  }
})

/**
 * Looks at production until all of it has ended or is unconfirmed, then reads it. Batches are read once more after their
 * messages, since the counts of a completed batch grow with every delivery.
 */
export const gatherProduction = Effect.fnUntraced(function* (
  client: Client,
  platformLog: Effect.Effect<PlatformLog>,
  allAtRest: (messages: ReadonlyArray<MessageSeen>, log: PlatformLog) => boolean,
  tries: number
) {
  for (let attempt = 1; ; attempt++) {
    const fed = yield* listAll<BatchSeen>(client, "/v1/batches?")
    const messages = yield* listAll<MessageSeen>(client, "/v1/messages?direction=outbound")
    const log = yield* platformLog
    const atRest = allAtRest(messages, log) && fed.every(isFed) && agree(fed, messages)
    const charged = atRest || attempt >= tries ? yield* countCharges(client) : 0
    if (attempt >= tries || (atRest && charged >= messages.filter(wasCarried).length)) {
      const batches = yield* listAll<BatchSeen>(client, "/v1/batches?")
      return { messages, batches, log, charged } satisfies ProductionSeen
    }
    yield* Effect.sleep("1 second")
  }
})

const carried: ReadonlySet<string> = new Set(["message.sent", "message.delivered", "message.read"])

/** True when a step of the message says that the platform carried it: it is charged then. */
export const wasCarried = ({ events }: MessageSeen): boolean =>
  events.some(({ details, type }) => carried.has(type) && details?.applied !== false)

const countCharges = (client: Client) =>
  Effect.map(
    listAll<{ readonly meter_id: string | null }>(client, "/v1/billing/ledger?source_type=usage"),
    (entries) => entries.filter(({ meter_id }) => meter_id?.startsWith("message.") === true).length
  )

const isFed = ({ enqueued_count, recipient_count }: BatchSeen): boolean => enqueued_count === recipient_count

/** Whether no batch waits for more than messages whose end nobody will tell. */
const agree = (batches: ReadonlyArray<BatchSeen>, messages: ReadonlyArray<MessageSeen>): boolean => {
  const open = new Set(
    messages.flatMap(({ metadata, status }) => (status === "sending" ? (metadata?.marker?.split(".", 1)[0] ?? []) : []))
  )
  return batches.every(({ metadata, status }) => status === "completed" || open.has(metadata?.marker ?? ""))
}

const waiting = [
  "/v1/messages?status=queued",
  "/v1/messages?status=sending",
  "/v1/webhook-events?status=pending",
  "/v1/batches?status=queued",
  "/v1/batches?status=processing"
]

const nothingWaits = Effect.fnUntraced(function* (client: Client) {
  for (const path of waiting) {
    const page = `${path}&limit=1`
    const end = yield* client.call("reader", { kind: "harness", path: page }, { method: "GET", path: page })
    const { data } = fields(end.text)
    if (end.phase !== "ok" || !Array.isArray(data) || data.length > 0) return false
  }
  return true
})

const atRest = ({ metadata, status }: MessageSeen): boolean =>
  status === restsAs[metadata?.sandbox_scenario ?? "success"]

const blank: EndpointSeen = { id: "", status: "active", probation: false, disabled_reason: null, disabled_detail: null }
