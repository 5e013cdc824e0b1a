// A drill of an upgrade from the previous release, and of the way back: nodes change one after the other in the order of
// deploy/kubernetes/roll.sh while callers send, first to this release, then to the previous one on the newer schema.
// It prints what callers noticed. Ends with 1 when a call failed, or when something accepted did not come to its end.
//
//   node_modules/.bin/node deploy/drills/upgrade.mjs
//
// Needs git and the history of the repository: the code of the previous release is the commit in deploy/releases.json.
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { startCallers } from "./kit/callers.mjs"
import { drill, say, seconds } from "./kit/drill.mjs"
import { here, newMasterKey, nodesOf, rolling, seed, settingsOf, startPlatform } from "./kit/nodes.mjs"
import { servers } from "./kit/postgres.mjs"
import { startReceiver } from "./kit/product.mjs"

const previous = "0.1.0"
const commit = JSON.parse(readFileSync(join(here, "deploy/releases.json"), "utf8"))[previous]

/** Lays the code of a commit into a folder, on the packages that are installed here. */
const checkout = (folder) => {
  mkdirSync(folder)
  const archive = execFileSync("git", ["archive", commit], { cwd: here, maxBuffer: 256 * 1024 * 1024 })
  execFileSync("tar", ["-x", "-C", folder], { input: archive })
  const [theirs, ours] = [join(folder, "node_modules"), join(here, "node_modules")]
  mkdirSync(join(theirs, "@carteiro"), { recursive: true })
  for (const name of readdirSync(ours)) {
    if (name !== "@carteiro") symlinkSync(join(ours, name), join(theirs, name))
  }
  // The packages of the workspace are those of the old code.
  for (const name of readdirSync(join(ours, "@carteiro"))) {
    const target = readlinkSync(join(ours, "@carteiro", name))
    if (existsSync(join(theirs, "@carteiro", target))) symlinkSync(target, join(theirs, "@carteiro", name))
  }
  return folder
}

/** Runs the migrations of a release to their end, as the job of Kubernetes does; returns what it printed. */
const migrate = (code, env) =>
  execFileSync(process.execPath, [join(code, "runtime/migrate.ts")], {
    env: { ...process.env, DATABASE_URL: env.DATABASE_URL },
    encoding: "utf8"
  }).trim()

await drill("upgrade", async (ground) => {
  const { expect, folder } = ground
  const old = checkout(join(folder, previous))
  say(`release ${previous} is commit ${commit}`)
  const database = await servers(ground).init("database", "max_connections=200")
  await database.query("postgres", "create database carteiro")
  const masterKey = newMasterKey()
  const platform = await startPlatform(ground, masterKey)
  const receiver = await startReceiver(ground)
  const env = {
    ...settingsOf(database.url("carteiro"), join(folder, "data"), masterKey),
    ...platform.env,
    CARTEIRO_WEBHOOK_TARGET_ALLOWLIST: receiver.origin
  }
  const dev = await seed(ground, old, env)
  const [shards, edges] = [await nodesOf(ground, "shard", 2, old, env), await nodesOf(ground, "edge", 2, old, env)]
  for (const node of [...shards, ...edges]) await node.start()
  const [spare] = await nodesOf(ground, "edge", 1, old, env)
  const { roll, serving } = rolling({ shards, edges, spare })
  const [[phone]] = await database.query(
    "carteiro",
    `select phone from phone_numbers where id = '${dev.production.phone_number_id}'`
  )
  await platform.reportTo(edges[0].url, phone)
  const load = await startCallers({ targets: serving, dev, origin: receiver.origin })
  await load.goOn(100)

  /** Changes shards, then edges, to a release while callers go on. */
  const change = async (name, code) => {
    say(`${name}: ${migrate(code, env)}`)
    await load.goOn(50)
    await roll(
      () => ({ code }),
      async () => {
        await platform.reportTo(serving().at(-1).url, phone)
        await load.goOn(50)
      }
    )
    const { answers, failed, longestGapMs, slowestMs } = load.lap()
    expect(`${name}: ${answers} calls, of them failed: ${failed}`, failed === 0)
    say(`${name}: the slowest call took ${seconds(slowestMs)} seconds, missed for ${seconds(longestGapMs)} seconds`)
  }

  load.lap()
  await change(`from ${previous} to this release`, here)
  await change(`back to ${previous}, on the schema of this release`, old)
  await load.stop()
  for (const failure of load.failures.slice(0, 10)) say(failure)

  const left = await load.settled()
  const { production, sandbox } = load.sent
  expect(`messages accepted: ${sandbox.length} of the sandbox, ${production.length} of production`, sandbox.length > 0)
  expect(`of them not delivered at the end: ${left.length}`, left.length === 0)
  const taken = await platform.taken()
  const wrong = production.filter((id) => taken.get(id) !== 1)
  expect(`messages of production that the platform did not take exactly once: ${wrong.length}`, wrong.length === 0)
  const lacking = await load.unannounced(receiver.events)
  expect(`messages whose delivery no webhook told: ${lacking.length}`, lacking.length === 0)
})
