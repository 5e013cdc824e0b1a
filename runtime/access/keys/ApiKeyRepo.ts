import { Ids, parseId } from "@carteiro/owners/Ids.ts"
import type { ApiKeyWithSecret } from "@carteiro/schema/access/ApiKey.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { jsonText } from "@carteiro/tables/StoredJson.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type ApiKeyRow, readApiKeyWithSecret } from "./ApiKeyRead.ts"
import type { NewApiKey, TargetProject } from "./ApiKeyRules.ts"
import { makeSecret, secretBytes } from "./ApiKeySecret.ts"
import { keyColumns, keyInstants } from "./ApiKeyTables.ts"
import { insertKey, renameKey, revokeKey, rotateKey } from "./ApiKeyWrites.ts"

/** A key that exists once `row` is committed; only `key` holds its secret. */
export interface PreparedKey {
  readonly row: Row
  readonly key: ApiKeyWithSecret
}

/** A project in which a key may be minted, with its environment of the requested kind. */
export interface MintTarget extends TargetProject {
  readonly environment_id: string
}

/** Rows of `api_keys`, always within one environment. */
export class ApiKeyRepo extends Context.Service<
  ApiKeyRepo,
  {
    /** Returns a key; a text that is no key's id costs no read. */
    find(environmentId: string, id: string): Effect.Effect<ApiKeyRow | undefined>
    /** Returns keys newest first, after the key with that id. */
    list(environmentId: string, after: string | undefined, count: number): Effect.Effect<ReadonlyArray<ApiKeyRow>>
    /**
     * Returns a project of an organization and its environment of that kind; undefined for a missing or foreign
     * project.
     */
    findTarget(organizationId: string, projectId: string, kind: EnvironmentKind): Effect.Effect<MintTarget | undefined>
    /** Returns a new key; `api_keys.insert` returns the id when the key was made. */
    mint(plan: NewApiKey, now: number): PreparedKey
    /** Returns a key with a new secret; `api_keys.rotate` returns the id when the key still worked. */
    rotate(environmentId: string, key: ApiKeyRow, now: number): PreparedKey
    rename(environmentId: string, id: string, name: string): Row
    revoke(environmentId: string, id: string, now: number): Row
  }
>()("@carteiro/runtime/access/keys/ApiKeyRepo") {
  static readonly layer = Layer.effect(
    ApiKeyRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const ids = yield* Ids
      const secrets = yield* Secrets
      const columns = sql.literal(`${keyColumns.of("k")}, e.kind as environment, ${keyInstants.of("k")}`)
      return ApiKeyRepo.of({
        find: (environmentId, id) =>
          !parseId("key", id)
            ? Effect.undefined
            : one(sql<ApiKeyRow>`select ${columns} from api_keys k join environments e on e.id = k.environment_id
              where k.environment_id = ${environmentId} and k.id = ${id}`),
        list: (environmentId, after, count) =>
          many(sql<ApiKeyRow>`select ${columns} from api_keys k join environments e on e.id = k.environment_id
            where k.environment_id = ${environmentId} ${after === undefined ? sql.literal("") : sql`and k.id < ${after}`}
            order by k.id desc limit ${count}`),
        findTarget: (organizationId, projectId, kind) =>
          one(sql<MintTarget>`select p.organization_id, p.archived_at is not null as archived,
              p.deleted_at is not null as deleted, e.id as environment_id
            from projects p join environments e on e.project_id = p.id and e.kind = ${kind}
            where p.organization_id = ${organizationId} and p.id = ${projectId}`),
        mint: (plan, now) => {
          const { secret, key_prefix } = makeSecret(plan.environment, ids.bytes(secretBytes))
          const { environment: _, ...place } = plan
          const scopes = jsonText(plan.scopes)
          const id = ids.mint("key", now)
          return {
            row: insertKey.row({
              ...place,
              id,
              key_prefix,
              scopes,
              secret_hash: secrets.mac("api_key", secret),
              created_at: now
            }),
            key: readApiKeyWithSecret(
              {
                id,
                name: plan.name,
                key_prefix,
                scopes,
                kind: plan.kind,
                status: "active",
                environment: plan.environment,
                last_used_at: null,
                expires_at: plan.expires_at,
                created_at: now,
                revoked_at: null
              },
              secret
            )
          }
        },
        rotate: (environmentId, key, now) => {
          const { secret, key_prefix } = makeSecret(key.environment, ids.bytes(secretBytes))
          return {
            row: rotateKey.row({
              environment_id: environmentId,
              id: key.id,
              key_prefix,
              secret_hash: secrets.mac("api_key", secret),
              at: now
            }),
            key: readApiKeyWithSecret({ ...key, key_prefix }, secret)
          }
        },
        rename: (environmentId, id, name) => renameKey.row({ environment_id: environmentId, id, name }),
        revoke: (environmentId, id, now) => revokeKey.row({ environment_id: environmentId, id, at: now })
      })
    })
  )
}
