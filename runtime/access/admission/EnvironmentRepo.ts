import type { KeyOwner } from "@carteiro/http-edge/Admission.ts"
import type { StoredRecord } from "@carteiro/owners/Idempotency.ts"
import { type Turned, type TurnedRow, turnedOf } from "@carteiro/owners/OwnerClocks.ts"
import type { Capability, EnvironmentKind, KeyScope } from "@carteiro/schema/conventions/Access.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { arrayParameter } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { readTogether } from "@carteiro/tables/ReadTogether.ts"
import { type JsonText, readJson } from "@carteiro/tables/StoredJson.ts"
import { rowOf, updateOf } from "@carteiro/tables/TableWrite.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { apiKeysTable } from "../keys/ApiKeyTables.ts"
import type { AdmissionFacts } from "./Admit.ts"
import { overSpendCapSql } from "./SpendStandings.ts"

/** A key as one admission read finds it. */
export interface KeyFacts extends AdmissionFacts {
  readonly last_used_at: number | null
  /** The turned clock of a sandbox; no production environment has one. */
  readonly clock: Turned | undefined
}

/** The facts of admission that belong to the environment, not to a key. */
export type StandingFacts = Omit<
  KeyFacts,
  "api_key_id" | "key_prefix" | "scopes" | "status" | "expires_at" | "last_used_at"
>

/** The look-ups of one admission batch: hashes of secrets (base64) and of idempotency keys. */
export interface AdmissionAsk {
  readonly environmentId: string
  readonly secretHashes: ReadonlyArray<string>
  readonly keyHashes: ReadonlyArray<string>
}

/** The answers that one admission batch needs. */
export interface AdmissionRead {
  readonly keys: ReadonlyMap<string, KeyFacts>
  readonly records: ReadonlyMap<string, StoredRecord>
}

/** The environment and key of a secret, which never change and may be cached. */
export interface SecretOwner extends KeyOwner {
  /** The hash under which the secret is stored, base64. */
  readonly secret_hash: string
}

/** Facts of admission: keys, tenancy and idempotency records of one environment. */
export class EnvironmentRepo extends Context.Service<
  EnvironmentRepo,
  {
    /** Returns the environment and key of a secret, by its HMAC under any master key. */
    findSecret(secretHashes: ReadonlyArray<Uint8Array>): Effect.Effect<SecretOwner | undefined>
    /** Reads by primary keys; the batches of all environments on a node share one statement. */
    readAdmission(ask: AdmissionAsk): Effect.Effect<AdmissionRead>
    /** Returns idempotency records only, for handlers that claim their key themselves. */
    readRecords(environmentId: string, keyHashes: ReadonlyArray<string>): Effect.Effect<AdmissionRead["records"]>
    /** Returns what admission depends on beside a key; undefined for an environment that is not the organization's. */
    findStanding(organizationId: string, environmentId: string): Effect.Effect<StandingFacts | undefined>
    /** Returns the organization of an environment. */
    findOrganization(environmentId: string): Effect.Effect<string | undefined>
    /** Returns the row that moves a key's last-used instant forward, never backward. */
    keyUsed(environmentId: string, apiKeyId: string, at: number): Row
  }
