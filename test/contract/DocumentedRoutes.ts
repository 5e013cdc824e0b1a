import { readFileSync } from "node:fs"

/** What the table of a document says of one route. */
export interface DocumentedRoute {
  /** As in `GET /v1/messages/{}`. */
  readonly route: string
  readonly scopes: ReadonlyArray<string>
  /** Honored, required or ignored. */
  readonly idempotency: "opt" | "req" | "-"
}

/** A route without the names of its ids: the documents and the contract may call one differently. */
export const unnamed = (route: string): string => route.replaceAll(/\{\w+\}/g, "{}")

const isMode = (cell: string): cell is DocumentedRoute["idempotency"] => ["opt", "req", "-"].includes(cell)

/** The scopes a cell names; undefined where it says more than one thing. */
const scopesIn = (cell: string): ReadonlyArray<string> | undefined => {
  if (/^[a-z_]+:[a-z]+$/.test(cell)) return [cell]
  return cell.includes("no scope") || cell === "none (token)" ? [] : undefined
}

/** `PATCH and DELETE /v1/flows/{flow_id}` names two. */
const routesIn = (cell: string): ReadonlyArray<string> =>
  cell.split("; ").flatMap((part) => {
    const [, methods = "", path = ""] = /^([A-Z]+(?: and [A-Z]+)*) (\/v1\/\S+)$/.exec(part) ?? []
    return path === "" ? [] : methods.split(" and ").map((method) => `${method} ${path}`)
  })

/**
 * The routes of a document's table that it writes in full, each with one scope or none, and one mode. What it shortens,
 * such as `/resume` after another path, is not read: whoever serves that names it beside these.
 */
const routesOf = (document: string): ReadonlyArray<DocumentedRoute> =>
  readFileSync(new URL(`../../docs/requirements/${document}.md`, import.meta.url), "utf8")
    .split("\n")
    .flatMap((line) => {
      const [, route = "", scope = "", idempotency = ""] = line.split("|").map((cell) => cell.trim())
      const scopes = scopesIn(scope)
      if (scopes === undefined || !isMode(idempotency)) return []
      return routesIn(route).map((name) => ({ route: unnamed(name), scopes, idempotency }))
    })

const written = (route: string, scope: string, idempotency: DocumentedRoute["idempotency"]): DocumentedRoute => ({
  route,
  scopes: [scope],
  idempotency
})

/** What the tables shorten, or say of two routes in one cell. */
const shortened: ReadonlyArray<DocumentedRoute> = [
  // No document names the clock of a sandbox.
  { route: "GET /v1/sandbox/clock", scopes: [], idempotency: "-" },
  { route: "GET /v1/sandbox/clock/advances/{}", scopes: [], idempotency: "-" },
  ...["advance", "freeze", "resume", "reset"].map((turn) =>
    written(`POST /v1/sandbox/clock/${turn}`, "sandbox:write", "opt")
  ),
  written("POST /v1/templates/import", "templates:write", "opt"),
  { route: "POST /v1/contacts/opt-in", scopes: ["contacts:write"], idempotency: "opt" },
  { route: "POST /v1/contacts/opt-out", scopes: ["contacts:write"], idempotency: "opt" },
  { route: "GET /v1/data-retention", scopes: ["contacts:read"], idempotency: "-" },
  { route: "PATCH /v1/data-retention", scopes: ["contacts:write"], idempotency: "-" },
  written("POST /v1/audiences", "contacts:write", "opt"),
  written("DELETE /v1/audiences/{}", "contacts:write", "-"),
  ...["pause", "resume", "cancel"].map((command) => written(`POST /v1/batches/{}/${command}`, "messages:write", "opt")),
  ...["provision", "connect", "orders"].map((command) =>
    written(`POST /v1/phone-numbers/${command}`, "phone_numbers:write", "opt")
  ),
  ...["release", "disconnect", "convert-to-byon", "transfer"].map((command) =>
    written(`POST /v1/phone-numbers/{}/${command}`, "phone_numbers:write", "opt")
  ),
  ...["authorizations", "authorizations/{}", "payments", "payments/{}"].map((path) =>
    written(`GET /v1/agentic/${path}`, "payments:read", "-")
  ),
  ...["recipients", "failures", "failures/export"].map((list) =>
    written(`GET /v1/batches/{}/${list}`, "messages:read", "-")
  )
]

const connections = "/v1/provider-connections"

/** gaps-2 A shortens these, or names them by what they do. */
const connectionRoutes = [
  written(`POST ${connections}/upstream/oauth`, "provider_connections:write", "opt"),
  ...["upstream", "{}/rotate-token"].map((path) =>
    written(`POST ${connections}/${path}`, "provider_connections:write", "req")
  ),
  ...["{}/complete-pending", "{}/disconnect", "upstream/signup-sessions"].map((path) =>
    written(`POST ${connections}/${path}`, "provider_connections:write", "opt")
  ),
  ...["status", "{}", "upstream/onboarding-config", "upstream/signup-sessions/{}"].map((path) =>
    written(`GET ${connections}/${path}`, "provider_connections:read", "-")
  ),
  ...["", "/{}/rotate", "/{}/discoveries"].map((path) =>
    written(`POST ${connections}/numprov${path}`, "provider_connections:write", "req")
  ),
  written(`POST ${connections}/numprov/{}/disconnect`, "provider_connections:write", "opt"),
  ...["", "/{}", "/{}/operations/{}", "/{}/resources"].map((path) =>
    written(`GET ${connections}/numprov${path}`, "provider_connections:read", "-")
  ),
  written(`GET ${connections}`, "provider_connections:read", "-"),
  written("POST /v1/provider-credential-setup-sessions", "provider_connections:write", "opt"),
  written("GET /v1/provider-credential-setup-sessions/{}", "provider_connections:read", "-"),
  ...["complete", "deny"].map(
    (decision): DocumentedRoute => ({
      route: `POST /v1/provider-credential-setup-sessions/{}/${decision}`,
      scopes: [],
      idempotency: "-"
    })
  ),
  { route: `POST ${connections}/upstream/signup-sessions/{}/complete`, scopes: [], idempotency: "-" } as const
]

/** gaps-3 A: "every GET under /v1/billing". */
const billingReads = [
  "balance",
  "ledger",
  "plans",
  "plan",
  "packages",
  "payment-methods",
  "auto-topup",
  "phone-management",
  "phone-renewal"
].map((name): DocumentedRoute => ({ route: `GET /v1/billing/${name}`, scopes: ["billing:read"], idempotency: "-" }))

/** gaps-2 A "Scope and idempotency of every route", and the same of document 3. */
export const laterRoutes = [
  ...["gaps-2-messaging", "gaps-3-commerce"].flatMap(routesOf),
  ...shortened,
  ...connectionRoutes,
  ...billingReads
]
