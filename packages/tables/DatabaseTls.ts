import { readFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import type { Duplex } from "node:stream"
import { type ConnectionOptions, getCACertificates } from "node:tls"
import { dialOptionalTls } from "./OptionalTls.ts"

/** The words of `sslmode`, from the one that trusts every network to the one that trusts none. */
const sslModes = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] as const
type SslMode = (typeof sslModes)[number]

/** How the driver connects: with these options of TLS, without TLS, or over sockets that find out by themselves. */
export interface TlsChoice {
  readonly ssl: boolean | ConnectionOptions
  readonly stream?: () => Duplex
}

/**
 * Returns how a URL of one server asks to be connected to. `sslmode` and `sslrootcert` mean what psql means by them;
 * without `sslmode` there is no TLS, unless `sslrootcert=system` asks for `verify-full`. `dial` opens sockets that the
 * caller wants to keep hold of. Boot contract, "Settings"
 */
export const tlsChoice = (url: string, dial?: () => Duplex): TlsChoice => {
  const { mode, rootFile } = readWords(url)
  const own = dial === undefined ? {} : { stream: dial }
  const { hostname, searchParams } = new URL(url)
  const isLocal = hostname === "" && (searchParams.get("host") ?? "/").startsWith("/")
  if (mode === undefined || mode === "disable" || isLocal || searchParams.get("host")?.startsWith("/") === true) {
    return { ssl: false, ...own }
  }
  if (mode === "allow" || mode === "prefer") {
    return { ssl: false, stream: () => dialOptionalTls({ url, dial }, mode) }
  }
  const isChecked = mode !== "require" || rootFile !== undefined
  if (!isChecked) return { ssl: { rejectUnauthorized: false }, ...own }
  const checked = { rejectUnauthorized: true, ca: rootsOf(rootFile ?? standardRootFile()) }
  return {
    // psql checks the name with verify-full alone; require with a root certificate is verify-ca.
    ssl: mode === "verify-full" ? checked : { ...checked, checkServerIdentity: () => undefined },
    ...own
  }
}

/** Returns what is wrong with the words of TLS in a URL, as the end of a sentence; undefined when all is well. */
export const tlsProblem = (url: string): string | undefined => {
  const parameters = new URL(url).searchParams
  const word = parameters.get("sslmode")
  if (word !== null && !isMode(word)) return `sslmode to be one of ${sslModes.join(", ")}`
  const { mode, rootFile } = readWords(url)
  if (rootFile === systemRoots) {
    return mode === "verify-full" ? undefined : "sslmode=verify-full beside sslrootcert=system, or no sslmode"
  }
  const needed = mode === "verify-ca" || mode === "verify-full"
  const file = rootFile ?? (needed ? standardRootFile() : undefined)
  if (file === undefined || (mode !== "require" && !needed)) return undefined
  try {
    readFileSync(file)
    return undefined
  } catch {
    return rootFile === undefined
      ? `sslrootcert beside sslmode=${mode}: the file of the authority, or system (psql's own ${file} is not there)`
      : `sslrootcert to be a file that this user may read, or system, not ${file}`
  }
}

const systemRoots = "system"

const isMode = (word: string): word is SslMode => sslModes.some((mode) => mode === word)

const readWords = (url: string): { readonly mode: SslMode | undefined; readonly rootFile: string | undefined } => {
  const parameters = new URL(url).searchParams
  const word = parameters.get("sslmode")
  const rootFile = parameters.get("sslrootcert") || undefined
  if (word !== null && isMode(word)) return { mode: word, rootFile }
  return { mode: word === null && rootFile === systemRoots ? "verify-full" : undefined, rootFile }
}

const standardRootFile = (): string => join(homedir(), ".postgresql", "root.crt")

const rootsOf = (file: string): Array<string | Buffer> =>
  file === systemRoots ? getCACertificates("system") : [readFileSync(file)]
