import type { Metadata } from "@carteiro/schema/messages/Metadata.ts"
import { json } from "@carteiro/tables/StoredJson.ts"
import { defineInsert, defineUpdate, rowOf } from "@carteiro/tables/TableWrite.ts"

const key = { environment_id: "text", id: "text" } as const
const authorizations = rowOf("agentic_authorizations", "environment_id", "id")
const payments = rowOf("agentic_payments", "environment_id", "id")

/**
 * A notice that arrives while the provider is called keeps its effect: it sets an earlier due time than the
 * reservation's.
 */
const hinted = "case when r.due_at is null then null when t.due_at <= r.at then t.due_at else r.due_at end"

/** Inserts an authorization; its worker sends it to the provider when it is due. */
export const insertAuthorization = defineInsert({
  table: "agentic_authorizations",
  columns: {
    ...key,
    bank_id: "text",
    customer_name: "text",
    customer_tax_id_sealed: "bytea",
    max_amount: "int8",
    return_url: "text",
    external_reference: "text",
    metadata: json<Metadata>(),
    provider_connection_id: "text",
    trace_id: "text",
    created_at: "timestamptz",
    expires_at: "timestamptz",
    due_at: "timestamptz"
  },
  values: { status: "'pending'", step: "'create'", updated_at: "r.created_at" }
})

/** Reserves a step: from now on the provider may have a `create`, which is looked up when its answer is lost. */
export const reserveAuthorization = defineUpdate({
  name: "agentic_authorizations.reserve",
  table: "agentic_authorizations",
  key,
  beside: { at: "timestamptz", was: "text" },
  set: { due_at: "timestamptz" },
  values: {
    step: "case when t.step = 'create' then 'find' else t.step end",
    called_at: "coalesce(t.called_at, r.at)"
  },
  where: "t.step = r.was and t.due_at <= r.at",
  returning: "t.id",
  target: authorizations
})

/** Writes the state of an authorization after a look-up, unless it changed meanwhile. */
export const recordAuthorization = defineUpdate({
  name: "agentic_authorizations.record",
  table: "agentic_authorizations",
  key,
  beside: { was: "text", at: "timestamptz" },
  set: {
    status: "text",
    provider_authorization_id: "text",
    authorization_url: "text",
    authorized_at: "timestamptz",
    rejected_at: "timestamptz",
    revoked_at: "timestamptz",
    step: "text",
    due_at: "timestamptz",
    doubt_at: "timestamptz",
    absent_at: "timestamptz",
    updated_at: "timestamptz"
  },
  values: { due_at: hinted, updated_at: "case when t.status = r.status then t.updated_at else r.updated_at end" },
  where: "t.status = r.was",
  target: authorizations
})

/** True when a create was sent to the provider, even a moment ago. */
const hasLeft = "t.provider_connection_id is not null and t.called_at is not null"

/**
 * Revokes an authorization for its owner, unless it was over; a provider that may have it is called. gaps-3 C "Agentic
 * authorizations"
 */
export const revokeAuthorization = defineUpdate({
  name: "agentic_authorizations.revoke",
  table: "agentic_authorizations",
  key,
  set: { revoked_at: "timestamptz" },
  values: {
    status: "'revoked'",
    step: `case when ${hasLeft} then 'revoke' end`,
    due_at: `case when ${hasLeft} then r.revoked_at end`,
    doubt_at: "null",
    updated_at: "r.revoked_at"
  },
  guard: "t.status in ('pending', 'authorized')",
  returning: "t.id",
  target: authorizations
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
export const hintAuthorization = defineUpdate({
  name: "agentic_authorizations.hint",
  table: "agentic_authorizations",
  key: { ...key, provider_connection_id: "text" },
  beside: { at: "timestamptz", told_status: "text" },
  values: {
    due_at: "least(t.due_at, r.at)",
    step: "coalesce(t.step, 'revoke')",
    doubt_at: "case when t.step is null then null else t.doubt_at end"
  },
  where: `t.called_at is not null and t.step is distinct from 'create' and (t.step is not null or (${isOpenThere}))`,
  returning: "t.environment_id",
  target: authorizations
})

/** Inserts a payment whose fees are charged. */
export const insertPayment = defineInsert({
  table: "agentic_payments",
  columns: {
    ...key,
    account_id: "text",
    authorization_id: "text",
    amount: "int8",
    description: "text",
    external_reference: "text",
    metadata: json<Metadata>(),
    provider_connection_id: "text",
    provider_authorization_id: "text",
    trace_id: "text",
    rate_card_id: "text",
    initiation_amount: "int8",
    initiation_reservation_id: "text",
    completion_rate: "int8",
    completion_amount: "int8",
    completion_reservation_id: "text",
    created_at: "timestamptz",
    due_at: "timestamptz"
  },
  values: { status: "'processing'", completion_state: "'held'", step: "'create'", updated_at: "r.created_at" }
})

/** Reserves a step of a payment, as `reserveAuthorization` does. */
export const reservePayment = defineUpdate({
  name: "agentic_payments.reserve",
  table: "agentic_payments",
  key,
  beside: { at: "timestamptz", was: "text" },
  set: { due_at: "timestamptz" },
  values: {
    step: "case when t.step = 'create' then 'find' else t.step end",
    called_at: "coalesce(t.called_at, r.at)"
  },
  where: "t.step = r.was and t.due_at <= r.at",
  returning: "t.id",
  target: payments
})

/** Writes the result of a look-up of a payment that continues. */
export const recordPayment = defineUpdate({
  name: "agentic_payments.record",
  table: "agentic_payments",
  key,
  beside: { at: "timestamptz" },
  set: {
    provider_payment_id: "text",
    step: "text",
    due_at: "timestamptz",
    doubt_at: "timestamptz",
    absent_at: "timestamptz"
  },
  values: { due_at: hinted },
  where: "t.status = 'processing'",
  target: payments
})

/** Ends a processing payment; one that has already ended stops the whole unit. C-FEE-21 */
export const endPayment = defineUpdate({
  name: "agentic_payments.end",
  table: "agentic_payments",
  key,
  set: {
    status: "text",
    provider_payment_id: "text",
    error_code: "text",
    error_message: "text",
    completion_state: "text",
    updated_at: "timestamptz"
  },
  values: {
    paid_at: "case when r.status = 'paid' then r.updated_at end",
    failed_at: "case when r.status = 'failed' then r.updated_at end",
    step: "null",
    due_at: "null"
  },
  guard: "t.status = 'processing'",
  target: payments
})

/** Makes a payment due after a provider's notice. */
export const hintPayment = defineUpdate({
  name: "agentic_payments.hint",
  table: "agentic_payments",
  key: { ...key, provider_connection_id: "text" },
  beside: { at: "timestamptz" },
  values: { due_at: "least(t.due_at, r.at)" },
  where: "t.due_at is not null and t.step <> 'create'",
  returning: "t.environment_id",
  target: payments
})
