import type { EnvironmentEntry } from "@carteiro/console/Ports.ts"
import type { Capability } from "@carteiro/schema/conventions/Access.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { type JsonText, jsonText, readJson } from "@carteiro/tables/StoredJson.ts"
import { defineWrite, type Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

const switchOff = defineWrite({
  name: "environments.switch",
  columns: { organization_id: "text", id: "text", capabilities_off: "text" },
  target: (row) => `environments/${row.id}`,
  sql: (source) => `update environments e set capabilities_off = r.capabilities_off
    from ${source} r join projects p on p.organization_id = r.organization_id and p.deleted_at is null
    where e.id = r.id and e.organization_id = r.organization_id and e.project_id = p.id`
})

/** Reads environments with their projects and counts, within one organization except for an operator's read. */
export class EnvironmentListRepo extends Context.Service<
  EnvironmentListRepo,
  {
    find(organizationId: string, id: string): Effect.Effect<EnvironmentEntry | undefined>
    findAnywhere(id: string): Effect.Effect<EnvironmentEntry | undefined>
    list(organizationId: string): Effect.Effect<ReadonlyArray<EnvironmentEntry>>
    switchOff(organizationId: string, id: string, families: ReadonlyArray<Capability>): Row
  }
>()("@carteiro/runtime/access/tenancy/EnvironmentListRepo") {
  static readonly layer = Layer.effect(
    EnvironmentListRepo,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const select = sql.literal(`select e.id, e.kind, p.organization_id, p.id as project_id, p.name as project_name,
          p.slug as project_slug, p.archived_at is not null as project_archived, p.default_region,
          e.capabilities_off, c.active_api_keys, c.webhook_endpoints
        from projects p
        join environments e on e.project_id = p.id
        join environment_counters c on c.environment_id = e.id`)
      return EnvironmentListRepo.of({
        find: (organizationId, id) =>
          one(
            sql<EnvironmentRow>`${select} where e.id = ${id} and p.organization_id = ${organizationId} and p.deleted_at is null`,
            fromRow
          ),
        findAnywhere: (id) => one(sql<EnvironmentRow>`${select} where e.id = ${id} and p.deleted_at is null`, fromRow),
        list: (organizationId) =>
          many(
            sql<EnvironmentRow>`${select} where p.organization_id = ${organizationId} and p.deleted_at is null
              order by p.archived_at is not null, p.id desc, e.kind desc`,
            fromRow
          ),
        switchOff: (organization_id, id, families) =>
          switchOff.row({ organization_id, id, capabilities_off: jsonText(families) })
      })
    })
  )
}

interface EnvironmentRow extends Omit<EnvironmentEntry, "capabilities_off"> {
  readonly capabilities_off: JsonText<ReadonlyArray<Capability>>
}

const fromRow = (row: EnvironmentRow): EnvironmentEntry => ({
  ...row,
  capabilities_off: readJson(row.capabilities_off)
})
