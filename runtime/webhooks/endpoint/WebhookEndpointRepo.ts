import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { jsonTextOrNull, readJsonOrNull } from "@carteiro/tables/StoredJson.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import { insertInto, rowOf, updateOf } from "@carteiro/tables/TableWrite.ts"
import { defineWrite, type Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { EndpointRow } from "./EndpointRead.ts"
import type { SealedSecrets } from "./EndpointSecrets.ts"
import { endpointColumns, webhookEndpointsTable } from "./WebhookEndpointTables.ts"

/** An endpoint with the columns that only its owner needs. */
export interface StoredEndpoint extends EndpointRow, SealedSecrets {
  readonly environment_id: string
  readonly environment: EnvironmentKind
  readonly revision: number
  /** Deliveries made before this instant are void; epoch milliseconds. */
  readonly stopped_at: number | null
}

/** The most endpoints of an environment. */
const maxEndpoints = 20

/** Rows of `webhook_endpoints`; every tenant read stays within one environment. */
export class WebhookEndpointRepo extends Context.Service<
  WebhookEndpointRepo,
  {
    find(environmentId: string, id: string): Effect.Effect<StoredEndpoint | undefined>
    /** Returns the endpoint of a recovery. */
    ofRecovery(environmentId: string, recoveryId: string): Effect.Effect<string | undefined>
    /** Returns endpoints newest first, after `before` when given. */
    list(environmentId: string, before: string | undefined, count: number): Effect.Effect<ReadonlyArray<EndpointRow>>
    /** Returns an endpoint by id alone, because the owner is named only by that. */
    load(id: string): Effect.Effect<StoredEndpoint | undefined>
    /**
     * Stores the Standard Webhooks secret of an endpoint that has none. It is written with the load, outside of the
     * owner's commits; of two concurrent owners the first decides.
     */
    giveStandardSecret(id: string, sealed: Uint8Array): Effect.Effect<void>
    /**
     * Returns the row that registers an endpoint and returns its id, unless the environment has the largest number
     * already.
     */
    insert(endpoint: StoredEndpoint): Row
    /** Returns the row with all columns that a PATCH may change. */
    update(endpoint: StoredEndpoint): Row
    /** Returns the write of an endpoint's health; skipped when a later decision was written before it. */
    health(endpoint: StoredEndpoint): Row
    rotate(endpoint: StoredEndpoint): Row
    /** Returns the row that deletes an endpoint and frees its place. */
    delete(endpoint: StoredEndpoint): Row
  }
>()("@carteiro/runtime/webhooks/endpoint/WebhookEndpointRepo") {
  static readonly layer = Layer.effect(
    WebhookEndpointRepo,
    Effect.map(SqlClient.SqlClient, (sql) =>
      WebhookEndpointRepo.of({
        find: (environmentId, id) =>
          one(
            sql<EndpointColumns>`select ${sql.literal(columns)} from webhook_endpoints
              where environment_id = ${environmentId} and id = ${id}`,
            fromRow
          ),
        ofRecovery: (environmentId, recoveryId) =>
          Effect.map(
            one(sql<{ readonly endpoint_id: string }>`select endpoint_id from webhook_recoveries
              where environment_id = ${environmentId} and id = ${recoveryId}`),
            (found) => found?.endpoint_id
          ),
        list: (environmentId, before, count) =>
          many(
            sql<EndpointColumns>`select ${sql.literal(columns)} from webhook_endpoints
              where environment_id = ${environmentId} and id < ${before ?? "~"} order by id desc limit ${count}`,
            fromRow
          ),
        load: (id) =>
          one(sql<EndpointColumns>`select ${sql.literal(columns)} from webhook_endpoints where id = ${id}`, fromRow),
        giveStandardSecret: (id, sealed) =>
          Effect.asVoid(
            many(sql`update webhook_endpoints set standard_webhooks_secret = ${sealed}
              where id = ${id} and standard_webhooks_secret is null`)
          ),
        insert: (endpoint) => insertWrite.row({ ...keyOf(endpoint), ...contentOf(endpoint), ...originOf(endpoint) }),
        update: (endpoint) => updateWrite.row({ ...keyOf(endpoint), ...contentOf(endpoint), ...healthOf(endpoint) }),
        health: (endpoint) => healthWrite.row({ ...keyOf(endpoint), ...healthOf(endpoint) }),
        rotate: (endpoint) =>
          rotateWrite.row({
            ...keyOf(endpoint),
            ...secretsOf(endpoint),
            updated_at: endpoint.updated_at
          }),
        delete: (endpoint) => deleteWrite.row(keyOf(endpoint))
      })
    )
  )
}

const columns = endpointColumns.list

/** The endpoint in the form of the table, with the members of its health as columns. */
type EndpointColumns = SelectedRow<typeof endpointColumns>

const fromRow = (row: EndpointColumns): StoredEndpoint => ({
  environment_id: row.environment_id,
  id: row.id,
  environment: row.environment,
  url: row.url,
  description: row.description,
  subscribed_events: row.subscribed_events,
  ...secretsOf(row),
  health: {
    status: row.status,
    probation: row.probation,
    probation_due: row.probation_due,
    failures: row.failures,
    disabled_reason: row.disabled_reason,
    disabled_detail: readJsonOrNull(row.disabled_detail),
    last_failure_at: row.last_failure_at,
    last_success_at: row.last_success_at
  },
  revision: row.revision,
  stopped_at: row.stopped_at,
  created_at: row.created_at,
  updated_at: row.updated_at
})

const keyOf = ({ environment_id, id }: StoredEndpoint) => ({ environment_id, id })

const secretsOf = (row: SealedSecrets): SealedSecrets => ({
  signing_secret: row.signing_secret,
  standard_webhooks_secret: row.standard_webhooks_secret,
  previous_standard_webhooks_secret: row.previous_standard_webhooks_secret,
  previous_standard_webhooks_secret_until: row.previous_standard_webhooks_secret_until
})

const originOf = (endpoint: StoredEndpoint) => ({
  environment: endpoint.environment,
  ...secretsOf(endpoint),
  created_at: endpoint.created_at,
  updated_at: endpoint.updated_at
})

const contentOf = ({ url, description, subscribed_events }: StoredEndpoint) => ({
  url,
  description,
  // Names of the catalog contain no comma.
  subscribed_events: subscribed_events.join(",")
})

const healthOf = ({ health, revision, stopped_at, updated_at }: StoredEndpoint) => ({
  ...health,
  disabled_detail: jsonTextOrNull(health.disabled_detail),
  revision,
  stopped_at,
  updated_at
})

const content = ["url", "description"] as const
const sealed = [
  "signing_secret",
  "standard_webhooks_secret",
  "previous_standard_webhooks_secret",
  "previous_standard_webhooks_secret_until"
] as const
const health = [
  "status",
  "probation",
  "probation_due",
  "failures",
  "disabled_reason",
  "disabled_detail",
  "last_failure_at",
  "last_success_at",
  "revision",
  "stopped_at",
  "updated_at"
] as const

const table = "webhook_endpoints"
const endpointTarget = rowOf(table, "id")
const counterTarget = rowOf("environment_counters", "environment_id")
const events = {
  beside: { subscribed_events: "text" },
  values: { subscribed_events: "string_to_array(r.subscribed_events, ',')" }
} as const

const insertWrite = insertInto(webhookEndpointsTable, {
  ...events,
  columns: ["environment_id", "id", ...content, "environment", ...sealed, "created_at", "updated_at"],
  returning: "id",
  target: counterTarget,
  guard: (asked) => `select a.unit from ${asked} a
    join environment_counters c on c.environment_id = a.environment_id
    where c.webhook_endpoints < ${maxEndpoints} order by c.environment_id for update of c`,
  before: [
    {
      name: "webhook_endpoints_counted",
      sql: (source) => `update environment_counters c set webhook_endpoints = c.webhook_endpoints + 1 from ${source} r
        where c.environment_id = r.environment_id`
    }
  ]
})

const updateWrite = updateOf(webhookEndpointsTable, {
  ...events,
  name: "webhook_endpoints.update",
  set: [...content, ...health],
  target: endpointTarget
})

const healthWrite = updateOf(webhookEndpointsTable, {
  name: "webhook_endpoints.health",
  set: health,
  where: "t.revision < r.revision",
  target: endpointTarget
})

const rotateWrite = updateOf(webhookEndpointsTable, {
  name: "webhook_endpoints.rotate",
  set: [
    "signing_secret",
    "standard_webhooks_secret",
    "previous_standard_webhooks_secret",
    "previous_standard_webhooks_secret_until",
    "updated_at"
  ],
  target: endpointTarget
})

const deleteWrite = defineWrite({
  name: "webhook_endpoints.delete",
  columns: { environment_id: "text", id: "text" },
  target: (row) => [endpointTarget(row), counterTarget(row)],
  before: [
    {
      name: "webhook_endpoints_deleted",
      sql: (source) => `delete from webhook_endpoints e using ${source} r
        where e.environment_id = r.environment_id and e.id = r.id returning e.environment_id`
    }
  ],
  sql: () => `update environment_counters c set webhook_endpoints = greatest(c.webhook_endpoints - 1, 0)
    from webhook_endpoints_deleted d where c.environment_id = d.environment_id`
})
