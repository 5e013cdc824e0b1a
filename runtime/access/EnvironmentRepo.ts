import type { Capability, EnvironmentKind, KeyScope } from "@carteiro/schema/conventions/Access.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { arrayParameter, defineWrite, type Row } from "../platform/commit/Write.ts"
import type { AdmissionFacts } from "./Admit.ts"
import type { StoredRecord } from "./Claims.ts"

/** A key as one admission read finds it. */
export interface KeyFacts extends AdmissionFacts {
  readonly last_used_at: number | null
}

/** What one admission batch needs to know. */
export interface AdmissionRead {
  readonly keys: ReadonlyMap<string, KeyFacts>
  readonly records: ReadonlyMap<string, StoredRecord>
}

/** Where a secret leads; it never changes, so it may be remembered. */
export interface SecretOwner {
  readonly environment_id: string
  readonly api_key_id: string
  /** The hash it is stored under, base64. */
  readonly secret_hash: string
}

/** Facts of admission: keys, tenancy and idempotency records of one environment. Architecture, section 3 "Admit" */
export class EnvironmentRepo extends Context.Service<
  EnvironmentRepo,
  {
    /** The environment and key a secret belongs to, by its HMAC under any master key. */
    findSecret(secretHashes: ReadonlyArray<Uint8Array>): Effect.Effect<SecretOwner | undefined>
    /** One statement for a whole batch, by primary keys. */
    readAdmission(
      environmentId: string,
      secretHashes: ReadonlyArray<string>,
      keyHashes: ReadonlyArray<string>
    ): Effect.Effect<AdmissionRead>
    /** Idempotency records alone, for handlers that ask for their key themselves. */
    readRecords(environmentId: string, keyHashes: ReadonlyArray<string>): Effect.Effect<AdmissionRead["records"]>
    /** The organization an environment belongs to. */
    findOrganization(environmentId: string): Effect.Effect<string | undefined>
    /** Moves a key's last-used instant; never backwards. */
    keyUsed(environmentId: string, apiKeyId: string, at: number): Row
  }
>()("@carteiro/runtime/access/EnvironmentRepo") {
  static readonly layer = Layer.effect(
    EnvironmentRepo,
    Effect.map(SqlClient.SqlClient, (sql) =>
      EnvironmentRepo.of({
        findSecret: (secretHashes) =>
          Effect.orDie(
            Effect.map(
              sql.unsafe<SecretOwner>(
                `select environment_id, id as api_key_id, encode(secret_hash, 'base64') as secret_hash
                from api_keys where secret_hash = any($1::bytea[])`,
                [arrayParameter("bytea", secretHashes)]
              ),
              (rows) => rows[0]
            )
          ),
        readAdmission: (environmentId, secretHashes, keyHashes) =>
          Effect.orDie(
            Effect.map(
              sql.unsafe<AdmissionRow>(admissionSql, [
                environmentId,
                arrayParameter("text", secretHashes),
                arrayParameter("text", keyHashes)
              ]),
              toAdmissionRead
            )
          ),
        readRecords: (environmentId, keyHashes) =>
          Effect.map(
            Effect.orDie(
              sql.unsafe<{ readonly records: string | null }>(`select (${recordsSql("$1", "$2")})::text as records`, [
                environmentId,
                arrayParameter("text", keyHashes)
              ])
            ),
            (rows) => recordsIn(rows[0]?.records ?? null)
          ),
        findOrganization: (environmentId) =>
          Effect.orDie(
            Effect.map(
              sql<{ readonly organization_id: string }>`select organization_id from environments
                where id = ${environmentId}`,
              (rows) => rows[0]?.organization_id
            )
          ),
        keyUsed: (environmentId, apiKeyId, at) => keyUsedWrite.row({ environment_id: environmentId, id: apiKeyId, at })
      })
    )
  )
}

const keyUsedWrite = defineWrite({
  name: "api_keys.used",
  columns: { environment_id: "text", id: "text", at: "timestamptz" },
  target: (row) => `api_keys/${row.id}`,
  sql: (source) => `update api_keys k set last_used_at = r.at from ${source} r
    where k.environment_id = r.environment_id and k.id = r.id and (k.last_used_at is null or k.last_used_at < r.at)`
})

const recordsSql = (environment: string, keyHashes: string) => `select
    json_agg(json_build_object('key_hash', i.key_hash, 'fingerprint', i.fingerprint, 'status', i.status,
      'response_status', i.response_status, 'response_body', encode(i.response_body, 'base64'),
      'expires_at', (extract(epoch from i.expires_at) * 1000)::int8))
  from idempotency_records i where i.environment_id = ${environment} and i.key_hash = any(${keyHashes}::text[])`

const admissionSql = `select encode(k.secret_hash, 'base64') as secret_hash, k.id as api_key_id, k.key_prefix, k.scopes,
    k.status, k.expires_at, k.last_used_at, e.id as environment_id, e.kind as environment, e.capabilities_off,
    o.id as organization_id, o.suspended_at is not null as organization_suspended,
    o.removed_at is not null as organization_removed, o.credit_blocked,
    p.id as project_id, p.deleted_at is not null as project_deleted,
    (${recordsSql("$1", "$3")})::text as records
  from api_keys k
  join environments e on e.id = k.environment_id
  join projects p on p.organization_id = e.organization_id and p.id = e.project_id
  join organizations o on o.id = e.organization_id
  where k.environment_id = $1
    and k.secret_hash = any(array(select decode(h, 'base64') from unnest($2::text[]) as h))`

interface AdmissionRow {
  readonly secret_hash: string
  readonly api_key_id: string
  readonly key_prefix: string
  readonly scopes: string
  readonly status: "active" | "revoked"
  readonly expires_at: Date | null
  readonly last_used_at: Date | null
  readonly environment_id: string
  readonly environment: EnvironmentKind
  readonly capabilities_off: string
  readonly organization_id: string
  readonly organization_suspended: boolean
  readonly organization_removed: boolean
  readonly credit_blocked: boolean
  readonly project_id: string
  readonly project_deleted: boolean
  readonly records: string | null
}

const toAdmissionRead = (rows: ReadonlyArray<AdmissionRow>): AdmissionRead => {
  const keys = new Map<string, KeyFacts>()
  for (const row of rows) {
    keys.set(row.secret_hash, {
      organization_id: row.organization_id,
      project_id: row.project_id,
      environment_id: row.environment_id,
      api_key_id: row.api_key_id,
      key_prefix: row.key_prefix,
      environment: row.environment,
      scopes: JSON.parse(row.scopes) as ReadonlyArray<KeyScope>,
      status: row.status,
      expires_at: row.expires_at?.getTime() ?? null,
      last_used_at: row.last_used_at?.getTime() ?? null,
      organization_suspended: row.organization_suspended,
      organization_removed: row.organization_removed,
      credit_blocked: row.credit_blocked,
      project_deleted: row.project_deleted,
      capabilities_off: JSON.parse(row.capabilities_off) as ReadonlyArray<Capability>
    })
  }
  return { keys, records: recordsIn(rows[0]?.records ?? null) }
}

const recordsIn = (text: string | null): AdmissionRead["records"] => {
  const records = new Map<string, StoredRecord>()
  if (text === null) return records
  for (const record of JSON.parse(text) as ReadonlyArray<StoredRecord & { readonly response_body: string | null }>) {
    records.set(record.key_hash, {
      ...record,
      response_body: record.response_body === null ? null : Buffer.from(record.response_body, "base64")
    })
  }
  return records
}
