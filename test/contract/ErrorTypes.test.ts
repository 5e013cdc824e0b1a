import { globSync } from "node:fs"
import { join } from "node:path"
import type { ApiErrorSpec } from "@carteiro/schema/conventions/ApiError.ts"
import { assert, it } from "@effect/vitest"

const schema = join(import.meta.dirname, "../../schema")

interface Refusal extends ApiErrorSpec {
  readonly code: string
}

/** Every class of refusals the contract declares. */
const refusals: ReadonlyArray<Refusal> = (
  await Promise.all(globSync(`${schema}/**/*Errors.ts`).map((path) => import(path) as Promise<Record<string, unknown>>))
).flatMap((module) =>
  Object.values(module).flatMap((one) => {
    const { code, spec } = one as { readonly code?: string; readonly spec?: ApiErrorSpec }
    return code === undefined || spec === undefined ? [] : [{ code, ...spec }]
  })
)

/** gaps-1 A "error.type for each shared code", as far as classes name them; status as the documents state it. */
const table: ReadonlyArray<readonly [type: string, ReadonlyArray<readonly [status: number, codes: string]>]> = [
  [
    "validation_error",
    [
      [
        400,
        `invalid_cursor invalid_query invalid_device_authorization_request invalid_api_key_request invalid_project_body
        invalid_feedback_report_request invalid_webhook_endpoint_request invalid_webhook_events_query
        invalid_webhook_listen_session_request invalid_bulk_webhook_resend invalid_idempotency_key
        missing_idempotency_key idempotency_key_required unsafe_webhook_url invalid_device_code device_code_expired
        webhook_listen_session_required webhook_listen_session_production_only invalid_request_logs_query`
      ],
      [413, "payload_too_large"]
    ]
  ],
  ["authentication_error", [[401, "authentication_error"]]],
  ["payment_required", [[402, "credit_balance_exhausted"]]],
  [
    "authorization_error",
    [[403, "insufficient_scope organization_suspended feature_disabled phone_service_suspended authorization_denied"]]
  ],
  [
    "not_found",
    [
      [
        404,
        `route_not_found project_not_found organization_not_found api_key_not_found feedback_report_not_found
        webhook_endpoint_not_found webhook_event_not_found webhook_listen_session_not_found request_log_not_found`
      ]
    ]
  ],
  [
    "conflict",
    [
      [
        409,
        `project_slug_taken project_limit_reached api_key_limit_reached api_key_not_active webhook_endpoint_disabled
        webhook_endpoint_limit_reached webhook_test_not_resendable webhook_event_payload_unavailable
        webhook_listen_session_active_exists webhook_listen_session_not_active`
      ]
    ]
  ],
  ["idempotency_conflict", [[409, "idempotency_key_conflict idempotency_key_in_progress"]]],
  ["rate_limited", [[429, "rate_limited slow_down"]]],
  ["service_unavailable", [[503, "service_unavailable"]]],
  ["internal_error", [[500, "internal_error"]]]
]

/** Errors, categories: what each status may have for a type. */
const categories: Readonly<Record<number, ReadonlyArray<string>>> = {
  400: ["validation_error"],
  401: ["authentication_error"],
  402: ["payment_required"],
  403: ["authorization_error"],
  404: ["not_found"],
  409: ["conflict", "idempotency_conflict"],
  413: ["validation_error"],
  422: ["validation_error"],
  429: ["rate_limited"],
  500: ["internal_error"],
  502: ["provider_error"],
  503: ["service_unavailable", "internal_error"]
}

it("each code of document 1 has the status and type of the contract A-ERR-08..16 A-ERR-18", () => {
  for (const [type, rows] of table) {
    for (const [status, codes] of rows) {
      for (const code of codes.split(/\s+/)) {
        const declared = refusals.filter((one) => one.code === code)
        assert.isNotEmpty(declared, code)
        for (const one of declared) assert.deepStrictEqual([one.status, one.type], [status, type], code)
      }
    }
  }
})

it("no code of any document leaves its status's category A-ERR-08..18", () => {
  assert.isAbove(refusals.length, 60)
  for (const { code, status, type } of refusals) assert.include(categories[status] ?? [], type, code)
})

it("a failure recorded on a group is shown by reads and refuses no request C-ERR-08", () => {
  assert.notInclude(
    refusals.map(({ code }) => code),
    "group_provider_rejected"
  )
})

it("only faults, fees, rentals, plans, recipient guards and targets of quotes and reactions point to feedback A-ERR-33 A-ERR-34 A-ERR-35..37 M-GRD-20 C-ERR-14 C-ERR-15", () => {
  const pointing = new Set(refusals.filter(({ feedback }) => feedback === true).map(({ code }) => code))
  assert.deepStrictEqual([...pointing].sort(), [
    "insufficient_balance",
    "internal_error",
    "message_not_found",
    "payment_cancellation_unsupported",
    "payment_fee_pricing_unavailable",
    "payment_method_required",
    "phone_number_rental_approval_required",
    "phone_number_rental_preview_unavailable",
    "reaction_target_expired",
    "reaction_target_invalid",
    "reaction_target_unavailable",
    "recipient_cadence_policy_unavailable",
    "recipient_duplicate_message",
    "recipient_frequency_capped",
    "reply_target_unavailable",
    "subscription_not_found"
  ])
  assert.deepStrictEqual(
    refusals.filter(({ retryable }) => retryable !== undefined).map(({ code, retryable }) => [code, retryable]),
    [["credit_balance_exhausted", false]]
  )
})
