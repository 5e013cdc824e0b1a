import { SignIn } from "@carteiro/console/Ports.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type Answer, Api } from "../support/ApiTest.ts"
import { CookieJar } from "../support/CookieJar.ts"
import type { TestTenant } from "../support/Tenants.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { outgoing } from "../webhooks/Deliveries.ts"

/** The dashboard beside the API it works on: every room, over a real server, real owners and PostgreSQL. */
export const DashboardTest = WholeProduct({ outgoing, sweeps: false })

/** A person at a browser without scripts: keeps cookies as browsers do, follows no redirect unless told. */
export interface Visitor {
  readonly cookies: CookieJar
  get(path: string): Effect.Effect<Answer>
  /** Posts fields as they are. */
  post(path: string, fields: Fields): Effect.Effect<Answer>
  /** Opens a page, takes its hidden csrf value and posts the fields with it. */
  submit(page: string, path: string, fields?: Fields): Effect.Effect<Answer>
}

export type Fields = Readonly<Record<string, string | ReadonlyArray<string>>>

/** Calls the server of a visitor. */
type Send = (
  method: string,
  path: string,
  body: string | undefined,
  headers: Readonly<Record<string, string>>
) => Effect.Effect<Answer>

/** A visitor of the server that `call` reaches. */
export const visitorAt = (call: Send): Visitor => {
  const cookies = new CookieJar()
  const send = (method: string, path: string, body?: string) =>
    Effect.map(
      call(method, path, body, {
        ...cookieOf(cookies, path),
        ...(body === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" })
      }),
      (answer) => {
        cookies.take(answer.headers["set-cookie"], path)
        return answer
      }
    )
  const post = (path: string, fields: Fields) => send("POST", path, encoded(fields))
  return {
    cookies,
    get: (path) => send("GET", path),
    post,
    submit: (page, path, fields = {}) =>
      Effect.flatMap(send("GET", page), ({ text }) => post(path, { csrf: csrfIn(text), ...fields }))
  }
}

/** Somebody who has not signed in. */
export const visitor = Effect.map(Api, (api) =>
  visitorAt((method, path, body, headers) => api.call(method, path, body, { headers }))
)

/** The header with the cookies that a browser sends to this path. */
export const cookieOf = (cookies: CookieJar, path: string): { readonly cookie?: string } => {
  const cookie = cookies.header(path)
  return cookie === undefined ? {} : { cookie }
}

/** A link for the owner of a tenant, or for another member. */
export const linkOf = Effect.fnUntraced(function* (tenant: TestTenant, memberId: string = tenant.owner.id) {
  const now = yield* Clock.currentTimeMillis
  const url = new URL(yield* (yield* SignIn).link(tenant.organization_id, memberId, now))
  return { page: `${url.pathname}${url.search}`, token: url.searchParams.get("token") ?? "" }
})

/** Somebody who has. */
export const signedIn = Effect.fnUntraced(function* (tenant: TestTenant, memberId?: string) {
  const someone = yield* visitor
  const { page, token } = yield* linkOf(tenant, memberId)
  yield* someone.submit(page, "/dashboard/sign-in", { token })
  return someone
})

/** One more person of an organization; answers the id. */
export const seedMember = Effect.fnUntraced(function* (
  tenant: TestTenant,
  role: "owner" | "admin" | "member",
  name = `A ${role}`
) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const id = (yield* Ids).mint("mem", now)
  yield* sql`insert into members (organization_id, id, name, email, role, created_at)
    values (${tenant.organization_id}, ${id}, ${name}, ${`${id}@test.test`}, ${role}, ${new Date(now)})`
  return id
}, Effect.orDie)

/** The hidden value of a page's forms. */
export const csrfIn = (page: string): string => /name="csrf" value="([^"]*)"/.exec(page)?.[1] ?? ""

/** What a page shows, tags and entities read. */
export const textOf = (page: string): string =>
  page
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ")

const encoded = (fields: Fields): string => {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    for (const one of typeof value === "string" ? [value] : value) form.append(name, one)
  }
  return form.toString()
}
