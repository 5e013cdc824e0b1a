import { type AddressRefused, tryAddress } from "@carteiro/owners/AddressRefused.ts"
import type { UnprotectedRunner } from "@carteiro/owners/Cluster.ts"
import { isSilence } from "@carteiro/tables/Deadline.ts"
import { refusalOf } from "@carteiro/tables/NoPrimary.ts"
import { serverUrls, shownServers } from "@carteiro/tables/ServerUrls.ts"
import { failureText, sqlErrorCode } from "@carteiro/tables/SqlFailure.ts"
import { isUnready } from "@carteiro/tables/StartPatience.ts"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { freePort } from "./FreePort.ts"
import { StartRefused } from "./StartRefused.ts"

// Problems of a start, each told in one line: the setting, what is wrong with it, and the
// way out. Boot contract, "Settings"

/** The variables that hold a listener's address. */
const variables = {
  public: { port: "PORT", host: "HOST" },
  admin: { port: "CARTEIRO_ADMIN_PORT", host: "CARTEIRO_ADMIN_PORT" },
  runner: { port: "CARTEIRO_RUNNER_PORT", host: "CARTEIRO_RUNNER_HOST" }
} as const

/** An address that cannot be listened at. */
export const listenerRefused = ({ code, host, listener, port }: AddressRefused): StartRefused => {
  const names = variables[listener]
  switch (code) {
    case "EADDRINUSE":
      return refused(
        names.port,
        `another process listens at ${host}:${port}; stop it, or set ${names.port} to a free port`
      )
    case "EACCES":
      return refused(names.port, `this user may not listen at port ${port}; set ${names.port} to one above 1023`)
    case "EADDRNOTAVAIL":
    case "EAFNOSUPPORT":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return refused(
        names.host,
        `${host} is no address of this machine (${code}); 127.0.0.1 is, 0.0.0.0 stands for all`
      )
    default:
      return refused(names.port, `cannot listen at ${host}:${port} (${code}); set another address`)
  }
}

/** A runner that other machines could reach, without certificates. */
export const runnerRefused = ({ host }: UnprotectedRunner): StartRefused =>
  refused(
    variables.runner.host,
    `expected a loopback address, as no CARTEIRO_RUNNER_TLS_ certificates are set, not "${host}"`
  )

/**
 * Returns a port that can be listened at: the wanted one, or for 0 any free one. One that is taken is told before any
 * process has begun that would listen there.
 */
export const portFor = (listener: AddressRefused["listener"], host: string, port: number) =>
  port === 0 ? freePort() : Effect.catchTag(tryAddress({ listener, host, port }), "AddressRefused", listenerRefused)

/** Which database was asked: one that a setting names, or ours, whose log tells more. */
export interface AskedDatabase {
  readonly url: string
  /** Set for the embedded server. */
  readonly log: string | undefined
}

/** A database that cannot be reached, refuses the user, or cannot serve its data. */
export const databaseRefused = ({ log, url }: AskedDatabase, error: SqlError.SqlError): StartRefused => {
  if (log !== undefined) {
    if (isUnready(error)) {
      return refused(
        "CARTEIRO_DATA_DIR",
        `the embedded PostgreSQL runs and is not ready (${failureText(error)}); ${log} tells what it does. Start again once this machine has less to do; the folder is as it was`
      )
    }
    return refused(
      "CARTEIRO_DATA_DIR",
      `the embedded PostgreSQL refused us: ${failureText(error)}; see ${log}, then restore the folder from a copy, or remove it to start afresh`
    )
  }
  const refusal = refusalOf(error)
  // Of several servers, the one that refuses tells more than that none takes writes.
  if (refusal !== undefined) return databaseRefused({ url: refusal.server, log }, refusal.error)
  const { hostname, pathname, username } = new URL(serverUrls(url)?.[0] ?? url)
  const at = shownServers(url) || "the local socket"
  const code = sqlErrorCode(error) ?? ""
  if (code === "ENOPRIMARY") {
    return refused(
      "DATABASE_URL",
      `no server takes writes: ${failureText(error)}; start or promote one, or correct the addresses`
    )
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return refused("DATABASE_URL", `no host is called ${hostname} (${code}); correct the host`)
  }
  if (code === "3D000") {
    const name = decodeURIComponent(pathname.slice(1)) || decodeURIComponent(username)
    return refused(
      "DATABASE_URL",
      `PostgreSQL at ${at} has no database ${name}; create it (createdb ${name}), or correct the name`
    )
  }
  if (code === "42501") {
    return refused(
      "DATABASE_URL",
      `${decodeURIComponent(username)} may not change the schema at ${at}: ${failureText(error)}; let it own its database`
    )
  }
  if (error.reason._tag === "AuthenticationError") {
    const said = failureText(error)
    const remedy = said.includes("no encryption")
      ? "add sslmode=require, or a stricter word"
      : "correct user and password"
    return refused(
      "DATABASE_URL",
      `PostgreSQL at ${at} does not let ${decodeURIComponent(username)} in: ${said}; ${remedy}`
    )
  }
  const tls = tlsRefused(at, error)
  if (tls !== undefined) return tls
  if (isSilence(error)) {
    return refused(
      "DATABASE_URL",
      `PostgreSQL at ${at} is too slow or cannot be reached: ${failureText(error)}; look at the load of its machine and at the network between, and start again`
    )
  }
  if (isUnready(error)) {
    return refused("DATABASE_URL", `PostgreSQL at ${at} is not ready: ${failureText(error)}; start again once it is`)
  }
  if (error.reason._tag === "ConnectionError" && /^E[A-Z]+$/.test(code)) {
    return refused("DATABASE_URL", `no PostgreSQL answers at ${at} (${code}); start it, or correct the address`)
  }
  const said = failureText(error)
  return /^[0-9A-Z]{5}$/.test(code)
    ? refused("DATABASE_URL", `PostgreSQL at ${at} refused us: ${said}; its log tells more`)
    : refused("DATABASE_URL", `cannot connect to PostgreSQL at ${at}: ${said}; correct it, or what answers there`)
}

/** A server without TLS, or with a certificate that is not the expected one. */
const tlsRefused = (at: string, error: SqlError.SqlError): StartRefused | undefined => {
  const [code, said] = [sqlErrorCode(error) ?? "", failureText(error)]
  if (said === "The server does not support TLS") {
    const remedy = "set ssl = on there, or change sslmode"
    return refused("DATABASE_URL", `PostgreSQL at ${at} has no TLS, and sslmode asks for it; ${remedy}`)
  }
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    const remedy = "call it by a name in its certificate, or set sslmode=verify-ca"
    return refused("DATABASE_URL", `the certificate of PostgreSQL at ${at} is of another name: ${said}; ${remedy}`)
  }
  if (!/CERT|SIGNED|ISSUER|UNABLE_TO/.test(code)) return undefined
  // Node's advice about its own options stands behind a semicolon.
  const [reason] = said.split(";")
  const remedy = "name its authority in sslrootcert"
  return refused(
    "DATABASE_URL",
    `the certificate of PostgreSQL at ${at} is not accepted (${code}): ${reason}; ${remedy}`
  )
}

const refused = (name: string, problem: string): StartRefused => new StartRefused({ message: `${name}: ${problem}` })
