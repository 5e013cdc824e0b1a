import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Secrets } from "../../platform/secrets/Secrets.ts"
import { arrayParameter, instant } from "../../platform/sql/Parameters.ts"

/** Where the demo organization lives. */
export interface Seeded {
  readonly organization_id: string
  readonly project_id: string
  readonly sandbox_id: string
  readonly production_id: string
}

/** What the seed of a development server asks before it makes anything. Boot contract, "Ready" */
export class SeedRepo extends Context.Service<
  SeedRepo,
  {
    /** The first project of the oldest organization this address owns. */
    find(ownerEmail: string): Effect.Effect<Seeded | undefined>
    /** Whether a key would be let in now, in the environment it is said to belong to. */
    keyWorks(environmentId: string, secret: string, now: number): Effect.Effect<boolean>
  }
>()("@carteiro/runtime/access/tenancy/SeedRepo") {
  static readonly layer = Layer.effect(
    SeedRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets
      return SeedRepo.of({
        find: (ownerEmail) =>
          Effect.orDie(
            Effect.map(
              sql<Seeded>`select m.organization_id, p.id as project_id, s.id as sandbox_id, l.id as production_id
                from members m
                join projects p on p.organization_id = m.organization_id and p.deleted_at is null
                join environments s on s.project_id = p.id and s.kind = 'sandbox'
                join environments l on l.project_id = p.id and l.kind = 'production'
                where m.email = ${ownerEmail} and m.role = 'owner'
                order by m.organization_id, p.id limit 1`,
              (rows) => rows[0]
            )
          ),
        keyWorks: (environmentId, secret, now) =>
          Effect.orDie(
            Effect.map(
              sql.unsafe(
                `select 1 from api_keys where environment_id = $1 and status = 'active'
                  and secret_hash = any($2::bytea[]) and (expires_at is null or expires_at > $3)`,
                [environmentId, arrayParameter("bytea", secrets.macs("api_key", secret)), instant(now)]
              ),
              (rows) => rows.length > 0
            )
          )
      })
    })
  )
}
