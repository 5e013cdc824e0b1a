import { spawnSync } from "node:child_process"
import { chmodSync, chownSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as EmbeddedPostgres from "@carteiro/runtime/boot/EmbeddedPostgres.ts"
import { serverUser } from "@carteiro/runtime/boot/postgres/ServerUser.ts"
import { Effect } from "effect"
import { clusterOf } from "./EmbeddedServer.ts"
import { dataFolder } from "./RunFolder.ts"
import { queried } from "./Standby.ts"

/** A PostgreSQL with TLS. Its certificate names `localhost`, not `127.0.0.1`. */
export interface TlsServer {
  /** Connects without TLS, over 127.0.0.1. */
  readonly url: string
  /** The certificate of the authority that signed the server's, and of one that did not. */
  readonly authority: string
  readonly stranger: string
  /** Lets in connections with TLS alone (`hostssl`), without alone (`hostnossl`), or both (`host`). */
  readonly lets: (kind: "host" | "hostssl" | "hostnossl") => Effect.Effect<void>
}

const folder = (prefix: string) =>
  Effect.acquireRelease(
    Effect.sync(() => dataFolder(prefix)),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )

const openssl = (cwd: string, ...args: ReadonlyArray<string>) => {
  const { status, stderr } = spawnSync("openssl", args, { cwd, encoding: "utf8" })
  if (status !== 0) throw new Error(`openssl ${args.join(" ")}: ${stderr}`)
}

const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]

const makeAuthority = (cwd: string, name: string): string => {
  openssl(
    cwd,
    "req",
    "-x509",
    ...key,
    "-days",
    "2",
    "-subj",
    `/CN=${name}`,
    "-keyout",
    `${name}.key`,
    "-out",
    `${name}.pem`
  )
  return join(cwd, `${name}.pem`)
}

/** Starts the server until the scope closes. */
export const tlsServer = Effect.gen(function* () {
  const files = yield* folder("carteiro-tls-files-")
  const dataDir = yield* folder("carteiro-tls-")
  chmodSync(files, 0o755)
  const [authority, stranger] = [makeAuthority(files, "authority"), makeAuthority(files, "stranger")]
  writeFileSync(join(files, "names"), "subjectAltName=DNS:localhost\n")
  openssl(files, "req", ...key, "-subj", "/CN=localhost", "-keyout", "server.key", "-out", "server.csr")
  openssl(
    files,
    ..."x509 -req -in server.csr -CA authority.pem -CAkey authority.key -days 2 -extfile names -out server.pem".split(
      " "
    )
  )
  const user = yield* serverUser("")
  chmodSync(join(files, "server.key"), 0o600)
  if (user !== undefined) chownSync(join(files, "server.key"), user.uid, user.gid)
  const settings = ["fsync=off", "ssl=on", `ssl_cert_file=${files}/server.pem`, `ssl_key_file=${files}/server.key`]
  const { url } = yield* EmbeddedPostgres.acquire({ dataDir, settings })
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => rmSync(join(clusterOf(dataDir), ".."), { recursive: true, force: true }))
  )
  // Through the socket's own line of the file, which no kind of connection changes.
  const { pathname, password, port, username } = new URL(url)
  const socket = join(clusterOf(dataDir), "..", "socket")
  const local = `postgres://${username}:${password}@localhost:${port}${pathname}?host=${encodeURIComponent(socket)}&port=${port}`
  return {
    url,
    authority,
    stranger,
    lets: (kind) =>
      Effect.gen(function* () {
        const lines = ["local all all scram-sha-256", `${kind} all all all scram-sha-256`]
        yield* Effect.sync(() => writeFileSync(join(clusterOf(dataDir), "pg_hba.conf"), `${lines.join("\n")}\n`))
        yield* Effect.orDie(queried(local, (sql) => sql`select pg_reload_conf()`))
      })
  } satisfies TlsServer as TlsServer
})
