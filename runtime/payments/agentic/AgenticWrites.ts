import { insertInto, updateOf } from "@carteiro/tables/TableWrite.ts"
import { agenticAuthorizationsTable, agenticPaymentsTable } from "./AgenticTables.ts"

/**
 * A notice that arrives while the provider is called keeps its effect: it sets an earlier due time than the
 * reservation's.
 */
const hinted = "case when r.due_at is null then null when t.due_at <= r.at then t.due_at else r.due_at end"

/** Inserts an authorization; its worker sends it to the provider when it is due. */
export const insertAuthorization = insertInto(agenticAuthorizationsTable, {
  columns: [
    "environment_id",
    "id",
    "bank_id",
    "customer_name",
    "customer_tax_id_sealed",
    "max_amount",
    "return_url",
    "external_reference",
    "metadata",
    "provider_connection_id",
    "trace_id",
    "created_at",
    "expires_at",
    "due_at"
  ],
  values: { status: "'pending'", step: "'create'", updated_at: "r.created_at" }
})

/** Reserves a step: from now on the provider may have a `create`, which is looked up when its answer is lost. */
export const reserveAuthorization = updateOf(agenticAuthorizationsTable, {
  name: "agentic_authorizations.reserve",
  beside: { at: "timestamptz", was: "text" },
  set: ["due_at"],
  values: {
    step: "case when t.step = 'create' then 'find' else t.step end",
    called_at: "coalesce(t.called_at, r.at)"
  },
  where: "t.step = r.was and t.due_at <= r.at",
  returning: "t.id"
})

/** Writes the state of an authorization after a look-up, unless it changed meanwhile. */
export const recordAuthorization = updateOf(agenticAuthorizationsTable, {
  name: "agentic_authorizations.record",
  beside: { was: "text", at: "timestamptz" },
  set: [
    "status",
    "provider_authorization_id",
    "authorization_url",
    "authorized_at",
    "rejected_at",
    "revoked_at",
    "step",
    "due_at",
    "doubt_at",
    "absent_at",
    "updated_at"
  ],
  values: { due_at: hinted, updated_at: "case when t.status = r.status then t.updated_at else r.updated_at end" },
  where: "t.status = r.was"
})

/** True when a create was sent to the provider, even a moment ago. */
const hasLeft = "t.provider_connection_id is not null and t.called_at is not null"

/**
 * Revokes an authorization for its owner, unless it was over; a provider that may have it is called. gaps-3 C "Agentic
 * authorizations"
 */
export const revokeAuthorization = updateOf(agenticAuthorizationsTable, {
  name: "agentic_authorizations.revoke",
  set: ["revoked_at"],
  values: {
    status: "'revoked'",
    step: `case when ${hasLeft} then 'revoke' end`,
    due_at: `case when ${hasLeft} then r.revoked_at end`,
    doubt_at: "null",
    updated_at: "r.revoked_at"
  },
  guard: "t.status in ('pending', 'authorized')",
  returning: "t.id"
})

/**
 * True when the provider has an authorization open that is over here: it was created, or authorized, after the last
 * look-up.
 */
const isOpenThere = "t.status not in ('pending', 'authorized') and r.told_status in ('pending', 'authorized')"

/**
 * Makes an authorization due after a provider's notice; when it is over here, it is revoked at the provider. gaps-3 G
 * "Trust in webhook content"
 */
export const hintAuthorization = updateOf(agenticAuthorizationsTable, {
  name: "agentic_authorizations.hint",
  key: ["environment_id", "id", "provider_connection_id"],
  beside: { at: "timestamptz", told_status: "text" },
  values: {
    due_at: "least(t.due_at, r.at)",
    step: "coalesce(t.step, 'revoke')",
    doubt_at: "case when t.step is null then null else t.doubt_at end"
  },
  where: `t.called_at is not null and t.step is distinct from 'create' and (t.step is not null or (${isOpenThere}))`,
  returning: "t.environment_id"
})

/** Inserts a payment whose fees are charged. */
export const insertPayment = insertInto(agenticPaymentsTable, {
  columns: [
    "environment_id",
    "id",
    "account_id",
    "authorization_id",
    "amount",
    "description",
    "external_reference",
    "metadata",
    "provider_connection_id",
    "provider_authorization_id",
    "trace_id",
    "rate_card_id",
    "initiation_amount",
    "initiation_reservation_id",
    "completion_rate",
    "completion_amount",
    "completion_reservation_id",
    "created_at",
    "due_at"
  ],
  values: { status: "'processing'", completion_state: "'held'", step: "'create'", updated_at: "r.created_at" }
})

/** Reserves a step of a payment, as `reserveAuthorization` does. */
export const reservePayment = updateOf(agenticPaymentsTable, {
  name: "agentic_payments.reserve",
  beside: { at: "timestamptz", was: "text" },
  set: ["due_at"],
  values: {
    step: "case when t.step = 'create' then 'find' else t.step end",
    called_at: "coalesce(t.called_at, r.at)"
  },
  where: "t.step = r.was and t.due_at <= r.at",
  returning: "t.id"
})

/** Writes the result of a look-up of a payment that continues. */
export const recordPayment = updateOf(agenticPaymentsTable, {
  name: "agentic_payments.record",
  beside: { at: "timestamptz" },
  set: ["provider_payment_id", "step", "due_at", "doubt_at", "absent_at"],
  values: { due_at: hinted },
  where: "t.status = 'processing'"
})

/** Ends a processing payment; one that has already ended stops the whole unit. C-FEE-21 */
export const endPayment = updateOf(agenticPaymentsTable, {
  name: "agentic_payments.end",
  set: ["status", "provider_payment_id", "error_code", "error_message", "completion_state", "updated_at"],
  values: {
    paid_at: "case when r.status = 'paid' then r.updated_at end",
    failed_at: "case when r.status = 'failed' then r.updated_at end",
    step: "null",
    due_at: "null"
  },
  guard: "t.status = 'processing'"
})

/** Makes a payment due after a provider's notice. */
export const hintPayment = updateOf(agenticPaymentsTable, {
  name: "agentic_payments.hint",
  key: ["environment_id", "id", "provider_connection_id"],
  beside: { at: "timestamptz" },
  values: { due_at: "least(t.due_at, r.at)" },
  where: "t.due_at is not null and t.step <> 'create'",
  returning: "t.environment_id"
})
