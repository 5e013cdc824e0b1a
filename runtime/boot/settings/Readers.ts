import { existsSync } from "node:fs"
import { isIP } from "node:net"
import { availableParallelism } from "node:os"
import { dayMs, hourMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { tlsProblem } from "@carteiro/tables/DatabaseTls.ts"
import { serverUrls } from "@carteiro/tables/ServerUrls.ts"
import { Result } from "effect"

/** Turns the text of a setting into its value, or says in a few words what it should have been. */
export type Reader<A> = (text: string) => Result.Result<A, string>

/** A reader out of a function that answers undefined for what it does not understand. */
export const expecting =
  <A>(what: string, read: (text: string) => A | undefined): Reader<A> =>
  (text) => {
    const value = read(text)
    return value === undefined ? Result.fail(`expected ${what}`) : Result.succeed(value)
  }

export const text: Reader<string> = Result.succeed

/** A whole number between the bounds, both allowed. */
export const wholeNumber = (least: number, most: number): Reader<number> =>
  expecting(`a whole number from ${least} to ${most}`, (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    return value >= least && value <= most ? value : undefined
  })

/** A share from 0 to 1, such as `0.01`. */
export const share: Reader<number> = expecting("a share from 0 to 1 such as 0.01", (text) =>
  /^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)$/.test(text) ? Number(text) : undefined
)

/** A number of processes of one node; `auto` is one a core. With more than 64 a process has two shards at most. */
export const processes: Reader<number> = (text) =>
  text === "auto"
    ? Result.succeed(Math.min(availableParallelism(), mostProcesses))
    : expecting(`auto or a whole number from 1 to ${mostProcesses}`, (text) =>
        Result.getOrUndefined(wholeNumber(1, mostProcesses)(text))
      )(text)

const mostProcesses = 64

/** A TCP port; 0 lets the system choose. */
export const port: Reader<number> = wholeNumber(0, 65_535)

export const oneOf = <const A extends ReadonlyArray<string>>(...values: A): Reader<A[number]> =>
  expecting(`one of ${values.join(", ")}`, (text) => values.find((value) => value === text))

export const flag: Reader<boolean> = expecting("0 or 1", (text) => ({ 0: false, 1: true })[text])

/** `true` and `false`, as the names of gaps files say it, or 1 and 0. */
export const truth: Reader<boolean> = expecting(
  "true or false",
  (text) => ({ 0: false, 1: true, false: false, true: true })[text]
)

/** An absolute http or https URL without credentials, query or fragment; answered without a trailing slash. */
export const webUrl: Reader<string> = expecting(
  "an absolute http or https URL such as https://api.example.com",
  (text) => {
    const url = URL.parse(text)
    const plain = url !== null && /^https?:$/.test(url.protocol) && `${url.username}${url.search}${url.hash}` === ""
    return plain ? url.href.replace(/\/+$/, "") : undefined
  }
)

/** A connection string of PostgreSQL, of one server or of several, one of which takes writes. */
export const databaseUrl: Reader<string> = (text) => {
  const servers = serverUrls(text)
  return servers === undefined
    ? Result.fail(
        "expected a URL such as postgres://user:password@host:5432/name, or of several servers, …@host1:5432,host2:5432/name"
      )
    : withTls(servers[0] ?? text, text)
}

/** A connection string of one server of PostgreSQL. */
export const serverUrl: Reader<string> = (text) =>
  serverUrls(text)?.length === 1
    ? withTls(text, text)
    : Result.fail("expected a URL such as postgres://user:password@host:5432/name")

/** Refuses words of TLS that psql would refuse, and files that are not there. */
const withTls = (server: string, text: string): Result.Result<string, string> => {
  const problem = tlsProblem(server)
  return problem === undefined ? Result.succeed(text) : Result.fail(`expected ${problem}`)
}

/** A mail server, with its credentials when it asks for them. */
export const mailServer: Reader<string> = expecting(
  "a URL such as smtps://user:password@mail.example.com:465",
  (text) => (/^smtps?:$/.test(URL.parse(text)?.protocol ?? "") ? text : undefined)
)

/** An address, alone or behind the name of whose it is. */
export const mailAddress: Reader<string> = expecting(
  "an address such as billing@example.com or Carteiro <billing@example.com>",
  (text) =>
    /^(?:[^<>@\r\n"]{1,120} <[^\s<>@]{1,64}@[^\s<>@]{1,190}>|[^\s<>@]{1,64}@[^\s<>@]{1,190})$/.test(text)
      ? text
      : undefined
)

/** Comma-separated host names, one at least. */
export const hosts: Reader<ReadonlyArray<string>> = expecting(
  "comma-separated host names such as chat.example.com",
  (text) => {
    const entries = parts(text.toLowerCase())
    return entries.length > 0 && entries.every((entry) => /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(entry))
      ? entries
      : undefined
  }
)

/** An amount with at most four decimals, as the wire writes it. */
export const amountBrl: Reader<string> = expecting("an amount such as 50 or 12.5000", (text) =>
  /^\d{1,9}(\.\d{1,4})?$/.test(text) ? text : undefined
)

/** Comma-separated addresses and CIDR ranges. */
export const addresses: Reader<ReadonlyArray<string>> = expecting(
  "comma-separated IP addresses or CIDR ranges such as 10.0.0.0/8",
  (text) => {
    const entries = parts(text)
    return entries.every(isAddressOrRange) ? entries : undefined
  }
)

/** Comma-separated delays such as `0s,5s,30m` as milliseconds, one for each attempt. */
export const delays: Reader<ReadonlyArray<number>> = expecting(
  "1 to 20 comma-separated delays such as 0s,5s,30m,2h",
  (text) => {
    const millis = text.split(",").map((part) => delayMillis(part.trim()))
    const known = millis.filter((delay) => delay !== undefined)
    return known.length === millis.length && known.length <= 20 ? known : undefined
  }
)

/** The path of a file that exists. */
export const existingFile: Reader<string> = expecting("the path of an existing file", (text) =>
  existsSync(text) ? text : undefined
)

const parts = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")

const isAddressOrRange = (entry: string): boolean => {
  const [address = "", bits, ...rest] = entry.split("/")
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

const unitMillis: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: hourMs, d: dayMs }

const delayMillis = (text: string): number | undefined => {
  const [, amount, unit] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text) ?? []
  const millis = Number(amount) * (unitMillis[unit ?? ""] ?? Number.NaN)
  return millis <= 366 * dayMs ? millis : undefined
}
