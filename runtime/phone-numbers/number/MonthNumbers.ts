import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { NumberStatus } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"
import { many } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** An imported number whose management has not ended. Instants in epoch milliseconds. */
export interface ManagedNumber {
  readonly environment_id: string
  readonly environment: EnvironmentKind
  readonly project_id: string
  readonly id: string
  readonly phone: string | null
  readonly display_name: string | null
  readonly status: NumberStatus
  readonly suspended_at: number | null
  readonly enrollment_id: string
  readonly enrollment_status: "active" | "suspended"
  readonly enrolled_at: number
}

/** A rented number in service. Instants in epoch milliseconds. */
export interface RentedMonthNumber {
  readonly environment_id: string
  readonly project_id: string
  readonly id: string
  readonly phone: string | null
  readonly activated_at: number
}

/** Reads numbers with a monthly price. gaps-3 F */
export class MonthNumbers extends Context.Service<
  MonthNumbers,
  {
    /** Returns the managed numbers of an account (`org_…`: its production environments; `env_…`), by enrollment. */
    managed(accountId: string): Effect.Effect<ReadonlyArray<ManagedNumber>>
    /** Returns the managed numbers of one environment, newest enrollment first. C-PMGT-02 */
    managedIn(environmentId: string): Effect.Effect<ReadonlyArray<ManagedNumber>>
    /** Returns the active numbers that an organization rents, by activation. gaps-3 F "Month clock as jobs" */
    rented(organizationId: string): Effect.Effect<ReadonlyArray<RentedMonthNumber>>
  }
>()("@carteiro/runtime/phone-numbers/number/MonthNumbers") {
  static readonly layer = Layer.effect(
    MonthNumbers,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const managed =
        sql.literal(`select n.environment_id, n.environment, e.project_id, n.id, n.phone, n.display_name, n.status,
          n.suspended_at, m.id as enrollment_id, m.status as enrollment_status, m.enrolled_at
        from environments e
        join numprov_enrollments m on m.environment_id = e.id and m.status <> 'ended'
        join phone_numbers n on n.id = m.phone_number_id and n.environment_id = m.environment_id`)
      return MonthNumbers.of({
        managed: (accountId) =>
          many(
            accountId.startsWith("org_")
              ? sql<ManagedNumber>`${managed} where e.organization_id = ${accountId} and e.kind = 'production'
                  order by m.enrolled_at, m.id`
              : sql<ManagedNumber>`${managed} where e.id = ${accountId} and e.kind = 'sandbox'
                  order by m.enrolled_at, m.id`
          ),
        managedIn: (environmentId) =>
          many(sql<ManagedNumber>`${managed} where e.id = ${environmentId} order by m.enrolled_at desc, m.id desc`),
        rented: (organizationId) =>
          many(sql<RentedMonthNumber>`select n.environment_id, e.project_id, n.id, n.phone, n.activated_at
            from environments e join phone_numbers n on n.environment_id = e.id
            where e.organization_id = ${organizationId} and e.kind = 'production' and n.source = 'numprov'
              and n.status = 'active' and n.activated_at is not null
            order by n.activated_at, n.id`)
      })
    })
  )
}
