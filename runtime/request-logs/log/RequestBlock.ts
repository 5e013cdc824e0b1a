import { deflateSync, inflateSync } from "node:zlib"
import { traceOf } from "@carteiro/owners/Ulid.ts"
import type { Secrets } from "@carteiro/secrets/Secrets.ts"
import { jsonCodec } from "@carteiro/tables/StoredJson.ts"
import type { TableRow } from "@carteiro/tables/Table.ts"
import type { LocatedRequest, LoggedRequest, RequestDetails } from "./LoggedRequest.ts"
import { readLines, writeLines } from "./RequestLines.ts"
import type { requestBlocksTable } from "./RequestLogTables.ts"

/** A row of `request_blocks`. */
export type RequestBlock = TableRow<typeof requestBlocksTable>

/** The most requests of a block, and the most characters of their bodies. */
const mostRequests = 256
const mostCharacters = 131_072

/** All requests of a block arrived in the same span of this length, in milliseconds, so that one id is looked for in few. */
export const blockSpanMs = 10_000

/** Details shorter than this are sealed as they are: compressing them would cost more than it saves. */
const leastCompressed = 1024

/** A small window: most of the time goes into memory for the usual one, and requests of a block repeat each other closely. */
const compression = { level: 1, windowBits: 13, memLevel: 6, chunkSize: 4096 } as const

/** The first byte of details that are not compressed; a zlib stream has another. */
const jsonMark = "[".charCodeAt(0)

/** The details of one request, and the marks of the customers whom they name. */
type DetailsEntry = readonly [
  masked: 0 | 1,
  path: string,
  query: string | null,
  idempotency_key: string | null,
  request_body: unknown,
  response_body: unknown,
  subjects: ReadonlyArray<number>
]

/** The details of a block's requests, in the order of their ids; null for those that are erased. */
const keptJson = jsonCodec<ReadonlyArray<DetailsEntry | null>>()

/** Returns the characters of a request's bodies. */
export const charactersOf = ({ answer = "", body = "" }: LocatedRequest): number => answer.length + body.length

/** Returns the trace id that a request's caller sent; null for the one that its id tells. */
const sentTrace = ({ requestId, traceId }: Pick<LocatedRequest, "requestId" | "traceId">): string | null =>
  traceId === traceOf(requestId) ? null : traceId

/**
 * Parts finished requests into the blocks that they become, each in the order of its ids: of one environment and ten
 * seconds, refusals apart, and apart the requests with a trace id of their callers.
 */
export const partIntoBlocks = (
  requests: ReadonlyArray<LocatedRequest>
): ReadonlyArray<ReadonlyArray<LocatedRequest>> => {
  const open = new Map<string, { requests: Array<LocatedRequest>; characters: number }>()
  const blocks: Array<ReadonlyArray<LocatedRequest>> = []
  for (const request of requests) {
    // A request's id is minted of the millisecond in which it arrives.
    const span = Math.floor(request.arrivedAt / blockSpanMs)
    const key = `${request.status >= 400}${span}${request.owner.environment_id}${sentTrace(request) ?? ""}`
    const characters = charactersOf(request)
    let block = open.get(key)
    if (
      block === undefined ||
      block.requests.length >= mostRequests ||
      block.characters + characters > mostCharacters
    ) {
      block = { requests: [], characters: 0 }
      open.set(key, block)
      blocks.push(block.requests)
    }
    block.requests.push(request)
    block.characters += characters
  }
  return blocks.map((block) => block.toSorted((a, b) => (a.requestId < b.requestId ? -1 : 1)))
}

