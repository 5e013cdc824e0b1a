import { directory, migrate } from "@carteiro/tables/Migrations.ts"
import * as Sql from "@carteiro/tables/Sql.ts"
import { Effect } from "effect"
import pg from "pg"
import { Bench } from "../Bench.ts"
import { BenchFailure } from "../BenchFailure.ts"
import { median } from "../Report.ts"
import { alternate, type Sample } from "../Rounds.ts"
import type { Workload } from "./Workload.ts"

const rows = 5_000_000
const days = 30
const aDay = Math.ceil(rows / days)
const environments = 200
/** The batch of the retention job. */
const batch = 500
const inserts = 1_000
const rowsAnInsert = 20
const reads = 5_000

/** The table that production has most rows of, once as it is and once in a partition a day. */
const tables = ["whole", "parted"] as const
type Table = (typeof tables)[number]

/** Ids of deliveries hold their time, so that their order is that of time, and partitions need no other key. */
const idOf = (n: string) => `'whe_' || lpad(to_hex(${n}), 12, '0') || substr(md5((${n})::text), 1, 14)`
const boundOf = (day: number) => `whe_${(day * aDay).toString(16).padStart(12, "0")}`
const environmentOf = (n: string) => `'env_' || lpad(((${n}) % ${environments})::text, 26, '0')`
const rowOf = (n: string) => `select ${environmentOf(n)}, ${idOf(n)}, 1, 'wha_' || substr(md5((${n})::text), 1, 26),
  'we_' || lpad(((${n}) % ${environments})::text, 26, '0'), 'succeeded', false, now(), 200, null, 'ok', null, null, now(), now()`

/** The cost of the retention of attempts by deleting rows and by dropping partitions, and the cost of partitions for other statements. */
export const retention: Workload = {
  name: "retention",
  about: `${rows / 1_000_000} million webhook attempts of ${days} days and ${environments} environments, in a table as it is and in one with a partition a day: a day's rows deleted by index in batches of ${batch}, and its partition dropped.`,
  needs: [],
  run: Effect.gen(function* () {
    const { postgres, say } = yield* Bench
    const database = yield* postgres.database("bench_retention")
    yield* migrate(directory).pipe(
      Effect.provide(Sql.layer(database.url, { applicationName: "carteiro-bench" })),
      Effect.orDie
    )
    const client = yield* connected(database.url)
    yield* filled(client, say)
    const removed: Record<Table, Array<{ readonly walMb: number; readonly vacuumMs: number }>> = {
      whole: [],
      parted: []
    }
    const day: Record<Table, number> = { whole: 0, parted: 0 }
    const removal = (table: Table) =>
      Effect.gen(function* () {
        const now = day[table]++
        const before = yield* walOf(client)
        const started = performance.now()
        yield* table === "parted" ? ask(client, `drop table parted_${now}`) : deleteBefore(client, boundOf(now + 1))
        const seconds = (performance.now() - started) / 1000
        const vacuumStarted = performance.now()
        // Dropped rows leave nothing behind; deleted ones are room for others once they are vacuumed.
        if (table === "whole") yield* ask(client, "vacuum whole")
        const vacuumMs = performance.now() - vacuumStarted
        removed[table].push({ walMb: ((yield* walOf(client)) - before) / 1_048_576, vacuumMs })
        return { perSecond: aDay / seconds } satisfies Sample
      })
    const sides = yield* alternate([
      { name: "delete by index", round: removal("whole") },
      { name: "drop a partition", round: removal("parted") }
    ])
    const others = yield* othersOf(client)
    const middle = (values: ReadonlyArray<number>) => (median(values) ?? 0).toFixed(1)
    return {
      unit: "rows",
      sides,
      bars: [],
      facts: [
        ...tables.map(
          (table) =>
            `${table === "whole" ? "A day deleted" : "A day dropped"}: ${middle(removed[table].slice(1).map(({ walMb }) => walMb))} MB of write-ahead log, ${middle(removed[table].slice(1).map(({ vacuumMs }) => vacuumMs))} ms of vacuum after it.`
        ),
        ...others.map(
          ({ name, parted, whole }) =>
            `${name}: ${whole.toFixed(2)} ms in the table as it is, ${parted.toFixed(2)} ms with ${days + 1} partitions.`
        )
      ]
    }
  })
}

