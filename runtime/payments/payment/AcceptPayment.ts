import { Claim } from "@carteiro/owners/Idempotency.ts"
import { PixProviders, pixProviderOf } from "@carteiro/provider/payments/PixProvider.ts"
import type { Metadata } from "@carteiro/schema/messages/Metadata.ts"
import { InvalidPaymentRequest, PaymentProviderConnectionRequired } from "@carteiro/schema/payments/PaymentErrors.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { JsonTextOf } from "@carteiro/tables/StoredJson.ts"
import { Effect, Result, Schema } from "effect"
import {
  acceptFee,
  defineAccountAct,
  FeeFacts,
  handleAct,
  type PaymentFeeFacts,
  type RulesOf,
  readFees,
  StoredReply,
  takeFee
} from "../../billing/Billing.ts"
import { Outbox } from "../../outbox/Outbox.ts"
import { type PaymentsConnection, PaymentsConnections } from "../../provider-connections/ProviderConnections.ts"
import { SandboxUnitMs } from "../../tenancy/SandboxUnit.ts"
import { sealColumn } from "../sealing/SealedColumns.ts"
import { type PaymentRow, showPayment } from "./Payment.ts"
import { createdEvent } from "./PaymentEventRows.ts"
import { PaymentRepo } from "./PaymentRepo.ts"
import { insertPaymentRequest } from "./PaymentWrites.ts"
import { boundRefusal } from "./VendorBounds.ts"

const nullableText = Schema.NullOr(Schema.String)

/** A payment to accept, with the ids of its objects. Amount in 1/10,000 BRL, instant in epoch milliseconds. */
const AcceptRequest = Schema.Struct({
  id: Schema.String,
  initiation_reservation_id: Schema.String,
  completion_reservation_id: Schema.String,
  project_id: Schema.String,
  environment_id: Schema.String,
  amount: Schema.Int,
  description: nullableText,
  customer_name: nullableText,
  customer_tax_id: nullableText,
  customer_phone: nullableText,
  customer_email: nullableText,
  external_reference: nullableText,
  metadata: Schema.NullOr(JsonTextOf<Metadata>()),
  options: Schema.Struct({
    /** The provider of the options; null without options. */
    provider: Schema.NullOr(Schema.Literals(["pixprov1", "pixprov2"])),
    mode: Schema.NullOr(Schema.Literals(["hosted_checkout", "transparent_pix"])),
    expires_in_seconds: Schema.NullOr(Schema.Int),
    success_url: nullableText
  }),
  trace_id: Schema.String,
  created_at: Schema.Number,
  claim: Schema.optionalKey(Claim)
})

interface AcceptFacts {
  readonly fees: PaymentFeeFacts
  /** The account that each environment's payments use now. */
  readonly connections: ReadonlyMap<string, PaymentsConnection | undefined>
  /** The payments that an earlier call accepted, whose response was lost. */
  readonly accepted: ReadonlyMap<string, PaymentRow>
}

const daySeconds = 86_400
/**
 * Returns how long a payment may be paid: as requested, a day at a provider, a week in the simulation. gaps-3 C
 * "provider_options", "Expiry"
 */
const secondsOf = (asked: number | null, hasConnection: boolean): number =>
  asked ?? (hasConnection ? daySeconds : 7 * daySeconds)

/**
 * Accepts a payment: it checks cap, prices and balance first, so that none of their refusals is masked, then the
 * connection; fees, payment, event and response are one commit. C-FEE-22..30, gaps-3 C "Order inside payment create"
 */
export const acceptPayment = defineAccountAct("payment.create", { request: AcceptRequest, result: StoredReply })

