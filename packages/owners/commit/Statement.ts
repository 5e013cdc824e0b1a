import { arrayParameter, type ColumnType, type ColumnValue, instant } from "@carteiro/tables/Parameters.ts"
import type { Row, Write } from "@carteiro/tables/Write.ts"
import type { Tracer } from "effect"
import type { IdempotencyRow } from "../idempotency/SealedResponse.ts"

/** The lease of a unit that no owner decided: it passes the fence, and constraints decide. */
export const noLease = { shard: -1, epoch: -1 } as const

/** One unit, written whole or not at all: the rows of a decision, its lease and its idempotency record. */
export interface CommitUnit {
  readonly shard: number
  readonly epoch: number
  readonly rows: ReadonlyArray<Row>
  readonly idempotency?: IdempotencyRow | undefined
  /** The sampled span that asked for the unit, if any. */
  readonly span?: Tracer.AnySpan | undefined
}

/** SQL that runs behind a write and reads the rows that the write inserted; it may return keys. */
export interface Follower {
  readonly name: string
  /** Returns a data-modifying or plain select; `source` is the gated rows of the write it follows. */
  readonly sql: (source: string) => string
  readonly returns: boolean
}

/** Describes a statement for every batch whose writes are among these. */
export interface StatementShape {
  /** Sorted by name. */
  readonly writes: ReadonlyArray<Write>
  /** True when the statement stores idempotency records. */
  readonly idempotent: boolean
  readonly text: string
}

/** The rows of one write from many units, side by side. */
interface Gathered {
  readonly write: Write
  readonly units: Array<number>
  readonly rows: Array<Row>
}

/** The rows of a batch by the name of their write. */
export type GatheredRows = ReadonlyMap<string, Gathered>

/** Returns the rows of each write side by side. */
export const gatherRows = (units: ReadonlyArray<CommitUnit>): GatheredRows => {
  const byName = new Map<string, Gathered>()
  for (let unit = 0; unit < units.length; unit++) {
    for (const row of units[unit]?.rows ?? []) {
      const entry = byName.get(row.write.name)
      if (entry === undefined) byName.set(row.write.name, { write: row.write, units: [unit], rows: [row] })
      else {
        entry.units.push(unit)
        entry.rows.push(row)
      }
    }
  }
  return byName
}

/** Returns the parameters of a batch for a statement of this shape. The shape has all writes of the batch. */
export const statementParameters = (
  { idempotent, writes }: StatementShape,
  id: string,
  at: number,
  units: ReadonlyArray<CommitUnit>,
  gathered: GatheredRows
): ReadonlyArray<unknown> => {
  const parameters: Array<unknown> = [
    id,
    instant(at),
    arrayParameter(
      "int4",
      units.map((unit) => unit.shard)
    ),
    arrayParameter(
      "int8",
      units.map((unit) => unit.epoch)
    )
  ]
  if (idempotent) {
    const column = <K extends keyof IdempotencyRow>(key: K) => units.map((unit) => unit.idempotency?.[key] ?? null)
    parameters.push(
      arrayParameter("text", column("key_hash")),
      arrayParameter("text", column("environment_id")),
      arrayParameter("text", column("fingerprint")),
      arrayParameter("int4", column("response_status")),
      arrayParameter("bytea", column("response_body")),
      arrayParameter("timestamptz", column("created_at")),
      arrayParameter("timestamptz", column("expires_at")),
      arrayParameter("text", column("subject"))
    )
  }
  for (const { columns, name } of writes) {
    const { rows, units: owners } = gathered.get(name) ?? noRows
    parameters.push(arrayParameter("int4", owners))
    for (const column of Object.keys(columns)) {
      parameters.push(
        arrayParameter(
          columns[column] ?? "text",
          rows.map((row) => (row.values[column] ?? null) as ColumnValue<ColumnType>)
        )
      )
    }
  }
  return parameters
}

const noRows: Pick<Gathered, "rows" | "units"> = { rows: [], units: [] }

/** The outcome as the commit's own row records it. */
export interface CommitRecord {
  /** Indexes of the units that were written. */
  readonly gate: ReadonlyArray<number>
  /** Leases that still held. */
  readonly fence: ReadonlyArray<readonly [shard: number, epoch: number]>
  /** Indexes of the units whose guards rejected them. */
  readonly refused?: ReadonlyArray<number>
  /** Returned keys, by write or follower name. */
  readonly [write: string]: unknown
}