>()("@carteiro/runtime/access/admission/EnvironmentRepo") {
  static readonly layer = Layer.effect(
    EnvironmentRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const clock = yield* Clock.Clock
      const readAdmission = yield* readTogether(
        (asks: ReadonlyArray<AdmissionAsk>) =>
          Effect.map(
            many(
              sql.unsafe<AdmissionRow>(admissionSql, [
                ...pairs(asks, ({ secretHashes }) => secretHashes),
                ...pairs(asks, ({ keyHashes }) => keyHashes),
                formatTimestamp(clock.currentTimeMillisUnsafe()).slice(0, 7)
              ])
            ),
            (rows) => toAdmissionReads(asks, rows)
          ),
        { pauseMs: admittedTogetherMs }
      )
      return EnvironmentRepo.of({
        findSecret: (secretHashes) =>
          one(
            sql.unsafe<SecretOwner>(
              `select k.environment_id, k.id as api_key_id, encode(k.secret_hash, 'base64') as secret_hash, e.kind as environment
                from api_keys k join environments e on e.id = k.environment_id where k.secret_hash = any($1::bytea[])`,
              [arrayParameter("bytea", secretHashes)]
            )
          ),
        readAdmission,
        readRecords: (environmentId, keyHashes) =>
          Effect.map(
            one(
              sql.unsafe<{ readonly records: JsonText<ReadonlyArray<RecordJson>> | null }>(
                `select (${recordsSql("$1", "$2")})::text as records`,
                pairs([{ environmentId, keyHashes }], (ask) => ask.keyHashes)
              )
            ),
            (row) => recordsIn(row?.records ?? null).get(environmentId) ?? new Map()
          ),
        findStanding: (organizationId, environmentId) =>
          one(
            sql.unsafe<StandingRow>(personSql, [
              organizationId,
              environmentId,
              formatTimestamp(clock.currentTimeMillisUnsafe()).slice(0, 7)
            ]),
            standingOf
          ),
        findOrganization: (environmentId) =>
          Effect.map(
            one(sql<{ readonly organization_id: string }>`select organization_id from environments
              where id = ${environmentId}`),
            (row) => row?.organization_id
          ),
        keyUsed: (environmentId, apiKeyId, at) =>
          keyUsedWrite.row({ environment_id: environmentId, id: apiKeyId, last_used_at: at })
      })
    })
  )
}

/**
 * The longest that a request waits to be admitted together with the next ones, in milliseconds. Requests that are admitted
 * together also travel to their owners and are committed together.
 */
const admittedTogetherMs = 3

const keyUsedWrite = updateOf(apiKeysTable, {
  name: "api_keys.used",
  set: ["last_used_at"],
  where: "t.last_used_at is null or t.last_used_at < r.last_used_at",
  target: rowOf("api_keys", "id")
})

// `lateral … limit 1` makes the planner look up each key by its index, whatever table size it estimates.
const recordsSql = (environments: string, keyHashes: string) => `select
    json_agg(json_build_object('environment_id', i.environment_id, 'key_hash', i.key_hash,
      'fingerprint', i.fingerprint, 'status', i.status, 'response_status', i.response_status,
      'response_body', encode(i.response_body, 'base64'), 'expires_at', (extract(epoch from i.expires_at) * 1000)::int8))
  from unnest(${environments}::text[], ${keyHashes}::text[]) as a(environment_id, key_hash)
  cross join lateral (select * from idempotency_records i
    where i.environment_id = a.environment_id and i.key_hash = a.key_hash limit 1) i`

/** The columns of `StandingRow`; `month` is SQL for the UTC month. */
const standingColumns = (month: string) => `e.id as environment_id, e.kind as environment, e.capabilities_off,
    o.id as organization_id, o.suspended_at is not null as organization_suspended,
    o.removed_at is not null as organization_removed, o.credit_blocked,
    p.id as project_id, p.deleted_at is not null as project_deleted, p.default_region,
    ${overSpendCapSql(month)} as over_spend_cap, c.lead_ms, c.stands_at, c.resets, c.resetting`

const personSql = `select ${standingColumns("$3::text")}
  from environments e
  join projects p on p.organization_id = e.organization_id and p.id = e.project_id
  join organizations o on o.id = e.organization_id
  left join sandbox_clocks c on e.kind = 'sandbox' and c.environment_id = e.id
  where e.organization_id = $1 and e.id = $2`

const admissionSql = `select encode(k.secret_hash, 'base64') as secret_hash, k.id as api_key_id, k.key_prefix, k.scopes,
    k.status, k.expires_at, k.last_used_at, ${standingColumns("$5::text")},
    case when row_number() over () = 1 then (${recordsSql("$3", "$4")})::text end as records
  from unnest($1::text[], $2::text[]) as a(environment_id, secret_hash)
  cross join lateral (select * from api_keys k
    where k.secret_hash = decode(a.secret_hash, 'base64') and k.environment_id = a.environment_id limit 1) k
  cross join lateral (select * from environments e where e.id = k.environment_id limit 1) e
  cross join lateral (select * from projects p
    where p.organization_id = e.organization_id and p.id = e.project_id limit 1) p
  cross join lateral (select * from organizations o where o.id = e.organization_id limit 1) o
  left join lateral (select * from sandbox_clocks c
    where e.kind = 'sandbox' and c.environment_id = e.id limit 1) c on true`

