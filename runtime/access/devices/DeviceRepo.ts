import { createHash } from "node:crypto"
import type { EnvironmentKind, KeyScope } from "@carteiro/schema/conventions/Access.ts"
import { instant } from "@carteiro/tables/Parameters.ts"
import { one } from "@carteiro/tables/Read.ts"
import type { JsonText } from "@carteiro/tables/StoredJson.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** A row of `device_authorizations`; instants are epoch milliseconds. */
export interface DeviceRow {
  readonly id: string
  /** Eight letters without the hyphen. */
  readonly user_code: string
  readonly client_name: string
  readonly environment_kind: EnvironmentKind
  readonly scopes: JsonText<ReadonlyArray<KeyScope>>
  readonly key_expires_at: number | null
  readonly source_ip: string
  readonly status: "pending" | "approved" | "denied" | "redeemed"
  readonly interval_seconds: number
  readonly last_polled_at: number | null
  readonly created_at: number
  readonly expires_at: number
  readonly organization_id: string | null
  readonly project_id: string | null
  readonly environment_id: string | null
  readonly granted_scopes: JsonText<ReadonlyArray<KeyScope>> | null
}

/** The facts about an approval when its key is minted. */
export interface ApprovalRow {
  readonly approver_role: string | null
  readonly organization_active: boolean
  readonly project_active: boolean
  readonly credit_blocked: boolean
  readonly webhook_endpoints: number
}

/** Device requests, found by their codes; they belong to no organization until they are approved. */
export class DeviceRepo extends Context.Service<
  DeviceRepo,
  {
    /** Returns the SHA-256 of a device code, the only stored form. */
    hash(deviceCode: string): Uint8Array
    findByDeviceCode(deviceCode: string): Effect.Effect<DeviceRow | undefined>
    /** Returns a request that may still be decided. */
    findOpen(userCode: string, now: number): Effect.Effect<DeviceRow | undefined>
    find(id: string): Effect.Effect<DeviceRow | undefined>
    findApproval(id: string): Effect.Effect<ApprovalRow | undefined>
  }
>()("@carteiro/runtime/access/devices/DeviceRepo") {
  static readonly layer = Layer.effect(
    DeviceRepo,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const hash = (deviceCode: string) => createHash("sha256").update(deviceCode).digest()
      return DeviceRepo.of({
        hash,
        findByDeviceCode: (deviceCode) =>
          one(sql<DeviceRow>`select * from device_authorizations where device_code_hash = ${hash(deviceCode)}`),
        findOpen: (userCode, now) =>
          one(sql<DeviceRow>`select * from device_authorizations
            where user_code = ${userCode} and status = 'pending' and expires_at > ${instant(now)}`),
        find: (id) => one(sql<DeviceRow>`select * from device_authorizations where id = ${id}`),
        findApproval: (id) =>
          one(sql<ApprovalRow>`select m.role as approver_role,
              o.suspended_at is null and o.removed_at is null as organization_active,
              p.archived_at is null and p.deleted_at is null as project_active,
              o.credit_blocked, c.webhook_endpoints
            from device_authorizations d
            join organizations o on o.id = d.organization_id
            join projects p on p.organization_id = d.organization_id and p.id = d.project_id
            join environment_counters c on c.environment_id = d.environment_id
            left join members m on m.organization_id = d.organization_id and m.id = d.decided_by and m.active
            where d.id = ${id}`)
      })
    })
  )
}
