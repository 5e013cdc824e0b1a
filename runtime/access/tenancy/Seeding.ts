import type { KeyScope } from "@carteiro/schema/conventions/Access.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { arrayParameter, instant } from "@carteiro/tables/Parameters.ts"
import { one } from "@carteiro/tables/Read.ts"
import { jsonText } from "@carteiro/tables/StoredJson.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** The ids of the demo organization, its project and environments. */
export interface Seeded {
  readonly organization_id: string
  readonly project_id: string
  readonly sandbox_id: string
  readonly production_id: string
}

/** The ids of an existing organization; its projects may be deleted. */
export interface FoundTenant {
  readonly organization_id: string
  readonly member_id: string
  /** True when the member may sign in. */
  readonly active: boolean
  readonly project_id: string | null
  readonly sandbox_id: string | null
  readonly production_id: string | null
}

// "bootstrp" as eight bytes: any number serves if every release uses it.
const bootstrapLock = "7093856536046400112"

/** Reads of the seed and of bootstrap before they write. Boot contract, "Ready"; gaps-1 C */
export class Seeding extends Context.Service<
  Seeding,
  {
    /** Returns the first project of the oldest organization that this address owns. */
    find(ownerEmail: string): Effect.Effect<Seeded | undefined>
    /** Returns the oldest organization of this name with a member of this address, and its first project. */
    findTenant(name: string, email: string): Effect.Effect<FoundTenant | undefined>
    /** Runs one seed or bootstrap at a time across all processes: a second one finds the result of the first. */
    runAlone<A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
    /** True when a key would be admitted now in the given environment. */
    keyWorks(environmentId: string, secret: string, now: number): Effect.Effect<boolean>
    /** Gives a key these scopes, which may have been added after the key was made. */
    grantScopes(environmentId: string, secret: string, scopes: ReadonlyArray<KeyScope>): Effect.Effect<unknown>
  }
>()("@carteiro/runtime/access/tenancy/Seeding") {
  static readonly layer = Layer.effect(
    Seeding,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets
      return Seeding.of({
        find: (ownerEmail) =>
          one(sql<Seeded>`select m.organization_id, p.id as project_id, s.id as sandbox_id, l.id as production_id
            from members m
            join projects p on p.organization_id = m.organization_id and p.deleted_at is null
            join environments s on s.project_id = p.id and s.kind = 'sandbox'
            join environments l on l.project_id = p.id and l.kind = 'production'
            where m.email = ${ownerEmail} and m.role = 'owner'
            order by m.organization_id, p.id limit 1`),
        findTenant: (name, email) =>
          one(sql<FoundTenant>`select o.id as organization_id, m.id as member_id, m.active, p.id as project_id,
              s.id as sandbox_id, l.id as production_id
            from organizations o
            join members m on m.organization_id = o.id and lower(m.email) = lower(${email})
            left join projects p on p.organization_id = o.id and p.deleted_at is null
            left join environments s on s.project_id = p.id and s.kind = 'sandbox'
            left join environments l on l.project_id = p.id and l.kind = 'production'
            where o.name = ${name} and o.removed_at is null
            order by o.id, p.id limit 1`),
        // The transaction only holds the lock around other code; it reads no rows, so `Read.ts` does not apply.
        runAlone: (work) =>
          Effect.flatten(
            Effect.orDie(
              sql.withTransaction(
                Effect.andThen(
                  sql`select pg_advisory_xact_lock(${bootstrapLock}::int8)::text as locked`,
                  Effect.exit(work)
                )
              )
            )
          ),
        keyWorks: (environmentId, secret, now) =>
          Effect.map(
            one(
              sql.unsafe(
                `select 1 from api_keys where environment_id = $1 and status = 'active'
                  and secret_hash = any($2::bytea[]) and (expires_at is null or expires_at > $3)`,
                [environmentId, arrayParameter("bytea", secrets.macs("api_key", secret)), instant(now)]
              )
            ),
            (row) => row !== undefined
          ),
        grantScopes: (environmentId, secret, scopes) =>
          one(
            sql.unsafe(
              `update api_keys set scopes = $3 where environment_id = $1 and secret_hash = any($2::bytea[]) and scopes <> $3
                returning 1`,
              [environmentId, arrayParameter("bytea", secrets.macs("api_key", secret)), jsonText(scopes)]
            )
          )
      })
    })
  )
}