type Client = pg.Client

const connected = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new pg.Client({ connectionString: url, application_name: "carteiro-bench" })
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end())
  )

/** Runs a statement; a named one is planned once, as the product's are. */
const ask = (client: Client, text: string, values: ReadonlyArray<unknown> = [], name?: string) =>
  Effect.tryPromise({
    try: () => client.query({ text, values: [...values], ...(name === undefined ? {} : { name }) }),
    catch: (error) => new BenchFailure({ message: `${String(error)} in: ${text}` })
  })

const walOf = (client: Client) =>
  Effect.map(ask(client, "select pg_current_wal_lsn() - '0/0' as bytes"), ({ rows: [row] }) => Number(row.bytes))

const filled = Effect.fnUntraced(function* (client: Client, say: (line: string) => void) {
  yield* ask(client, "create table whole (like webhook_attempts including all)")
  yield* ask(client, "create table parted (like webhook_attempts including all) partition by range (webhook_event_id)")
  for (let day = 0; day <= days; day++) {
    const to = day === days ? "maxvalue" : `'${boundOf(day + 1)}'`
    yield* ask(client, `create table parted_${day} partition of parted for values from ('${boundOf(day)}') to (${to})`)
  }
  for (const table of tables) {
    yield* ask(client, `insert into ${table} ${rowOf("n")} from generate_series(0, ${rows - 1}) n`)
    yield* ask(client, `vacuum analyze ${table}`)
    say(`  ${rows / 1_000_000} million rows in ${table}`)
  }
  yield* ask(client, "checkpoint")
})

/** As the job does it: within each environment along the primary key. */
const deleteBefore = Effect.fnUntraced(function* (client: Client, bound: string) {
  for (let n = 0; n < environments; n++) {
    const environment = `env_${String(n).padStart(26, "0")}`
    const some = `delete from whole a where a.environment_id = $1 and a.webhook_event_id = any(array(
      select webhook_event_id from whole where environment_id = $1 and webhook_event_id < $2
      order by webhook_event_id limit ${batch} for update skip locked))`
    while (((yield* ask(client, some, [environment, bound], "delete")).rowCount ?? 0) >= batch) {}
  }
})

/** The cost for other statements, in milliseconds each; both tables in turn, so that they meet the same machine. */
const othersOf = Effect.fnUntraced(function* (client: Client) {
  let next = rows
  const insert = (table: Table) => {
    const first = next
    next += rowsAnInsert
    return ask(
      client,
      `insert into ${table} ${rowOf("n")} from generate_series($1::int8, $2::int8) n`,
      [first, first + rowsAnInsert - 1],
      `insert ${table}`
    )
  }
  const read = (table: Table) => {
    const n = Math.floor(rows / 2) + ((next++ * 7919) % Math.floor(rows / 4))
    const text = `select * from ${table} where environment_id = ${environmentOf("$1::int8")} and webhook_event_id = ${idOf("$1::int8")}`
    return ask(client, text, [n], `read ${table}`)
  }
  const head = (table: Table) =>
    ask(
      client,
      `select * from ${table} where endpoint_id = $1 and status = 'pending' order by due_at limit 10`,
      [`we_${String(next++ % environments).padStart(26, "0")}`],
      `head ${table}`
    )
  const measured: Array<{ readonly name: string; readonly whole: number; readonly parted: number }> = []
  for (const [name, act, times] of [
    [`Insert of ${rowsAnInsert} rows`, insert, inserts],
    ["Read by id", read, reads],
    ["Head of an endpoint's queue", head, reads]
  ] as const) {
    const spent: Record<Table, Array<number>> = { whole: [], parted: [] }
    for (let n = 0; n < times; n++) {
      for (const table of tables) {
        const started = performance.now()
        yield* act(table)
        spent[table].push(performance.now() - started)
      }
    }
    measured.push({ name, whole: median(spent.whole) ?? 0, parted: median(spent.parted) ?? 0 })
  }
  return measured
})
