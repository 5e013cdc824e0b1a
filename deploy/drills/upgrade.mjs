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
import { drill, say } from "./kit/drill.mjs"
import { expectDelivered, startInstallation } from "./kit/installation.mjs"
import { here, newMasterKey } from "./kit/nodes.mjs"

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
  const old = checkout(join(ground.folder, previous))
  say(`release ${previous} is commit ${commit}`)
  const installation = await startInstallation(ground, { code: old, masterKey: newMasterKey() })
  const { env, load, roll } = installation
  await load.goOn(100)

  /** Changes shards, then edges, to a release while callers go on. */
  const change = async (name, code) => {
    say(`${name}: ${migrate(code, env)}`)
    await load.goOn(50)
    await roll(name, () => ({ code }))
  }

  load.lap()
  await change(`from ${previous} to this release`, here)
  await change(`back to ${previous}, on the schema of this release`, old)
  await load.stop()
  for (const failure of load.failures.slice(0, 10)) say(failure)
  await expectDelivered(ground, installation)
})
