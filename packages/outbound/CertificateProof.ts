import { execFile } from "node:child_process"
import { Effect, Semaphore } from "effect"
import { type CertificateFault, ClientCertificate } from "./ClientCertificates.ts"

/**
 * The verdict about a PKCS#12 file of a tenant. `costly`: opening it takes so much work that each connection with it would hold this
 * process up. The file itself says how often its password is hashed.
 */
export type CertificateVerdict = "usable" | "costly" | CertificateFault

/** The most processor time that opening a file may take, in milliseconds; files of current programs take under ten. */
const standardMs = 250
/** A child process that takes longer, in milliseconds, is killed. */
const killAfterMs = 10_000
/** Child processes at a time. */
const mostAtOnce = 2

// The file and its password come by the input, so that nothing of them stands in the list of processes.
const program = `
let text = ""
for await (const piece of process.stdin) text += piece
const { pfx, passphrase } = JSON.parse(text)
const { createSecureContext } = await import("node:tls")
const before = process.cpuUsage()
try { createSecureContext({ pfx: Buffer.from(pfx, "base64"), passphrase }) } catch {}
const { system, user } = process.cpuUsage(before)
process.stdout.write(String((system + user) / 1000))
`

/** Returns the prover of certificates: it opens a file in a process of its own before this one does. */
export const certificateProver = (
  mostMs = standardMs
): ((pkcs12: Uint8Array, password: string) => Effect.Effect<CertificateVerdict>) => {
  const turns = Semaphore.makeUnsafe(mostAtOnce)
  return (pkcs12, password) =>
    Effect.map(turns.withPermits(1)(costOf(pkcs12, password)), (cost) => {
      if (cost === undefined || cost > mostMs) return "costly"
      const certificate = ClientCertificate.read(pkcs12, password)
      return typeof certificate === "string" ? certificate : "usable"
    })
}

/** Returns the processor time of opening a file, in milliseconds; undefined for one that was not opened in time. */
const costOf = (pkcs12: Uint8Array, passphrase: string): Effect.Effect<number | undefined> =>
  Effect.callback((resume) => {
    const child = execFile(
      process.execPath,
      ["--input-type=module", "--eval", program],
      { timeout: killAfterMs, killSignal: "SIGKILL", maxBuffer: 1024, env: {} },
      (error, output) => {
        const cost = Number(output)
        resume(Effect.succeed(error === null && output !== "" && Number.isFinite(cost) ? cost : undefined))
      }
    )
    child.stdin?.on("error", () => {})
    child.stdin?.end(JSON.stringify({ pfx: Buffer.from(pkcs12).toString("base64"), passphrase }))
    return Effect.sync(() => child.kill("SIGKILL"))
  })
