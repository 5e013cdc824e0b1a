import type { BytesReply } from "@carteiro/http-edge/Reply.ts"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Effect, Option, Stream } from "effect"
import { type BatchRow, csvHead, csvLine, type FailureRow, readFailure } from "./BatchRead.ts"
import type { BatchRepo } from "./BatchRepo.ts"

/** Failures that are read, and held, at once. */
const pageSize = 500

/**
 * Every failure of a batch as lines of text/csv, read as fast as the caller takes them; `now` in epoch milliseconds.
 * M-BAT-24, gaps-2 H "Recipients and failure export"
 */
export const failuresAsCsv = (batch: BatchRow, repo: BatchRepo["Service"], now: number): Effect.Effect<BytesReply> => {
  const pages = Stream.paginate(-1, (after: number) =>
    Effect.map(repo.failures(batch, after, pageSize), (rows) => {
      const last = rows.length < pageSize ? undefined : rows.at(-1)?.position
      return [[linesOf(rows, now)], Option.fromUndefinedOr(last)] as const
    })
  )
  const text = Stream.concat(Stream.make(csvHead), pages)
  return Effect.map(NodeStream.toReadable(Stream.encodeText(text)), (body) => ({
    status: 200,
    body,
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${batch.id}-failures.csv"`
    }
  }))
}

const linesOf = (rows: ReadonlyArray<FailureRow>, now: number): string =>
  rows.map((row) => csvLine(readFailure(row, now))).join("")
