import { Ids } from "@carteiro/owners/Ids.ts"
import { makeSecret, secretBytes } from "@carteiro/runtime/access/keys/ApiKeySecret.ts"
import { type EnvironmentKind, KeyScope } from "@carteiro/schema/conventions/Access.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"

/** An environment and a standard key of it with every scope. */
export interface TestEnvironment {
  readonly id: string
  readonly organization_id: string
  readonly project_id: string
  readonly kind: EnvironmentKind
  /** The whole secret. */
  readonly key: string
  readonly key_id: string
}

export interface TestProject {
  readonly id: string
  readonly slug: string
  readonly sandbox: TestEnvironment
  readonly production: TestEnvironment
}

/** An organization with an owner and two projects; `sandbox` and `production` are those of the first. */
export interface TestTenant {
  readonly organization_id: string
  readonly owner: { readonly id: string; readonly name: string; readonly email: string }
  readonly project: TestProject
  readonly sibling: TestProject
  readonly sandbox: TestEnvironment
  readonly production: TestEnvironment
}

export interface TestKeyOptions {
  /** The scopes of the key; all of the catalog by default. */
  readonly scopes?: ReadonlyArray<KeyScope>
  readonly kind?: "standard" | "agent"
  readonly name?: string
  /** The epoch millisecond of expiry. */
  readonly expires_at?: number
}

/** 1000.0000 BRL, so that the cost of production sends does not end a test about another subject. */
const standardBalance = 1000_0000

/** Credits an organization directly. */
const fund = Effect.fnUntraced(function* (id: string, balance: number, entry: string, topup: string, at: Date) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`insert into wallets (account_id, organization_id, environment, balance, created_at, updated_at)
    values (${id}, ${id}, 'production', ${balance}, ${at}, ${at})`
  yield* sql`insert into ledger_entries (organization_id, id, account_id, type, is_listed, from_account, to_account,
      amount, source_type, source_id, recorded_at)
    values (${id}, ${entry}, ${id}, 'credit', true, 'funding:manual', 'available', ${balance},
      'credit_topup', ${topup}, ${at})`
})

/** Inserts an organization, an owner member, two projects with both environments, and a key in each environment. */
export const seedTenant = Effect.fnUntraced(function* (name: string, balance = standardBalance) {
  const sql = yield* SqlClient.SqlClient
  const ids = yield* Ids
  const now = yield* Clock.currentTimeMillis
  const at = new Date(now)
  const organization_id = ids.mint("org", now)
  const owner = { id: ids.mint("mem", now), name: `Owner of ${name}`, email: `owner@${name}.test` }
  yield* sql`insert into organizations (id, name, created_at) values (${organization_id}, ${name}, ${at})`
  yield* sql`insert into organization_counters (organization_id, active_projects) values (${organization_id}, 0)`
  yield* sql`insert into members (organization_id, id, name, email, role, created_at)
    values (${organization_id}, ${owner.id}, ${owner.name}, ${owner.email}, 'owner', ${at})`
  if (balance > 0) yield* fund(organization_id, balance, ids.mint("led", now), ids.mint("ctu", now), at)
  const project = yield* seedProject(organization_id, `${name}-one`)
  const sibling = yield* seedProject(organization_id, `${name}-two`)
  const { sandbox, production } = project
  return { organization_id, owner, project, sibling, sandbox, production } satisfies TestTenant
}, Effect.orDie)

/** Inserts an active project with both environments and a key in each. */
export const seedProject = Effect.fnUntraced(function* (organizationId: string, slug: string) {
  const sql = yield* SqlClient.SqlClient
  const ids = yield* Ids
  const now = yield* Clock.currentTimeMillis
  const id = ids.mint("prj", now)
  yield* sql`insert into projects (organization_id, id, name, slug, created_at, updated_at)
    values (${organizationId}, ${id}, ${slug}, ${slug}, ${new Date(now)}, ${new Date(now)})`
  yield* sql`update organization_counters set active_projects = active_projects + 1
    where organization_id = ${organizationId}`
  const environment = Effect.fnUntraced(function* (kind: EnvironmentKind) {
    const place = { id: ids.mint("env", now), organization_id: organizationId, project_id: id, kind }
    yield* sql`insert into environments (id, organization_id, project_id, kind, created_at)
      values (${place.id}, ${organizationId}, ${id}, ${kind}, ${new Date(now)})`
    yield* sql`insert into environment_counters (environment_id) values (${place.id})`
    return { ...place, ...(yield* seedKey(place)) }
  })
  const sandbox = yield* environment("sandbox")
  const production = yield* environment("production")
  return { id, slug, sandbox, production } satisfies TestProject
}, Effect.orDie)

/** Inserts one more active key of an environment. Returns its id and whole secret. */
export const seedKey = Effect.fnUntraced(function* (
  environment: Pick<TestEnvironment, "id" | "organization_id" | "project_id" | "kind">,
  options: TestKeyOptions = {}
) {
  const sql = yield* SqlClient.SqlClient
  const ids = yield* Ids
  const secrets = yield* Secrets
  const now = yield* Clock.currentTimeMillis
  const { secret, key_prefix } = makeSecret(environment.kind, ids.bytes(secretBytes))
  const key_id = ids.mint("key", now)
  yield* sql`insert into api_keys (environment_id, id, project_id, organization_id, name, key_prefix, secret_hash,
      scopes, kind, status, expires_at, created_at)
    values (${environment.id}, ${key_id}, ${environment.project_id}, ${environment.organization_id},
      ${options.name ?? "seeded"}, ${key_prefix}, ${secrets.mac("api_key", secret)},
      ${JSON.stringify(options.scopes ?? KeyScope.literals)}, ${options.kind ?? "standard"}, 'active',
      ${options.expires_at === undefined ? null : new Date(options.expires_at)}, ${new Date(now)})`
  yield* sql`update environment_counters set active_api_keys = active_api_keys + 1
    where environment_id = ${environment.id}`
  return { key: secret, key_id }
}, Effect.orDie)
