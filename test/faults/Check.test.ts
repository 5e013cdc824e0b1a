import { assert, describe, it } from "@effect/vitest"
import { batchBreaches } from "./BatchBreaches.ts"
import { changed, first } from "./Bending.ts"
import { checks, judge, type Promised } from "./Check.ts"
import {
  asks,
  count,
  type Draft,
  endpoint,
  goodRun,
  listen,
  page,
  posted,
  produced,
  read,
  refusedRow,
  send,
  tripped
} from "./GoodRun.ts"
import { groupBreaches } from "./groups/GroupBreaches.ts"
import { moneyBreaches } from "./money/MoneyBreaches.ts"
import { paymentBreaches } from "./payments/PaymentBreaches.ts"

type Breach = readonly [what: string, bend: (draft: Draft) => void]

const ok = (body: unknown, replayed = true) => ({ phase: "ok", status: 202, body, replayed }) as const

/** Histories that break each promise: every check must be able to fail. */
const breaches: Readonly<Record<Promised, ReadonlyArray<Breach>>> = {
  "an accepted message is never lost": [
    ["a message that is gone", (draft) => draft.messages.pop()],
    ["another intent's message", (draft) => changed(draft.messages, { metadata: { marker: "m9" } })]
  ],
  "every message comes to its end": [["a stuck message", (draft) => changed(draft.messages, { status: "sending" })]],
  "a refusal has no effect": [
    [
      "a message that was only refused",
      (draft) => {
        asks(draft, "c1", { ...send("m2"), key: null } as never, { phase: "fail", status: 429 })
        draft.messages.push({ id: "msg_2", status: "read", metadata: { marker: "m2" }, events: [] })
      }
    ]
  ],
  "reads never go back": [
    ["an earlier status", (draft) => asks(draft, "c1", read, { phase: "ok", body: { status: "sent" } })],
    ["a missing message", (draft) => asks(draft, "c1", read, { phase: "fail", status: 404 })]
  ],
  "nothing is sent again after a confirmed outcome": [
    [
      "two deliveries",
      ({ messages }) =>
        changed(messages, { events: [...(messages[0]?.events ?? []), { type: "message.delivered", details: null }] })
    ]
  ],
  "one effect per idempotency key": [
    ["two messages for one key", ({ messages }) => messages.push({ ...first(messages), id: "msg_2" })]
  ],
  "replays are equal byte for byte": [
    ["another body", (draft) => asks(draft, "c0", send("m1"), ok({ id: "msg_1", more: 1 }))],
    ["another status", (draft) => asks(draft, "c0", send("m1"), { ...ok({ id: "msg_1" }), status: 200 })],
    [
      "two first answers",
      (draft) => {
        asks(draft, "c0", send("m1"), ok({ id: "msg_1" }, false))
        asks(draft, "c0", send("m1"), ok({ id: "msg_1" }, false))
      }
    ]
  ],
  "a key takes no other body": [
    [
      "an answer to another body",
      (draft) => asks(draft, "c0", { kind: "conflict", marker: "m1", key: "key m1" }, ok({ id: "msg_1" }))
    ]
  ],
  "no key stays in progress": [
    ["a key without an answer", (draft) => asks(draft, "c1", send("m3"), { phase: "fail", status: 409 })],
    ["a key that was cut off", (draft) => asks(draft, "c1", send("m3"))]
  ],
  "listen has no gap and no repeat": [
    ["a gap", (draft) => asks(draft, "l1", listen("l1", null), { phase: "ok", body: page([1], "x") })],
    ["a repeat", (draft) => asks(draft, "l0", listen("l0", "three"), { phase: "ok", body: page([2], "again") })],
    [
      "an event that shows up behind the cursor",
      (draft) => {
        asks(draft, "l1", listen("l1", null), { phase: "ok", body: page([0], "x") })
        asks(draft, "l1", listen("l1", "x"), { phase: "ok", body: page([2], "y") })
      }
    ],
    [
      "an event nobody else saw",
      (draft) => asks(draft, "l1", listen("l1", null), { phase: "ok", body: page([7], "x") })
    ],
    [
      "the reader's own repeat",
      (draft) => asks(draft, "reader", listen("reader", "all"), { phase: "ok", body: page([2], "more") })
    ]
  ],
  "each status is announced exactly once": [
    ["an unannounced status", (draft) => changed(draft.messages, { status: "delivered" })],
    [
      "an announcement too many",
      (draft) => asks(draft, "reader", listen("reader", "all"), { phase: "ok", body: page([3], "more") })
    ]
  ],
  "listen tells of a message oldest first": [
    [
      "a later event before an earlier one",
      (draft) => asks(draft, "reader", listen("reader", "all"), { phase: "ok", body: page([0], "more") })
    ]
  ],
  "a willing endpoint gets every event": [
    ["a row that is missing", (draft) => draft.rows.shift()],
    ["a second row", ({ rows }) => rows.push(...rows.slice(0, 1))],
    ["a row that failed", (draft) => changed(draft.rows, { status: "failed" })],
    ["a delivery that never came", (draft) => draft.received.shift()]
  ],
  "every delivery comes to its end": [["a stuck delivery", (draft) => changed(draft.rows, { status: "pending" })]],
  "delivered means received": [["a refused delivery", (draft) => changed(draft.received, { answered: 500 })]],
  "deliveries are signed and keep their bytes": [
    ["a wrong signature", (draft) => changed(draft.received, { verified: false })],
    ["an unknown event", (draft) => changed(draft.received, { id: "evt_9" })],
    ["other bytes", ({ received }) => received.push({ ...first(received), text: "other" })]
  ],
  "a receiver hears of each status by one event": [
    ["two events of one type", ({ received }) => received.push({ ...first(received), id: "evt_1" })]
  ],
  "the breaker trips at exactly 20, and 3 on probation": [
    ["a trip at 19", (draft) => asks(draft, "counter", count(19, false), { phase: "ok", body: tripped })],
    [
      "no trip at 20",
      (draft) => asks(draft, "counter", count(20, false), { phase: "ok", body: endpoint("we_counted") })
    ],
    ["a second trip at 2", (draft) => asks(draft, "counter", count(2, true), { phase: "ok", body: retripped })],
    ["no second trip at 3", (draft) => asks(draft, "counter", count(3, true), { phase: "ok", body: onProbation })],
    [
      "a hidden probation",
      (draft) => asks(draft, "counter", count(2, true), { phase: "ok", body: endpoint("we_counted") })
    ],
    ["a hidden second trip", (draft) => asks(draft, "counter", count(3, true), { phase: "ok", body: tripped })],
    [
      "another reason",
      (draft) =>
        asks(draft, "counter", count(20, false), { phase: "ok", body: { ...tripped, disabled_reason: "manual" } })
    ]
  ],
  "no trip without its failures": [
    [
      "a trip after 19",
      (draft) => {
        draft.rows = draft.rows.filter(({ id }) => !/^whe_f(19|2\d)$/.test(id))
      }
    ],
    [
      "no trip after twenty",
      (draft) => {
        draft.entries = []
      }
    ],
    [
      "a second trip after two more",
      (draft) => {
        draft.endpoints.failing = { ...draft.endpoints.failing, ...retripped }
        asks(draft, "switcher", look, { phase: "ok", body: { status: "disabled" } })
      }
    ],
    [
      "a second trip that hides its probation",
      (draft) => {
        draft.rows.push(refusedRow(22))
        draft.endpoints.failing = { ...draft.endpoints.failing, ...tripped }
        asks(draft, "switcher", look, { phase: "ok", body: { status: "disabled" } })
      }
    ],
    [
      "another reason",
      (draft) => {
        draft.rows.push(refusedRow(22))
        draft.endpoints.failing = { ...draft.endpoints.failing, ...retripped, disabled_reason: "manual" }
        asks(draft, "switcher", look, { phase: "ok", body: { status: "disabled" } })
      }
    ],
    ["no probation", ({ endpoints }) => (endpoints.failing = { ...endpoints.failing, probation: false })]
  ],
  "a production message ends or is unconfirmed": [
    ["one that waits", ({ production }) => production.messages.push(produced(4, "queued"))],
    ["one without its confirmation", ({ production }) => production.messages.push(produced(4, "sending"))],
    [
      "one whose statuses were lost",
      ({ production }) => {
        production.messages.push(produced(4, "sent"))
        production.log.posts.push(posted(4, "accepted"))
      }
    ],
    [
      "one that is unconfirmed and was taken",
      ({ production }) => production.log.statuses.push({ message_id: "msg_p2", status: "sent" })
    ]
  ],
  "what the platform took ends as it says": [
    ["one that failed and was read", ({ production }) => changed(production.messages, { status: "failed" })],
    [
      "one that was read and failed",
      ({ production }) => production.log.statuses.push({ message_id: "msg_p1", status: "failed" })
    ]
  ],
  "posted again only after a refusal": [
    ["a second post of what was taken", ({ production }) => production.log.posts.push(posted(1, "accepted"))],
    ["a post after an answer that was lost", ({ production }) => production.log.posts.push(posted(2, "accepted"))]
  ],
  "nothing is tried again after a stored report": [
    [
      "a try after the report",
      ({ production }) => {
        const occurred_at = "2026-01-01T00:00:02.000Z"
        const sending = { type: "message.sending", occurred_at, details: null }
        production.messages.push({ ...produced(4, "read"), events: [sending] })
        production.log.reports.push({ at: Date.parse("2026-01-01T00:00:01Z"), status: 200, message_ids: ["msg_p4"] })
      }
    ]
  ],
  "a message that was carried is charged once": [
    ["one that is charged twice", ({ production }) => (production.charged += 1)],
    ["one that is not charged", ({ production }) => (production.charged -= 1)]
  ],
  "only what is stored is posted": [
    ["a message nobody has", ({ production }) => production.log.posts.push(posted(9, "accepted"))]
  ],
  "ambiguous is at most what was on the wire": [
    ["one that was never on the wire", ({ production }) => production.messages.push(unconfirmed(4))],
    [
      "more than a kill can leave",
      ({ entries, production }) => {
        entries.push({ phase: "fault", at: 0, name: "kill", target: "all", stage: "begin" })
        for (let n = 0; n < 33; n++) production.messages.push(unconfirmed(4 + n))
      }
    ],
    [
      "one that only the platform's faults would explain",
      ({ entries, production }) => {
        entries.push({ phase: "fault", at: 0, name: "upstream", target: "reset_before", stage: "begin" })
        production.messages.push(unconfirmed(4))
      }
    ]
  ],
  ...batchBreaches,
  ...paymentBreaches,
  ...moneyBreaches,
  ...groupBreaches,
  "processes end only when told": [
    [
      "a process that died",
      (draft) => draft.entries.push({ phase: "fault", at: 0, name: "exit", target: "all code=1", stage: "unasked" })
    ]
  ]
}