/** Returns the row of requests of one environment, in the order of their ids; undefined for none. */
export const sealBlock = (
  secrets: Secrets["Service"],
  { environment, environment_id }: LocatedRequest["owner"],
  requests: ReadonlyArray<LoggedRequest>
): RequestBlock | undefined => {
  const lines = requests.map(({ line }) => line)
  const [first] = lines
  const last_id = lines.at(-1)?.id
  if (first === undefined || last_id === undefined) return undefined
  const kept = requests.map(keptOf)
  return {
    environment_id,
    last_id,
    first_id: first.id,
    production: environment === "production",
    refused: first.status >= 400,
    trace_id: sentTrace({ requestId: first.id, traceId: first.trace_id }),
    lines: writeLines(lines),
    details: sealKept(secrets, { environment_id, last_id }, kept),
    subjects: subjectsOf(kept)
  }
}

/** The parts of a block that its details are read by. */
type OfDetails = Pick<RequestBlock, "environment_id" | "last_id" | "details">

/** Returns the details of a block's request by its position; undefined once they are erased. */
export const openDetails = (
  secrets: Secrets["Service"],
  block: OfDetails,
  position: number
): RequestDetails | undefined => {
  const kept = openKept(secrets, block)?.[position]
  if (kept === undefined || kept === null) return undefined
  const [masked, path, query, idempotency_key, request_body, response_body] = kept
  return { masked: masked === 1, path, query, idempotency_key, request_body, response_body }
}

/** Returns the details of each of a block's requests as text; none for those that are erased. */
export const openTexts = (secrets: Secrets["Service"], block: OfDetails): ReadonlyArray<string> =>
  (openKept(secrets, block) ?? []).flatMap((kept) => (kept === null ? [] : [JSON.stringify(kept)]))

/**
 * Returns what is left of a block once the requests before `end`, an id, that carry one of those marks lost their details;
 * undefined when none of them does. Details that no longer open go as a whole.
 */
export const eraseFrom = (
  secrets: Secrets["Service"],
  block: OfDetails & Pick<RequestBlock, "lines">,
  erased: ReadonlySet<number>,
  end: string
): Pick<RequestBlock, "details" | "subjects"> | undefined => {
  const before = openKept(secrets, block)
  if (before === undefined) return { details: null, subjects: null }
  const lines = readLines(block.lines, null)
  const isErased = (kept: DetailsEntry, at: number) =>
    (lines[at]?.id ?? "") < end && kept[6].some((mark) => erased.has(mark))
  const kept = before.map((one, at) => (one !== null && isErased(one, at) ? null : one))
  if (kept.every((one, at) => one === before[at])) return undefined
  const isEmpty = kept.every((one) => one === null)
  return { details: isEmpty ? null : sealKept(secrets, block, kept), subjects: subjectsOf(kept) }
}

/** Returns the marks of all requests with details; null for none. */
const subjectsOf = (kept: ReadonlyArray<DetailsEntry | null>): ReadonlyArray<number> | null => {
  const marks = new Set(kept.flatMap((one) => one?.[6] ?? []))
  return marks.size === 0 ? null : [...marks]
}

/** Returns the value to which encrypted details are bound: their row. */
const boundOf = ({ environment_id, last_id }: Omit<OfDetails, "details">): string => `${environment_id}/${last_id}`

const keptOf = ({ details, subjects }: LoggedRequest): DetailsEntry => [
  details.masked ? 1 : 0,
  details.path,
  details.query,
  details.idempotency_key,
  details.request_body,
  details.response_body,
  subjects
]

const sealKept = (
  secrets: Secrets["Service"],
  block: Omit<OfDetails, "details">,
  kept: ReadonlyArray<DetailsEntry | null>
): Uint8Array => {
  const text = keptJson.write(kept)
  const plain = text.length < leastCompressed ? text : deflateSync(text, compression)
  return secrets.seal("request_log", plain, boundOf(block))
}

const openKept = (secrets: Secrets["Service"], block: OfDetails): ReadonlyArray<DetailsEntry | null> | undefined => {
  const { details } = block
  const opened = details === null ? undefined : secrets.openBytes("request_log", details, boundOf(block))
  if (opened === undefined) return undefined
  const plain = opened[0] === jsonMark ? Buffer.from(opened) : inflateSync(opened)
  return keptJson.read(plain.toString("utf8"))
}
