import type { DueOwners } from "@carteiro/owners/DueWork.ts"
import { walkOwners } from "@carteiro/tables/WalkOwners.ts"
import { Context, Layer } from "effect"

/** Usage that is not charged yet, with the price and the plan of its instant. */
export interface UnpostedUsage {
  readonly id: string
  readonly project_id: string
  readonly environment_id: string
  readonly meter_id: string
  readonly quantity: number
  /** Epoch milliseconds. */
  readonly occurred_at: number
  readonly unit_price: number
  readonly multiplier_applies: boolean
  /** The multiplier of the plan, in ten-thousandths. */
  readonly multiplier: number
}

/**
 * Returns the SQL of one organization's oldest usage with a price, as `UnpostedUsage`; written so that the planner uses
 * an index for each look-up.
 */
export const unpostedUsage = (organizationId: string, now: string, count: string): string =>
  `select u.id, u.project_id, u.environment_id, u.meter_id, u.quantity, u.occurred_at, e.unit_price,
    e.multiplier_applies, coalesce(p.multiplier, 10000)::int8 as multiplier
  from usage_records u
  cross join lateral (select c.id from rate_cards c
    where tstzrange(c.effective_from, c.effective_to) @> u.occurred_at limit 1) c
  join rate_card_entries e on e.rate_card_id = c.id and e.meter_id = u.meter_id and e.unit_price is not null
  left join lateral (select o.multiplier from account_plans a
    left join plan_offerings o on o.id = a.plan_offering_id
    where a.account_id = u.organization_id and a.effective_from <= u.occurred_at
    order by a.effective_from desc limit 1) p on true
  where u.organization_id = ${organizationId} and u.posted_at is null and u.occurred_at <= ${now}
  order by u.occurred_at, u.id limit ${count}`

/** Rows of `usage_records`. */
export class UsageRepo extends Context.Service<
  UsageRepo,
  {
    /** Returns organizations with usage to post, after an id. */
    readonly dueOrganizations: DueOwners["due"]
  }
>()("@carteiro/runtime/billing/usage/UsageRepo") {
  static readonly layer = Layer.sync(UsageRepo, () =>
    UsageRepo.of({
      dueOrganizations: walkOwners(
        "select organization_id as owner, '-infinity'::timestamptz as due_at from usage_records where posted_at is null"
      )
    })
  )
}
