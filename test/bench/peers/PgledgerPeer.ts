import { readFileSync } from "node:fs"
import pg from "pg"
import { serveLedger } from "./LedgerLoad.ts"

// pgledger's functions over node-postgres, a wallet being the accounts `available`, `held` and `revenue`: each has a revenue of
// its own, since one for all would be one hot row. Transfers that wait travel as one call of its batched form when BATCHED is
// set. Environment: DATABASE_URL, WALLETS, BATCHED.

const wallets = Number(process.env.WALLETS ?? 1)
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 32 })
for (const file of ["ulid-to-uuid.sql", "uuid-to-ulid.sql", "pgledger.sql"]) {
  await pool.query(readFileSync(new URL(`pgledger/${file}`, import.meta.url), "utf8"))
}
const accounts = async (name: string): Promise<ReadonlyArray<string>> => {
  const made = `select (pgledger_create_account($1 || n, 'BRL')).id from generate_series(1, $2::int) n`
  return (await pool.query<{ readonly id: string }>(made, [name, wallets])).rows.map(({ id }) => id)
}
const available = await accounts("available")
const held = await accounts("held")
const revenue = await accounts("revenue")

interface Transfer {
  readonly from: string
  readonly to: string
  readonly done: (error?: unknown) => void
}

const single = { name: "transfer", text: "select id from pgledger_create_transfer($1, $2, $3)" }
const batched = {
  name: "transfers",
  text: `select id from pgledger_create_transfers((select array_agg((f, t, 1)::transfer_request)
    from unnest($1::text[], $2::text[]) r (f, t)))`
}

let waiting: Array<Transfer> = []
let underWay = 0
/** Two calls at once: while one is written the next gathers. */
const flush = (): void => {
  if (underWay >= 2 || waiting.length === 0) return
  const batch = waiting
  waiting = []
  underWay++
  const values = [batch.map(({ from }) => from), batch.map(({ to }) => to)]
  pool
    .query({ ...batched, values })
    .then(
      () => batch.forEach(({ done }) => done()),
      (error) => batch.forEach(({ done }) => done(error))
    )
    .finally(() => {
      underWay--
      flush()
    })
}

const transfer = (from: string | undefined, to: string | undefined): Promise<unknown> =>
  process.env.BATCHED === undefined
    ? pool.query({ ...single, values: [from, to, 1] })
    : new Promise<void>((resolve, reject) => {
        const done = (error?: unknown) => (error === undefined ? resolve() : reject(error))
        waiting.push({ from: from ?? "", to: to ?? "", done })
        setImmediate(flush)
      })

serveLedger(wallets, {
  holdAndSettle: (n) => [() => transfer(available[n], held[n]), () => transfer(held[n], revenue[n])],
  holdAndRelease: (n) => [() => transfer(available[n], held[n]), () => transfer(held[n], available[n])],
  use: (n) => transfer(available[n], revenue[n]),
  settled: () => Promise.resolve()
})
