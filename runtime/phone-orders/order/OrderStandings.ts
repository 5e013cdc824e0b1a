import { one } from "@carteiro/tables/Read.ts"
import { insertInto, rowOf, updateOf } from "@carteiro/tables/TableWrite.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { billingRecipientsTable, businessIdentitiesTable } from "./OrderTables.ts"

/** The declarations of an organization before it orders. */
export interface Standing {
  readonly identity: "none" | "pending" | "approved"
  /**
   * True when a current owner or admin receives billing alerts on a phone of their own, and has agreed to it. M-ORD-28
   */
  readonly has_recipient: boolean
}

/** Identity and billing recipient of organizations. M-ORD-26..28 */
export class OrderStandings extends Context.Service<
  OrderStandings,
  { find(organizationId: string): Effect.Effect<Standing> }
>()("@carteiro/runtime/phone-orders/order/OrderStandings") {
  static readonly layer = Layer.effect(
    OrderStandings,
    Effect.map(SqlClient.SqlClient, (sql) =>
      OrderStandings.of({
        find: (organizationId) =>
          Effect.map(
            one(sql<Standing>`select
                coalesce((select i.status from business_identities i
                  where i.organization_id = ${organizationId}), 'none') as identity,
                exists (select 1 from billing_recipients b
                  join members m on m.organization_id = b.organization_id and m.id = b.member_id
                  where b.organization_id = ${organizationId} and m.active and m.role in ('owner', 'admin')) as has_recipient`),
            (row) => row ?? { identity: "none", has_recipient: false }
          )
      })
    )
  )
}

/** Declares the business behind an organization; an earlier approval ends, and the review starts again. */
export const declareIdentity = insertInto(businessIdentitiesTable, {
  columns: ["organization_id", "legal_name", "tax_id", "legal_phone", "declared_at"],
  values: { status: "'pending'", approved_at: "null" },
  conflict: {
    on: ["organization_id"],
    update: ["legal_name", "tax_id", "legal_phone", "declared_at", "status", "approved_at"]
  },
  target: rowOf("business_identities", "organization_id")
})

/** Records an operator's approval. */
export const approveIdentity = updateOf(businessIdentitiesTable, {
  name: "business_identities.approve",
  set: ["approved_at"],
  values: { status: "'approved'" },
  where: "t.status = 'pending'",
  returning: "t.organization_id"
})

/** Records a member's consent to billing alerts on their phone. M-ORD-28 */
export const nameRecipient = insertInto(billingRecipientsTable, {
  columns: ["organization_id", "member_id", "phone", "consented_at"],
  conflict: { on: ["organization_id"], update: ["member_id", "phone", "consented_at"] },
  target: rowOf("billing_recipients", "organization_id")
})

/** Changes of an organization's declarations. Each returns a row for the commit that records it. */
export const standingChanges = {
  approveIdentity: approveIdentity.row,
  declareIdentity: declareIdentity.row,
  nameRecipient: nameRecipient.row
} as const