const unconfirmed = (n: number) => ({
  ...produced(n, "sending"),
  delivery_unconfirmed_at: "2026-01-01T00:00:01.000Z"
})
const look = { kind: "look", endpoint_id: "we_failing" } as const
const retripped = { ...tripped, disabled_detail: { probation_retrip: true } }
const onProbation = { ...endpoint("we_counted"), probation: true }

const violated = (draft: Draft) =>
  judge(draft).flatMap(({ promise, violations }) => (violations.length === 0 ? [] : [promise]))

describe("the checks of the fault suite", () => {
  it("finds nothing in a good run", () => assert.deepStrictEqual(violated(goodRun()), []))

  it("recognizes a run that hung at its end", () => {
    const draft = goodRun()
    asks(draft, "c3", read)
    assert.deepStrictEqual(violated(draft), [])
  })

  it("counts a trip that cannot be decided either way", () => {
    const draft = goodRun()
    draft.endpoints.failing = { ...draft.endpoints.failing, ...retripped }
    draft.rows.push(refusedRow(22), refusedRow(23, "endpoint_disabled"))
    asks(draft, "switcher", look, { phase: "ok", body: { status: "disabled" } })
    assert.deepStrictEqual(violated(draft), [])
    asks(draft, "switcher", { ...look, kind: "switch", status: "active" }, { phase: "unknown", status: null })
    asks(draft, "switcher", look, { phase: "ok", body: { status: "disabled" } })
    assert.deepStrictEqual(violated(draft), [])
  })

  for (const promise of Object.keys(checks) as ReadonlyArray<Promised>) {
    describe(promise, () => {
      it.each(breaches[promise])("fails on %s", (_, bend) => {
        const draft = goodRun()
        bend(draft)
        assert.include(violated(draft), promise)
      })
    })
  }
})
