import { traceOf, ulidTimeOf } from "@carteiro/owners/Ulid.ts"
import { jsonCodec } from "@carteiro/tables/StoredJson.ts"

/** A request as lists show it; `created_at` in epoch milliseconds. */
export interface RequestLine {
  readonly id: string
  readonly api_key_id: string
  readonly method: string
  readonly route: string
  readonly status: number
  readonly code: string | null
  readonly duration_ms: number
  readonly source_address: string
  readonly replayed: boolean
  readonly warning: string | null
  readonly trace_id: string
  readonly created_at: number
}

/** What requests of a block have in common: key, method, route, status, code, address, replayed, warning. */
type Kind = readonly [
  api_key_id: string,
  method: string,
  route: string,
  status: number,
  code: string | null,
  source_address: string,
  replayed: 0 | 1,
  warning: string | null
]

/** Lines of one block by columns. A request's instant stands in its id. */
interface Columns {
  /** The beginning of all ids, and the rest of each. */
  readonly prefix: string
  readonly ids: ReadonlyArray<string>
  readonly kinds: ReadonlyArray<Kind>
  /** The position of each request's kind; absent where there is one kind. */
  readonly kind?: ReadonlyArray<number>
  readonly millis: ReadonlyArray<number>
}

const columnsJson = jsonCodec<Columns>()

/** Returns the text that holds lines, at least one, in the order of their ids. */
export const writeLines = (lines: ReadonlyArray<RequestLine>): string => {
  const prefix = commonStart(lines[0]?.id ?? "", lines.at(-1)?.id ?? "")
  const kinds: Array<Kind> = []
  const positions = new Map<string, number>()
  const kind = lines.map((line) => {
    const own = kindOf(line)
    const name = own.join("\n")
    const known = positions.get(name)
    if (known !== undefined) return known
    positions.set(name, kinds.length)
    return kinds.push(own) - 1
  })
  return columnsJson.write({
    prefix,
    ids: lines.map(({ id }) => id.slice(prefix.length)),
    kinds,
    ...(kinds.length === 1 ? {} : { kind }),
    millis: lines.map(({ duration_ms }) => duration_ms)
  })
}

/**
 * Returns the lines of such a text, in the order of their ids. `traceId` is what the callers of all of them sent, null where
 * none did.
 */
export const readLines = (text: string, traceId: string | null): ReadonlyArray<RequestLine> => {
  const { ids, kind, kinds, millis, prefix } = columnsJson.read(text)
  return ids.map((rest, at) => {
    const id = prefix + rest
    const [api_key_id, method, route, status, code, source_address, replayed, warning] = kinds[kind?.[at] ?? 0] as Kind
    return {
      id,
      api_key_id,
      method,
      route,
      status,
      code,
      duration_ms: millis[at] ?? 0,
      source_address,
      replayed: replayed === 1,
      warning,
      trace_id: traceId ?? traceOf(id),
      created_at: ulidTimeOf(id)
    }
  })
}

const kindOf = (line: RequestLine): Kind => [
  line.api_key_id,
  line.method,
  line.route,
  line.status,
  line.code,
  line.source_address,
  line.replayed ? 1 : 0,
  line.warning
]

const commonStart = (first: string, last: string): string => {
  let length = 0
  while (length < first.length && first.charAt(length) === last.charAt(length)) length++
  return first.slice(0, length)
}
