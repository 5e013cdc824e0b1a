import type {
  BatchSeen,
  EndpointSeen,
  Evidence,
  MessageSeen,
  PlatformPost,
  PlatformReport,
  PlatformStatus,
  RowSeen
} from "./Evidence.ts"
import { type DraftGroups, goodGroups, grouped } from "./groups/GoodGroups.ts"
import { type Ended, type Entry, makeLog, type Operation, recipientMarker } from "./Log.ts"
import { buys, type DraftMoney, goodMoney } from "./money/GoodMoney.ts"
import type { AuthorizationSeen } from "./payments/Agents.ts"
import { asked, type DraftPayments, goodPayments } from "./payments/GoodPayments.ts"
import type { Received } from "./Receiver.ts"

/** Evidence that a test may bend before it is judged. */
export type Draft = {
  entries: Array<Entry>
  received: Array<Received>
  messages: Array<MessageSeen>
  rows: Array<RowSeen>
  endpoints: { -readonly [Role in keyof Evidence["endpoints"]]: EndpointSeen }
  batches: Array<BatchSeen>
  reader: string
  payments: DraftPayments
  agents: { authorizations: Array<AuthorizationSeen>; openThere: Array<string> }
  money: DraftMoney
  groups: DraftGroups
  strikes: Record<"pix" | "cards", Record<string, number>>
  production: {
    messages: Array<MessageSeen>
    batches: Array<BatchSeen>
    log: { posts: Array<PlatformPost>; statuses: Array<PlatformStatus>; reports: Array<PlatformReport> }
    charged: number
  }
}

/** What a caller hears. */
export interface Heard {
  readonly phase: Ended["phase"]
  readonly status?: number | null
  readonly body?: unknown
  readonly replayed?: boolean
}

/** Adds one call to a history; without an answer it never ended. */
export const asks = (draft: Draft, client: string, operation: Operation, heard?: Heard): void => {
  const log = makeLog(() => 0)
  log.invoke(client, operation)
  if (heard !== undefined) {
    const text = JSON.stringify(heard.body ?? {})
    const status = heard.status === undefined ? 200 : heard.status
    log.end(1, { phase: heard.phase, status, text, replayed: heard.replayed ?? false, node: "all" })
  }
  const call = draft.entries.length + 1
  draft.entries.push(...log.entries.map((entry) => (entry.phase === "fault" ? entry : { ...entry, call })))
}

/** A listener's page: the events with these numbers, and the cursor after them. */
export const page = (events: ReadonlyArray<number>, next_cursor: string) => ({
  data: events.map(streamed),
  has_more: false,
  next_cursor
})

/** The failing endpoint's row number `n`, exhausted or cut off by its trip. */
export const refusedRow = (n: number, error_message: string | null = null): RowSeen => ({
  id: `whe_f${n}`,
  endpoint_id: "we_failing",
  status: "failed",
  type: "message.sent",
  payload: { id: "evt_0" },
  attempts: [
    { status: "failed", status_code: 500, error_message: null },
    { status: "failed", status_code: error_message === null ? 500 : null, error_message }
  ]
})

const types = ["message.sent", "message.delivered", "message.read"]

const streamed = (n: number) => ({
  id: `evt_${n}`,
  type: types[n] ?? "message.sent",
  created_at: `2026-01-01T00:00:00.00${n}Z`,
  payload: { data: { message_id: "msg_1" } }
})

/**
 * A run in which nothing went wrong: one keyed message whose first answer was lost, three events, a batch of two, and a
 * failing endpoint that has tripped once and was switched on again.
 */
