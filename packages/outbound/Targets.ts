import { Effect } from "effect"
import { classifyAddress, isPublicAddress } from "./Addresses.ts"
import { NameResolver } from "./NameResolver.ts"

/** Canonical origins (`http://127.0.0.1:4020`) exempt from the https and private-address rules. Boot contract */
export type Allowlist = ReadonlySet<string>

/** "malformed" leads to `invalid_webhook_endpoint_request`, "unsafe" to `unsafe_webhook_url`. A-WHE-18..21 */
export type TargetVerdict = "ok" | "malformed" | "unsafe"

/** A destination that passed every rule that needs only the URL. */
export interface Target {
  readonly origin: string
  /** The host as DNS or the dialler takes it: no brackets around an IPv6 literal. */
  readonly hostname: string
  readonly path: string
  /** Exempt and literal hosts need no look-up; the addresses of a name are still to be checked. */
  readonly kind: "exempt" | "literal" | "name"
}

/** The longest URL, in characters. gaps-1 J "url and description bounds" */
const maxUrlLength = 2048

/**
 * The time for which a registration waits for DNS, in milliseconds; with a silent server the name counts as unresolved.
 */
const registrationLookupMs = 2000

/** Reads a comma-separated list of origins; undefined when an entry is not `http(s)://host[:port]`. */
export const parseAllowlist = (text: string): Allowlist | undefined => {
  const origins = new Set<string>()
  for (const entry of text.split(",").map((part) => part.trim())) {
    if (entry === "") continue
    const url = URL.parse(entry)
    if (url === null || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) return undefined
    origins.add(url.origin)
  }
  return origins
}

/** True when a text is the base URL, trailing slashes aside. */
export const isSameBase = (text: string, base: string): boolean => {
  const [one, other] = [URL.parse(text), URL.parse(base)]
  return one !== null && other !== null && trimmed(one.href) === trimmed(other.href)
}

/** Returns a text without trailing slashes. */
export const trimmed = (text: string): string => text.replace(/\/+$/, "")

const unsafeHost = (host: string): boolean =>
  host === "localhost" || !host.includes(".") || /\.(localhost|local|internal)$/.test(host)

/**
 * Returns a URL as a destination, or its fault. Plain http is allowed only for files to fetch, because such a request
 * carries no data of this service. gaps-1 J, gaps-2 B "Media source shapes"
 */
export const readTarget = (
  text: string,
  allowlist: Allowlist,
  takesHttp = false
): Target | Exclude<TargetVerdict, "ok"> => {
  // The URL parser tolerates blanks, backslashes and missing slashes; the written URL must be the one that is dialled.
  if (text.length > maxUrlLength * 2 || [...text].length > maxUrlLength) return "malformed"
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are part of the rule
  if (!text.isWellFormed() || /[\u0000-\u0020\u007f\\#]/.test(text)) return "malformed"
  const url = URL.parse(text)
  if (url === null) return "malformed"
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?]*)/i.exec(text)?.[1]
  if (/^https?:$/.test(url.protocol) && !authority) return "malformed"
  if (authority?.includes("@")) return "unsafe"

  const bare = url.hostname.replace(/^\[(.*)\]$/, "$1")
  const target = { origin: url.origin, hostname: bare, path: url.pathname + url.search }
  if (allowlist.has(url.origin)) return { ...target, kind: "exempt" }
  if (url.protocol !== "https:" && !(takesHttp && url.protocol === "http:")) return "unsafe"

  const host = bare.replace(/\.+$/, "")
  const address = classifyAddress(host)
  if (address === "unsafe") return "unsafe"
  if (address === "public") return { ...target, kind: "literal" }
  return unsafeHost(host) ? "unsafe" : { ...target, kind: "name" }
}

/** Judges a URL alone, without DNS. A-WHE-18, A-WHE-19, A-WHE-20, A-WHE-21 */
export const checkTarget = (url: string, allowlist: Allowlist): TargetVerdict => {
  const target = readTarget(url, allowlist)
  return typeof target === "string" ? target : "ok"
}

/**
 * Judges a URL and every address that its name has now; a name that does not resolve is accepted. A-WHE-20, gaps-1 J
 */
export const vetAtRegistration = (
  url: string,
  allowlist: Allowlist
): Effect.Effect<TargetVerdict, never, NameResolver> => {
  const target = readTarget(url, allowlist)
  if (typeof target === "string") return Effect.succeed(target)
  if (target.kind !== "name") return Effect.succeed("ok")
  return Effect.flatMap(NameResolver, (resolver) =>
    Effect.map(resolver.resolve(target.hostname, registrationLookupMs), (addresses) =>
      addresses.every(isPublicAddress) ? "ok" : "unsafe"
    )
  )
}
