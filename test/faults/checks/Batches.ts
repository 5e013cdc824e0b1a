import { type Evidence, everyMessage, type MessageSeen } from "../Evidence.ts"
import { callsOf, fields, type Operation, recipientMarker } from "../Log.ts"

type Asked = Extract<Operation, { readonly kind: "batch" }>

/** Each recipient of an accepted batch has one message: nobody is skipped, nobody doubled. M-BAT-01, gaps-2 M "Job delivery" */
export const everyoneOnce = (evidence: Evidence): ReadonlyArray<string> => {
  const byMarker = Map.groupBy(everyMessage(evidence), ({ metadata }) => metadata?.marker ?? "")
  return acceptedOf(evidence).flatMap(({ asked: { marker, recipients } }) =>
    range(recipients).flatMap((n) => {
      const made = byMarker.get(recipientMarker(marker, n)) ?? []
      return made.length === 1 ? [] : [`recipient ${n} of ${marker} has ${made.length} messages`]
    })
  )
}

/** An answered key has one batch, and there is none that nobody asked for or that was refused. A-IDEM-04 */
export const oneBatchPerKey = (evidence: Evidence): ReadonlyArray<string> => {
  const accepted = new Map(acceptedOf(evidence).map(({ asked, id }) => [asked.marker, id]))
  const found = new Map(evidence.batches.map(({ id, metadata }) => [id, metadata?.marker ?? ""]))
  const strangers = [...found].flatMap(([id, marker]) =>
    accepted.get(marker) === id ? [] : [`${id} is there for ${marker}, whose answer is ${accepted.get(marker)}`]
  )
  const gone = [...accepted].flatMap(([marker, id]) => (found.has(id) ? [] : [`${id} of ${marker} is gone`]))
  return [...strangers, ...gone]
}

/** A batch is over once its messages are, and its counts are those of its messages. M-BAT-10 */
export const batchesCount = (evidence: Evidence): ReadonlyArray<string> => {
  const byBatch = Map.groupBy(everyMessage(evidence), ({ metadata }) => metadata?.marker?.split(".", 1)[0] ?? "")
  return evidence.batches.flatMap((batch) => {
    const made = byBatch.get(batch.metadata?.marker ?? "") ?? []
    const count = (...statuses: ReadonlyArray<string>) =>
      made.filter(({ status }: MessageSeen) => statuses.includes(status)).length
    const expected = {
      status: count("queued", "sending") === 0 ? "completed" : "processing",
      enqueued_count: batch.recipient_count,
      delivered_count: count("delivered", "read"),
      read_count: count("read"),
      failed_count: count("failed")
    }
    const wrong = Object.entries(expected).filter(([name, value]) => batch[name as keyof typeof expected] !== value)
    return wrong.map(
      ([name, value]) => `${batch.id} says ${name} ${batch[name as keyof typeof expected]}, not ${value}`
    )
  })
}

const acceptedOf = ({ entries }: Evidence): ReadonlyArray<{ readonly asked: Asked; readonly id: string }> => {
  const accepted = new Map<string, { readonly asked: Asked; readonly id: string }>()
  for (const { end, operation } of callsOf(entries, "batch")) {
    if (end?.phase === "ok") accepted.set(operation.marker, { asked: operation, id: String(fields(end.text).id) })
  }
  return [...accepted.values()]
}

const range = (length: number) => Array.from({ length }, (_, n) => n)