export const goodRun = (): Draft => {
  const draft: Draft = {
    entries: [
      { phase: "fault", at: 0, name: "pix", target: "rate_limited slow", stage: "end" },
      { phase: "fault", at: 0, name: "cards", target: "delay_webhook declined", stage: "end" }
    ],
    received: types.map((type, n) => received(n, type)),
    messages: [
      {
        id: "msg_1",
        status: "read",
        metadata: { marker: "m1" },
        events: ["queued", "sending", "sent", "delivered", "read"].map((step) => ({
          type: `message.${step}`,
          details: null
        }))
      }
    ],
    rows: [...types.map(deliveredRow), ...Array.from({ length: 22 }, (_, n) => refusedRow(n))],
    endpoints: {
      steady: endpoint("we_steady"),
      failing: { ...endpoint("we_failing"), probation: true },
      switched: endpoint("we_switched"),
      counted: endpoint("we_counted")
    },
    batches: [
      {
        id: "bat_1",
        status: "completed",
        recipient_count: 2,
        enqueued_count: 2,
        delivered_count: 2,
        read_count: 2,
        failed_count: 0,
        metadata: { marker: "b1" }
      }
    ],
    reader: "reader",
    payments: goodPayments(),
    agents: {
      authorizations: [
        { id: "aga_1", status: "revoked" },
        { id: "aga_2", status: "authorized" }
      ],
      openThere: ["aga_2"]
    },
    money: goodMoney(),
    groups: goodGroups(),
    strikes: { pix: { rate_limited: 2 }, cards: { delay_webhook: 1 } },
    production: {
      messages: [
        {
          ...produced(1, "read"),
          events: ["queued", "sending", "queued", "sending", "sent", "read"].map((step) => ({
            type: `message.${step}`,
            occurred_at: "2026-01-01T00:00:00.000Z",
            details: null
          }))
        },
        { ...produced(2, "sending"), delivery_unconfirmed_at: "2026-01-01T00:00:01.000Z" },
        produced(3, "failed"),
        ...[0, 1].map((n) => ({ ...produced(10 + n, "read"), metadata: { marker: recipientMarker("b1", n) } }))
      ],
      batches: [],
      charged: 1,
      log: {
        reports: [{ at: Date.parse("2026-01-01T00:00:01Z"), status: 200, message_ids: ["msg_p1"] }],
        posts: [
          posted(1, "refused"),
          posted(1, "accepted"),
          posted(2, "dropped"),
          posted(3, "accepted"),
          posted(10, "accepted"),
          posted(11, "accepted")
        ],
        statuses: [
          ...["sent", "delivered", "read"].map((status) => ({ message_id: "msg_p1", status })),
          ...["sent", "failed"].map((status) => ({ message_id: "msg_p3", status })),
          ...["msg_p10", "msg_p11"].map((message_id) => ({ message_id, status: "read" }))
        ]
      }
    }
  }
  const accepted = { phase: "ok", status: 202, body: { id: "msg_1" } } as const
  for (const n of [1, 2, 3]) {
    asks(draft, "p0", { ...send(`p${n}`), scenario: null }, { ...accepted, body: { id: `msg_p${n}` } })
  }
  asks(draft, "b", batch("b1", 2), { phase: "unknown", status: null })
  asks(draft, "b", batch("b1", 2), { ...accepted, body: { id: "bat_1" } })
  asks(draft, "m0", asked("a"), { phase: "unknown", status: null })
  for (const marker of ["a", "b", "c"]) asks(draft, "m0", asked(marker), { phase: "ok", body: { id: `pay_${marker}` } })
  asks(draft, "g0", grouped("a"), { phase: "unknown", status: null })
  for (const marker of ["a", "b"]) asks(draft, "g0", grouped(marker), { phase: "ok", body: { id: `grp_${marker}` } })
  asks(draft, "b0", buys("k1"), { phase: "unknown", status: null })
  asks(draft, "b0", buys("k1"), { phase: "ok", status: 201, body: { id: "ctu_1" } })
  const declined = { error: { code: "card_declined", details: { credit_topup_id: "ctu_2" } } }
  asks(draft, "b0", buys("k2"), { phase: "fail", status: 402, body: declined })
  asks(draft, "c0", send("m1"), { phase: "unknown", status: null })
  asks(draft, "c0", send("m1"), { ...accepted, replayed: true })
  asks(draft, "c0", { kind: "conflict", marker: "m1", key: "key m1" }, { phase: "fail", status: 409 })
  asks(draft, "c0", read, { phase: "ok", body: { status: "sent" } })
  asks(draft, "c0", read, { phase: "ok", body: { status: "read" } })
  asks(draft, "l0", listen("l0", null), { phase: "ok", body: page([0], "one") })
  asks(draft, "l0", listen("l0", "one"), { phase: "unknown", status: null })
  asks(draft, "l0", listen("l0", "one"), { phase: "ok", body: page([1, 2], "three") })
  asks(draft, "reader", listen("reader", null), { phase: "ok", body: page([0, 1, 2], "all") })
  asks(draft, "switcher", { kind: "look", endpoint_id: "we_failing" }, { phase: "ok", body: { status: "disabled" } })
  asks(draft, "switcher", activate, { phase: "ok", body: { status: "active" } })
  asks(draft, "counter", count(19, false), { phase: "ok", body: endpoint("we_counted") })
  asks(draft, "counter", count(20, false), { phase: "ok", body: { ...endpoint("we_counted"), ...tripped } })
  asks(draft, "counter", count(2, true), { phase: "ok", body: { ...endpoint("we_counted"), probation: true } })
  const again = { disabled_detail: { probation_retrip: true } }
  asks(draft, "counter", count(3, true), { phase: "ok", body: { ...endpoint("we_counted"), ...tripped, ...again } })
  return draft
}