const rules = Effect.gen(function* () {
  const repo = yield* PaymentRepo
  const fees = yield* FeeFacts
  const connections = yield* PaymentsConnections
  const outbox = yield* Outbox
  const secrets = yield* Secrets
  const unitMs = yield* SandboxUnitMs
  const vendors = yield* PixProviders
  return {
    reservations: () => [],
    read: Effect.fnUntraced(function* (requests, account, now) {
      const projects = [...new Set(requests.map(({ project_id }) => project_id))]
      const environments = [...new Set(requests.map(({ environment_id }) => environment_id))]
      const ids = requests.map(({ id }) => id)
      const read = yield* Effect.all({
        fees: fees.read(account, projects, now),
        connections: Effect.forEach(environments, (id) =>
          Effect.map(connections.selected(id), (connection) => [id, connection] as const)
        ),
        accepted: repo.ofAccount(account.account_id, ids)
      })
      return {
        fees: read.fees,
        connections: new Map(read.connections),
        accepted: new Map(read.accepted.map((row) => [row.id, row]))
      }
    }),
    decide: (request, facts, change) => {
      const { account, now } = change
      const { claim, options, project_id, ...asked } = request
      const production = account.environment === "production"
      const shown = (row: PaymentRow) => ({ status: 201, body: JSON.stringify(showPayment(row, now, readFees)) })
      const before = facts.accepted.get(request.id)
      if (before !== undefined) return { _tag: "Answer", result: shown(before) }
      const accepted = acceptFee(facts.fees, request, change)
      if (Result.isFailure(accepted)) return { _tag: "Refuse", error: accepted.failure }
      const fee = accepted.success
      const connection = facts.connections.get(request.environment_id)
      if (production && connection === undefined) {
        return { _tag: "Refuse", error: new PaymentProviderConnectionRequired() }
      }
      const provider = connection?.provider ?? "pixprov1"
      if (options.provider !== null && options.provider !== provider) {
        const message = `These payments go through ${connection === undefined ? "the sandbox's own fixture" : provider}, which takes no options of ${options.provider}.`
        return {
          _tag: "Refuse",
          error: new InvalidPaymentRequest({ param: `provider_options.${options.provider}`, message })
        }
      }
      const bounds = connection && pixProviderOf(vendors, connection)?.bounds
      const mode = options.mode ?? bounds?.standardMode ?? "hosted_checkout"
      const expires_in_seconds = secondsOf(options.expires_in_seconds, connection !== undefined)
      const broken = bounds && boundRefusal(bounds, provider, { ...asked, mode, expires_in_seconds })
      if (broken !== undefined) return { _tag: "Refuse", error: broken }
      const { environment_id, id, trace_id } = request
      takeFee(change, fee, { project_id, environment_id, trace_id, payment: { object: "payment_request", id } })
      const row: PaymentRow = {
        ...asked,
        ...fee,
        ...untouched,
        environment: account.environment,
        account_id: account.account_id,
        provider,
        provider_connection_id: connection?.id ?? null,
        mode,
        expires_in_seconds,
        updated_at: request.created_at
      }
      const due_at = production ? request.created_at : request.created_at + unitMs
      const moved = { at: request.created_at, occurred_at: request.created_at, operation: "create" } as const
      change.add(
        insertPaymentRequest.row({
          ...row,
          ...fee,
          customer_tax_id_sealed: sealColumn(secrets, row, "customer_tax_id", row.customer_tax_id),
          success_url: options.success_url,
          due_at
        }),
        createdEvent(outbox, row, moved)
      )
      const reply = shown(row)
      return { _tag: "Write", result: reply, claim, response: reply }
    }
  } satisfies RulesOf<typeof acceptPayment, AcceptFacts>
})

/** Handles `acceptPayment`. */
export const acceptPaymentHandler = handleAct(acceptPayment, rules)

/** The members of a new payment that later steps set. */
const untouched = {
  status: "link_pending",
  payment_link_url: null,
  pix_copy_paste: null,
  pix_qr_code_base64: null,
  provider_payment_id: null,
  provider_approval_id: null,
  provider_metadata: null,
  completion_state: "held",
  link_generated_at: null,
  approval_requested_at: null,
  approved_at: null,
  paid_at: null,
  failed_at: null,
  expired_at: null,
  cancelled_at: null,
  cancel_requested_at: null
} as const
