import { randomBytes } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { type Cast, startCast } from "./Cast.ts"
import { type Load, startLoad } from "./Load.ts"
import { startCluster } from "./Nodes.ts"
import { startReceiver } from "./Receiver.ts"
import { Show } from "./Show.ts"
import { makeTenants } from "./Tenants.ts"
import { render } from "./View.ts"
import { eventually, pause } from "./Waiting.ts"

const usage = `Usage: npm run demo -- [options]

Starts a cluster on this machine with a data directory of its own, sends messages through it, and shows nodes, owners,
rates, latency and webhooks. Keys kill, freeze and add nodes, and break and heal the webhook receiver.

  --shards 3       shard nodes
  --edges 1        edge nodes
  --tenants 6      projects that send
  --rate 40        messages a second, over all tenants
  --play           run a script of failures instead of reading keys, and say what was lost
  --speed 1        how many times as fast the script runs
  --record FILE    write a terminal recording (asciicast version 2; asciinema play FILE shows it)
`

const columns = 100
const rows = 32
/** Messages that were accepted must be delivered this long after the load ended, in milliseconds. */
const settleMs = 120_000

const fail = (message: string): never => {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

const readOptions = () => {
  try {
    const { values } = parseArgs({
      options: {
        shards: { type: "string", default: "3" },
        edges: { type: "string", default: "1" },
        tenants: { type: "string", default: "6" },
        rate: { type: "string", default: "40" },
        play: { type: "boolean", default: false },
        speed: { type: "string", default: "1" },
        record: { type: "string" },
        help: { type: "boolean", short: "h" }
      }
    })
    return values
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : error}\n\n${usage}`)
  }
}

const countOf = (name: string, text: string, most: number): number =>
  /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= most
    ? Number(text)
    : fail(`--${name}: expected a number from 1 to ${most}, not "${text}"`)

const options = readOptions()
if (options.help) {
  process.stdout.write(usage)
  process.exit(0)
}
const counts = { shards: countOf("shards", options.shards, 8), edges: countOf("edges", options.edges, 4) }
const tenantCount = countOf("tenants", options.tenants, 50)
const perSecond = countOf("rate", options.rate, 1000)
const speed = countOf("speed", options.speed, 10)
const isTerminal = process.stdout.isTTY === true && process.stdin.isTTY === true
if (!isTerminal && !options.play) fail("npm run demo needs a terminal for its keys; --play runs without one")

const say = (line: string): void => {
  if (!isTerminal || !shown) process.stdout.write(`${line}\n`)
}
let shown = false

/** The script of `--play`: seconds after the load began at speed 1, and the command. */
const script = (show: Show): ReadonlyArray<readonly [seconds: number, run: () => void | Promise<void>]> => [
  [5, () => show.select(2)],
  [6, () => show.kill()],
  [8, () => show.addShard()],
  [18, () => show.select(1)],
  [19, () => show.freeze()],
  [27, () => show.freeze()],
  [30, () => show.breakReceiver()],
  [38, () => show.heal()],
  [48, () => undefined]
]

const play = async (show: Show): Promise<void> => {
  const began = performance.now()
  const running: Array<Promise<void>> = []
  for (const [seconds, run] of script(show)) {
    await pause(began + (seconds * 1000) / speed - performance.now())
    running.push(Promise.resolve(run()))
  }
  await Promise.all(running)
}

const readKeys = (show: Show): Promise<void> =>
  new Promise((resolve) => {
    process.stdin.setRawMode(true).resume()
    process.stdin.on("data", (bytes: Buffer) => {
      for (const key of bytes.toString("utf8")) {
        if (/[1-9]/.test(key)) show.select(Number(key))
        if (key === "k") show.kill()
        if (key === "f") show.freeze()
        if (key === "a") void show.addShard()
        if (key === "b") show.breakReceiver()
        if (key === "h") show.heal().catch((error: Error) => show.tell(`recovery failed: ${error.message}`))
        if (key === "q" || key === "\u0003") resolve()
      }
    })
  })

const draw = (show: Show, cast: Cast | undefined): void => {
  const frame = `\u001b[H${render(show.scene()).join("\u001b[K\r\n")}\u001b[J`
  if (isTerminal) process.stdout.write(frame)
  cast?.write(frame)
}

const run = async (dataDir: string): Promise<boolean> => {
  let load: Load | undefined
  const receiver = await startReceiver((message_id) => load?.delivered(message_id))
  say(`starting ${counts.shards} shards and ${counts.edges === 1 ? "an edge" : `${counts.edges} edges`} in ${dataDir}`)
  const cluster = await startCluster(dataDir, counts, {
    CARTEIRO_MODE: "development",
    // A shard that is added later needs the key of the others.
    CARTEIRO_MASTER_KEY: randomBytes(32).toString("hex"),
    CARTEIRO_RATE_LIMITS: "off",
    CARTEIRO_SANDBOX_STATUS_DELAY_MS: "100",
    CARTEIRO_WEBHOOK_TARGET_ALLOWLIST: receiver.origin,
    CARTEIRO_WEBHOOK_RETRY_SANDBOX: "0s,1s,2s,4s,8s"
  })
  const cast = options.record === undefined ? undefined : startCast(options.record, { columns, rows })
  try {
    say(`making ${tenantCount} tenants`)
    const tenants = await makeTenants(cluster.dev, receiver, tenantCount)
    load = startLoad(tenants, perSecond, (reason) => show.tell(`a send failed: ${reason}`))
    const show: Show = new Show({ cluster, receiver, tenants, load })
    if (isTerminal) process.stdout.write("\u001b[?1049h\u001b[?25l")
    shown = isTerminal
    const measuring = setInterval(() => {
      void show.measure().then(() => draw(show, cast))
    }, 1000)
    await (options.play ? play(show) : readKeys(show))
    show.tell("the load ends; what was accepted is still being delivered")
    if (receiver.broken) await show.heal()
    await load.stop()
    const sent = load
    await eventually(() => sent.missing() === 0 || undefined, settleMs, "").catch(() => undefined)
    clearInterval(measuring)
    await show.measure()
    draw(show, cast)
    return sent.failed() === 0 && sent.missing() === 0
  } finally {
    if (shown) process.stdout.write("\u001b[?25h\u001b[?1049l")
    shown = false
    if (load !== undefined) {
      say(
        `accepted ${load.accepted()}, failed ${load.failed()}, delivered to the receiver ${load.accepted() - load.missing()}, lost ${load.missing()}`
      )
    }
    await cast?.close()
    await cluster.stop()
    receiver.close()
  }
}

const dataDir = await mkdtemp(join(tmpdir(), "carteiro-demo-"))
try {
  const nothingLost = await run(dataDir)
  await rm(dataDir, { recursive: true, force: true })
  process.exit(nothingLost ? 0 : 1)
} catch (error) {
  fail(`${error instanceof Error ? error.message : error}\nIts log is in ${dataDir}/demo.log`)
}
