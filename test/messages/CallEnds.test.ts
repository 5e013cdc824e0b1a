import { type CallNotices, endOfCall, endWithChanges } from "@carteiro/runtime/messages/notices/CallEnds.ts"
import { ReportedStatuses } from "@carteiro/runtime/messages/notices/ReportedStatuses.ts"
import { defineWrite } from "@carteiro/tables/Write.ts"
import { assert, describe, it } from "@effect/vitest"

const place = { owner_type: "PhoneNumber", owner_id: "pn_1" }
const move = defineWrite({ name: "moves.insert", columns: { id: "text" }, sql: (source) => `select id from ${source}` })
const changeOf = (about: string) => ({ about, rows: [move.row({ id: about })] })

/** A call with inbound messages of these ids, or with statuses of unknown messages. */
const callOf = (
  webhook_id: string,
  inbound: ReadonlyArray<string>,
  unknown: ReadonlyArray<string> = []
): CallNotices => ({
  work: { webhook_id, vendor: "upstream", body: null, received_at: 0, attempts: 0 },
  notices: [
    ...inbound.map((provider_message_id) => ({ kind: "inbound", provider_message_id })),
    ...unknown.map((provider_message_id) => ({ kind: "status", provider_message_id, message_id: null }))
  ] as ReadonlyArray<unknown> as CallNotices["notices"]
})

const endsOf = (changes: ReadonlyArray<string>, calls: ReadonlyArray<CallNotices>) => {
  const ends = calls.map((call) => endOfCall(call, new ReportedStatuses([]), place, 1000))
  const { later, together } = endWithChanges(changes.map(changeOf), ends)
  const shown = ({ values, write }: (typeof later)[number]) =>
    write === (move as unknown) ? values.id : `${write.name.split(".")[1]} ${values.webhook_id}`
  return { together: together.map(({ rows }) => rows.map(shown)), later: later.map(shown) }
}

describe("Calls of the provider (gaps-2 E Inbound upstream webhook)", () => {
  it("with one change end in the unit of that change, also when several calls make it", () => {
    assert.deepStrictEqual(
      endsOf(["a", "b"], [callOf("vwh_1", ["a"]), callOf("vwh_2", ["b"]), callOf("vwh_3", ["a"])]),
      {
        together: [
          ["a", "finish vwh_1", "finish vwh_3"],
          ["b", "finish vwh_2"]
        ],
        later: []
      }
    )
  })

  it("with several changes end once all of them are written", () => {
    assert.deepStrictEqual(endsOf(["a", "b"], [callOf("vwh_1", ["a", "b"]), callOf("vwh_2", ["b"])]), {
      together: [["a"], ["b", "finish vwh_2"]],
      later: ["finish vwh_1"]
    })
  })

  it("without a change end in a unit of their own, and those about an unknown message are retried", () => {
    assert.deepStrictEqual(endsOf(["a"], [callOf("vwh_1", ["taken"]), callOf("vwh_2", ["a"], ["unknown"])]), {
      together: [["a", "defer vwh_2"], ["finish vwh_1"]],
      later: []
    })
  })
})
