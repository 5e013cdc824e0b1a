import { hourMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { arrayParameter } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import type { Job } from "@carteiro/tables/Retention.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { pageHash, sealColumn } from "./SealedColumns.ts"

/** The number of rows that one statement encrypts. */
const atOnce = 200

interface UnsealedRow {
  readonly environment_id: string
  readonly id: string
  readonly customer_tax_id: string | null
}

interface UnsealedPayment extends UnsealedRow {
  readonly payment_link_url: string | null
  readonly page_token: string | null
}

const idsOf = (rows: ReadonlyArray<UnsealedRow>) =>
  arrayParameter(
    "text",
    rows.map(({ id }) => id)
  )

/** Encrypts the next authorizations; true while there are more. */
const sealAuthorizations = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const secrets = yield* Secrets
  const rows = yield* many(sql<UnsealedRow>`select environment_id, id, customer_tax_id from agentic_authorizations
    where customer_tax_id is not null order by id limit ${atOnce}`)
  if (rows.length === 0) return false
  const sealed = rows.map((row) => sealColumn(secrets, row, "customer_tax_id", row.customer_tax_id))
  yield* many(sql`update agentic_authorizations t set customer_tax_id_sealed = r.tax_id, customer_tax_id = null
    from unnest(${idsOf(rows)}::text[], ${arrayParameter("bytea", sealed)}::bytea[]) as r(id, tax_id)
    where t.id = r.id and t.customer_tax_id is not null`)
  return rows.length === atOnce
})

/** Encrypts the tax id of the next payments, and the link with its token when the page is ours. */
const sealPayments = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const secrets = yield* Secrets
  const rows = yield* many(sql<UnsealedPayment>`select environment_id, id, customer_tax_id, payment_link_url, page_token
    from payment_requests where customer_tax_id is not null or page_token is not null order by id limit ${atOnce}`)
  if (rows.length === 0) return false
  const taxIds = rows.map((row) => sealColumn(secrets, row, "customer_tax_id", row.customer_tax_id))
  const links = rows.map((row) =>
    row.page_token === null ? null : sealColumn(secrets, row, "payment_link_url", row.payment_link_url)
  )
  const pages = rows.map(({ page_token }) => (page_token === null ? null : pageHash(secrets, page_token)))
  // The next pass handles a link that was made since the row was read.
  yield* many(sql`update payment_requests t set customer_tax_id_sealed = coalesce(r.tax_id, t.customer_tax_id_sealed),
      customer_tax_id = null,
      link_sealed = coalesce(r.link, t.link_sealed), page_hash = coalesce(r.page, t.page_hash),
      payment_link_url = case when r.page is null then t.payment_link_url end,
      page_token = case when r.page is null then t.page_token end
    from unnest(${idsOf(rows)}::text[], ${arrayParameter("bytea", taxIds)}::bytea[],
      ${arrayParameter("bytea", links)}::bytea[], ${arrayParameter("bytea", pages)}::bytea[]) as r(id, tax_id, link, page)
    where t.id = r.id and (t.customer_tax_id is not null or t.page_token is not null)`)
  return rows.length === atOnce
})

/**
 * Encrypts rows that earlier releases stored in plain text, in small statements, so that no request waits for it;
 * encrypted rows do not change. Reads accept both forms until then.
 */
export const sealOldRows: Job = {
  name: "payments of earlier releases",
  everyMs: hourMs,
  run: Effect.gen(function* () {
    while (yield* sealAuthorizations);
    while (yield* sealPayments);
  })
}
