import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { Bench } from "../Bench.ts"
import { BenchFailure } from "../BenchFailure.ts"
import { type Database, temporaryFolder } from "../Postgres.ts"
import { startProduct } from "../Product.ts"
import { limit, median } from "../Report.ts"
import type { Workload } from "./Workload.ts"

const accounts = 1000
const entries = 1_000_000
/** As `npm run operator` starts it. */
const nodeFlags = ["--max-semi-space-size=1"]
const secondsBar = 10
const megabytesBar = 200

/** Accounts with a credit each and debits behind it, one hot account with half of all entries, wallets that agree with them. */
const fill = Effect.fnUntraced(function* ({ query }: Database) {
  yield* query(
    `insert into organizations (id, name, created_at)
    select 'org_v' || n, 'v' || n, now() from generate_series(0, $1::int - 1) n`,
    [accounts]
  )
  yield* query(
    `insert into wallets (account_id, organization_id, environment, created_at, updated_at)
    select 'org_v' || n, 'org_v' || n, 'production', now(), now() from generate_series(0, $1::int - 1) n`,
    [accounts]
  )
  yield* query(
    `insert into ledger_entries (organization_id, id, account_id, environment, type, is_listed, from_account, to_account,
        amount, source_type, source_id, meter_id, uncollected, recorded_at)
      select a.id, 'led_' || lpad(n::text, 26, '0'), a.id, case when n >= $1 then 'production' end,
        case when n < $1 then 'credit' else 'debit' end, true, case when n < $1 then 'funding:manual' else 'available' end,
        case when n < $1 then 'available' else 'revenue:m' end, case when n < $1 then 1000000000 else 500 end,
        case when n < $1 then 'credit_topup' else 'usage' end, 's' || n,
        case when n >= $1 then 'message.transport.utility' end, case when n >= $1 then 0 end, now()
      from generate_series(0, $2::int - 1) n
      cross join lateral (select 'org_v' || case when n >= $1 and n % 2 = 0 then 0 else n % $1 end as id) a`,
    [accounts, entries]
  )
  yield* query(`update wallets w set balance = s.sum from (select account_id,
      sum(case when to_account = 'available' then amount else -amount end) as sum from ledger_entries group by 1) s
    where s.account_id = w.account_id and w.account_id like 'org_v%'`)
  yield* query("vacuum analyze ledger_entries")
})

/** What an operator waits for who asks whether the books are right. gaps-3 D "Invariants" */
export const ledgerVerify: Workload = {
  name: "ledger-verify",
  about: `operator ledger verify over ${entries} entries of ${accounts} accounts, half of them of one: from the start of the process to its end, and its largest memory.`,
  needs: [],
  run: Effect.gen(function* () {
    const { options, root, say } = yield* Bench
    const product = yield* startProduct({ name: "ledger-verify" })
    yield* fill(product.database)
    const dataDir = yield* temporaryFolder("ledger-verify-cli")
    const seconds: Array<number> = []
    const megabytes: Array<number> = []
    for (let round = 1; round <= options.rounds; round++) {
      const env = { DATABASE_URL: product.database.url, CARTEIRO_DATA_DIR: dataDir, CARTEIRO_LOG: "warn" }
      const took = yield* verify(join(root, "runtime/cli/main.ts"), env)
      seconds.push(took.seconds)
      megabytes.push(took.megabytes)
      say(`  round ${round}  ${took.seconds.toFixed(2)} s, ${took.megabytes.toFixed(0)} MB`)
    }
    return {
      unit: "audits",
      sides: [],
      bars: [
        limit(`within ${secondsBar} s`, median(seconds), (value) => value <= secondsBar, 2),
        limit(`at most ${megabytesBar} MB`, median(megabytes), (value) => value <= megabytesBar)
      ],
      facts: [`${Math.round(entries / (median(seconds) ?? 1))} entries a second`]
    }
  })
}

/** Runs the command to its end; a broken invariant is a failure of the run. */
const verify = (program: string, env: Readonly<Record<string, string>>) =>
  Effect.callback<{ readonly seconds: number; readonly megabytes: number }, BenchFailure>((resume) => {
    const started = performance.now()
    let kilobytes = 0
    const child = spawn(process.execPath, [...nodeFlags, program, "ledger", "verify", "--json"], {
      env: { ...process.env, ...env }
    })
    let told = ""
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (told += chunk.toString()))
    const looking = setInterval(() => {
      kilobytes = Math.max(kilobytes, largestKilobytes(child.pid ?? 0))
    }, 20)
    child.once("exit", (code) => {
      clearInterval(looking)
      const seconds = (performance.now() - started) / 1000
      resume(
        code === 0
          ? Effect.succeed({ seconds, megabytes: kilobytes / 1024 })
          : Effect.fail(new BenchFailure({ message: `ledger verify ended with ${code}: ${told.slice(0, 500)}` }))
      )
    })
    return Effect.sync(() => {
      clearInterval(looking)
      child.kill()
    })
  })

/** The largest memory a process has had; 0 once it is gone. */
const largestKilobytes = (pid: number): number => {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0)
  } catch {
    return 0
  }
}
