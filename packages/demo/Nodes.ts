import { type ChildProcess, spawn } from "node:child_process"
import { createWriteStream } from "node:fs"
import { readFile } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { eventually } from "./Waiting.ts"

/** One process of the cluster. */
export interface DemoNode {
  readonly name: string
  readonly role: "shard" | "edge"
  readonly pid: number
  /** Where its metrics are. */
  readonly admin: string
  frozen: boolean
}

/** The members of dev.json that the demo uses. */
export interface DevFile {
  readonly base_url: string
  readonly database_url: string
  readonly sandbox: { readonly api_key: string }
}

/** A running cluster whose nodes can be killed, frozen and added. */
export interface Cluster {
  readonly dev: DevFile
  readonly nodes: ReadonlyArray<DemoNode>
  readonly isRunning: (node: DemoNode) => boolean
  /** SIGKILL: the process has no time to hand anything over. */
  readonly kill: (node: DemoNode) => void
  /** SIGSTOP, or SIGCONT for a node that is frozen: the process keeps its sockets and does nothing. */
  readonly freeze: (node: DemoNode) => void
  /** Starts one more shard and resolves once it is ready. */
  readonly addShard: () => Promise<DemoNode>
  /** Stops the cluster in order; resolves when its processes are gone. */
  readonly stop: () => Promise<void>
}

const programs = fileURLToPath(new URL("../../runtime/", import.meta.url))
const line = /^node (?<role>shard|edge) (?<number>\d+) pid=(?<pid>\d+) http=\S+ runner=\S+ admin=(?<admin>\S+)$/
const startMs = 180_000

/** Starts `npm run cluster` with a data directory of its own and resolves once it is ready. */
export const startCluster = async (
  dataDir: string,
  counts: { readonly shards: number; readonly edges: number },
  settings: Readonly<Record<string, string>>
): Promise<Cluster> => {
  const log = createWriteStream(join(dataDir, "demo.log"), { flags: "a" })
  const nodes: Array<DemoNode> = []
  const env = { ...process.env, ...settings, CARTEIRO_DATA_DIR: dataDir, CARTEIRO_LOG: "warn" }
  const begin = (program: string, args: ReadonlyArray<string>, more: Readonly<Record<string, string>>) => {
    const child = spawn(process.execPath, [join(programs, program), ...args], {
      env: { ...env, ...more },
      stdio: ["ignore", "pipe", "pipe"],
      // ctrl-c reaches the demo alone, which stops its processes in order.
      detached: true
    })
    child.stderr.pipe(log, { end: false })
    return { child, ready: readyLine(child, (text) => readNode(text, nodes)) }
  }
  const launcher = begin("cluster.ts", ["--shards", String(counts.shards), "--edges", String(counts.edges)], {
    PORT: String(await freePort()),
    CARTEIRO_ADMIN_PORT: String(await freePort()),
    CARTEIRO_RUNNER_PORT: String(await freePort())
  })
  const added: Array<ChildProcess> = []
  await launcher.ready
  const dev = JSON.parse(await readFile(join(dataDir, "dev.json"), "utf8")) as DevFile
  const signal = (node: DemoNode, name: NodeJS.Signals) => {
    if (isAlive(node.pid)) process.kill(node.pid, name)
  }
  return {
    dev,
    nodes,
    isRunning: (node) => isAlive(node.pid),
    kill: (node) => signal(node, "SIGKILL"),
    freeze: (node) => {
      node.frozen = !node.frozen
      signal(node, node.frozen ? "SIGSTOP" : "SIGCONT")
    },
    addShard: async () => {
      const admin = await freePort()
      const { child, ready } = begin("main.ts", [], {
        DATABASE_URL: dev.database_url,
        CARTEIRO_ROLE: "shard",
        CARTEIRO_RUNNER_PORT: String(await freePort()),
        CARTEIRO_ADMIN_PORT: String(admin)
      })
      added.push(child)
      await ready
      const number = nodes.filter(({ role }) => role === "shard").length + 1
      const node = {
        name: `shard ${number}`,
        role: "shard",
        pid: child.pid ?? 0,
        admin: `http://127.0.0.1:${admin}`,
        frozen: false
      } as const
      nodes.push(node)
      return node
    },
    stop: async () => {
      for (const node of nodes) if (node.frozen) signal(node, "SIGCONT")
      const children = [...added, launcher.child]
      for (const child of children) child.kill("SIGTERM")
      await eventually(
        () => children.every(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null) || undefined,
        20_000,
        "the cluster did not stop within 20 seconds"
      )
      log.end()
    }
  }
}

const readNode = (text: string, nodes: Array<DemoNode>) => {
  const found = line.exec(text)?.groups
  if (found === undefined) return
  const role = found.role as DemoNode["role"]
  nodes.push({ name: `${role} ${found.number}`, role, pid: Number(found.pid), admin: found.admin ?? "", frozen: false })
}

/** Resolves with the ready line; rejects with the end of its output when the process ends before, or takes too long. */
const readyLine = (child: ChildProcess, take: (line: string) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    const seen: Array<string> = []
    const tooLate = setTimeout(() => reject(new Error(`not ready in time:\n${seen.join("\n")}`)), startMs)
    const note = (text: string) => {
      seen.push(text)
      if (seen.length > 20) seen.shift()
    }
    if (child.stderr !== null) createInterface({ input: child.stderr }).on("line", note)
    if (child.stdout === null) return
    createInterface({ input: child.stdout }).on("line", (text) => {
      note(text)
      take(text)
      if (!text.startsWith("ready ")) return
      clearTimeout(tooLate)
      resolve()
    })
    child.once("exit", (code) => {
      clearTimeout(tooLate)
      reject(new Error(`ended with ${code} before it was ready:\n${seen.join("\n")}`))
    })
  })

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })
