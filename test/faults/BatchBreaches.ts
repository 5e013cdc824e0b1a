import { changed, first } from "./Bending.ts"
import { asks, batch, type Draft, produced } from "./GoodRun.ts"
import { recipientMarker } from "./Log.ts"

/** Histories that break each promise about batches. */
export const batchBreaches = {
  "a batch reaches everyone once": [
    ["one who was skipped", ({ production }: Draft) => production.messages.pop()],
    ["one who was doubled", ({ production }: Draft) => production.messages.push({ ...inBatch(1), id: "msg_p12" })]
  ],
  "one batch per idempotency key": [
    ["two of one key", ({ batches }: Draft) => batches.push({ ...first(batches), id: "bat_2" })],
    ["one that is gone", ({ batches }: Draft) => batches.pop()],
    [
      "one that was refused",
      (draft: Draft) => {
        asks(draft, "b", batch("b2", 1), { phase: "fail", status: 400 })
        draft.batches.push({ ...first(draft.batches), id: "bat_2", metadata: { marker: "b2" } })
      }
    ]
  ],
  "a batch counts what its messages came to": [
    ["one read too many", ({ batches }: Draft) => changed(batches, { read_count: 3 })],
    ["one never fed", ({ batches }: Draft) => changed(batches, { enqueued_count: 1 })],
    ["one that never ends", ({ batches }: Draft) => changed(batches, { status: "processing" })],
    [
      "one that ended before its messages",
      ({ production }: Draft) => production.messages.splice(-1, 1, { ...inBatch(1), status: "sending" })
    ]
  ]
} as const satisfies Readonly<Record<string, ReadonlyArray<readonly [what: string, bend: (draft: Draft) => unknown]>>>

const inBatch = (n: number) => ({ ...produced(10 + n, "read"), metadata: { marker: recipientMarker("b1", n) } })