/** What the breaker makes of an endpoint. */
export const tripped = {
  status: "disabled",
  probation: false,
  disabled_reason: "consecutive_failures",
  disabled_detail: {}
} as const

/** A look after that many refusals. */
export const count = (refused: number, tripped: boolean): Operation => ({
  kind: "count",
  endpoint_id: "we_counted",
  refused,
  tripped
})

/** A send under the key of its marker. */
export const send = (marker: string): Extract<Operation, { readonly kind: "send" }> => ({
  kind: "send",
  marker,
  key: `key ${marker}`,
  scenario: "success"
})

/** A batch of production under the key of its marker. */
export const batch = (marker: string, recipients: number): Extract<Operation, { readonly kind: "batch" }> => ({
  kind: "batch",
  marker,
  key: `key ${marker}`,
  environment: "production",
  recipients
})

/** A read of the one message. */
export const read: Operation = { kind: "read", message_id: "msg_1" }

/** A listener's call. */
export const listen = (listener: string, cursor: string | null): Operation => ({ kind: "listen", listener, cursor })

const activate: Operation = { kind: "switch", endpoint_id: "we_failing", status: "active" }

/** A new endpoint. */
export const endpoint = (id: string): EndpointSeen => ({
  id,
  status: "active",
  probation: false,
  disabled_reason: null,
  disabled_detail: null
})

/** The production message number `n`, and a post of it. */
export const produced = (n: number, status: string): MessageSeen => ({
  id: `msg_p${n}`,
  status,
  metadata: { marker: `p${n}` },
  events: []
})

export const posted = (n: number, outcome: PlatformPost["outcome"]): PlatformPost => ({
  message_id: `msg_p${n}`,
  outcome,
  fault: null
})

const deliveredRow = (type: string, n: number): RowSeen => ({
  id: `whe_${n}`,
  endpoint_id: "we_steady",
  status: "delivered",
  type,
  payload: { id: `evt_${n}` },
  attempts: [{ status: "succeeded", status_code: 200, error_message: null }]
})

const received = (n: number, type: string): Received => ({
  endpoint: "steady",
  id: `evt_${n}`,
  type,
  message_id: "msg_1",
  verified: true,
  text: `bytes of ${n}`,
  answered: 200
})
