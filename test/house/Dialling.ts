import { isShipped, placeOf, resolveImport } from "./Places.ts"
import { type Import, lineAt, type SourceText } from "./SourceText.ts"
import type { Violation } from "./WordingRules.ts"

/** Where the vetting, pinning and bounding of calls stands. */
const outbound = "packages/outbound/"

/** Who else opens connections, with the reason why no tenant's URL gets there. A path that ends in a slash is a folder. */
const excepted: Readonly<Record<string, string>> = {
  "packages/provider-s3/": "the vendor's own client of the bucket, at the operator's endpoint",
  "packages/provider-mail/": "SMTP to the operator's mail server",
  "packages/simulators/": "stand-ins for vendors in development; they call the product",
  "packages/demo/": "reads the metrics of the nodes that it started itself",
  "packages/receiver/": "an integrator's receiver, a user of the public contract",
  "packages/sdk/": "an integrator's client, a user of the public contract",
  "packages/cli/": "an integrator's command line, a user of the public contract",
  "packages/owners/cluster/": "nodes call each other, at addresses that they wrote down themselves",
  "packages/tables/OptionalTls.ts": "the operator's PostgreSQL, over TLS as sslmode of DATABASE_URL says",
  "packages/tables/PrimarySessions.ts": "the servers of DATABASE_URL, whose connections it cuts after a promotion",
  "runtime/telemetry/Otlp.ts": "the operator's collector, through the exporter of the library",
  "packages/console/chat/chat.js": "runs in a person's browser",
  "packages/console/connections/connect.js": "runs in a person's browser",
  "packages/console/kit/console.js": "runs in a person's browser",
  "packages/console/batches/batch.js": "runs in a person's browser",
  "packages/console/templates/editor.js": "runs in a person's browser",
  "packages/console/kit/live.js": "runs in a person's browser",
  "packages/console/payments/pay.js": "runs in a payer's browser"
}

/** Modules that dial: all of one, or these of its names. A whole module in one variable counts as all of its names. */
const diallers: ReadonlyArray<readonly [RegExp, ReadonlySet<string> | "all"]> = [
  [/^undici(?:\/|$)/, "all"],
  [/^node:https$/, "all"],
  [/^node:http2$/, new Set(["connect"])],
  [/^node:http$/, new Set(["request", "get", "Agent", "ClientRequest"])],
  [/^node:(?:net|tls)$/, new Set(["connect", "createConnection"])],
  [/^node:(?:dgram|dns|dns\/promises)$/, "all"],
  [/^(?:nodemailer|@aws-sdk\/.+|axios|got|node-fetch|ws)$/, "all"],
  [/^effect\/http$/, new Set(["FetchHttpClient", "HttpClient"])],
  [/^@effect\/platform-node\/(?:NodeHttpClient|NodeSocket|Undici)$/, "all"],
  [/^@effect\/platform-node$/, new Set(["NodeHttpClient", "NodeSocket", "Undici"])]
]

const globals = /(?<![.\w$])(?:(?:globalThis\s*\.\s*)?fetch\s*\(|new\s+(?:WebSocket|EventSource|XMLHttpRequest)\b)/g
const ownFetch = /\b(?:const|function)\s+fetch\b/

/** Connections are opened by `packages/outbound` alone. */
export const diallingProblems = (path: string, source: SourceText): ReadonlyArray<Violation> => {
  if (!isShipped(placeOf(path)) || path.startsWith(outbound)) return []
  if (Object.keys(excepted).some((one) => (one.endsWith("/") ? path.startsWith(one) : path === one))) return []
  const called = ownFetch.test(source.code) ? [] : [...source.code.matchAll(globals)]
  return [
    ...source.imports.filter(dials).map(({ line, specifier }) => problem(path, line, specifier)),
    ...called.map(({ 0: call, index }) => problem(path, lineAt(source.code, index), call))
  ]
}

const problem = (path: string, line: number, found: string): Violation => ({
  path,
  line,
  rule: "one-dialler",
  message: `only packages/outbound opens connections: ${found}`
})

const dials = ({ namespace, specifier, typeOnly, values }: Import): boolean =>
  !typeOnly &&
  diallers.some(
    ([module, names]) =>
      module.test(specifier) &&
      (names === "all" || namespace !== undefined || values.length === 0 || values.some((name) => names.has(name)))
  )

/** Why an import of `packages/outbound` is refused: it has a door, and settings alone become an operator's URL. */
export const outboundDoor = (from: string, { names, specifier }: Import): string | undefined => {
  if (!isShipped(placeOf(from)) || from.startsWith(outbound)) return undefined
  if (!(resolveImport(from, specifier) ?? "").startsWith(outbound)) return undefined
  if (specifier.startsWith(".")) return "packages/outbound is entered through its export map"
  return names.includes("operatorUrl") && !from.startsWith("runtime/app/")
    ? "only runtime/app makes an operator's URL, of a setting"
    : undefined
}