/** Returns two parameters of equal length: the environment of each hash, and the hash. */
const pairs = <Ask extends { readonly environmentId: string }>(
  asks: ReadonlyArray<Ask>,
  hashesOf: (ask: Ask) => ReadonlyArray<string>
) => [
  arrayParameter(
    "text",
    asks.flatMap((ask) => hashesOf(ask).map(() => ask.environmentId))
  ),
  arrayParameter("text", asks.flatMap(hashesOf))
]

interface StandingRow extends TurnedRow {
  readonly environment_id: string
  readonly environment: EnvironmentKind
  readonly capabilities_off: JsonText<ReadonlyArray<Capability>>
  readonly organization_id: string
  readonly organization_suspended: boolean
  readonly organization_removed: boolean
  readonly credit_blocked: boolean
  readonly project_id: string
  readonly project_deleted: boolean
  readonly default_region: string
  readonly over_spend_cap: boolean
}

interface AdmissionRow extends StandingRow {
  readonly secret_hash: string
  readonly api_key_id: string
  readonly key_prefix: string
  readonly scopes: JsonText<ReadonlyArray<KeyScope>>
  readonly status: "active" | "revoked"
  readonly expires_at: number | null
  readonly last_used_at: number | null
  readonly records: JsonText<ReadonlyArray<RecordJson>> | null
}

const toAdmissionReads = (
  asks: ReadonlyArray<AdmissionAsk>,
  rows: ReadonlyArray<AdmissionRow>
): ReadonlyArray<AdmissionRead> => {
  const keys = new Map<string, Map<string, KeyFacts>>()
  let records: RecordsByEnvironment = new Map()
  for (const row of rows) {
    const own = keys.get(row.environment_id) ?? new Map<string, KeyFacts>()
    keys.set(row.environment_id, own.set(row.secret_hash, factsOf(row)))
    if (row.records !== null) records = recordsIn(row.records)
  }
  return asks.map(({ environmentId }) => ({
    keys: keys.get(environmentId) ?? new Map<string, KeyFacts>(),
    records: records.get(environmentId) ?? new Map<string, StoredRecord>()
  }))
}

const factsOf = (row: AdmissionRow): KeyFacts => ({
  ...standingOf(row),
  api_key_id: row.api_key_id,
  key_prefix: row.key_prefix,
  scopes: readJson(row.scopes),
  status: row.status,
  expires_at: row.expires_at,
  last_used_at: row.last_used_at
})

const standingOf = (row: StandingRow): StandingFacts => ({
  organization_id: row.organization_id,
  project_id: row.project_id,
  environment_id: row.environment_id,
  environment: row.environment,
  organization_suspended: row.organization_suspended,
  organization_removed: row.organization_removed,
  credit_blocked: row.credit_blocked,
  project_deleted: row.project_deleted,
  default_region: row.default_region,
  over_spend_cap: row.over_spend_cap,
  clock: turnedOf(row),
  capabilities_off: readJson(row.capabilities_off)
})

type RecordsByEnvironment = ReadonlyMap<string, Map<string, StoredRecord>>

const recordsIn = (text: JsonText<ReadonlyArray<RecordJson>> | null): RecordsByEnvironment => {
  const records = new Map<string, Map<string, StoredRecord>>()
  if (text === null) return records
  for (const { environment_id, ...record } of readJson(text)) {
    const own = records.get(environment_id) ?? new Map<string, StoredRecord>()
    const response_body = record.response_body === null ? null : Buffer.from(record.response_body, "base64")
    records.set(environment_id, own.set(record.key_hash, { ...record, response_body }))
  }
  return records
}

interface RecordJson extends Omit<StoredRecord, "response_body"> {
  readonly environment_id: string
  readonly key_hash: string
  /** Base64. */
  readonly response_body: string | null
}
