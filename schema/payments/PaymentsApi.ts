import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { SandboxOnlyRoute } from "../access/AccessErrors.ts"
import { type OperationTraits, Traits } from "../conventions/Access.ts"
import { pathId } from "../conventions/Ids.ts"
import { pageOf } from "../conventions/Page.ts"
import { FeatureDisabled, IdempotencyKeyConflict, InvalidCursor } from "../conventions/SharedErrors.ts"
import { strictStruct } from "../conventions/StrictStruct.ts"
import { SpendLimitExceeded } from "../messages/MessageErrors.ts"
import * as Errors from "./PaymentErrors.ts"
import {
  CreatePayment,
  listPaymentsQuery,
  PaymentRequest,
  RequestApproval,
  SetPaymentStatus
} from "./PaymentRequest.ts"

const readRoute: OperationTraits = {
  scopes: ["payments:read"],
  rate: "read",
  validation: Errors.InvalidPaymentsQuery.code
}
/**
 * A cancel may return held credit, so it stays open to callers without credit. gaps-3 A "Credit block in this document"
 */
const cancelRoute: OperationTraits = {
  scopes: ["payments:write"],
  rate: "write",
  validation: Errors.InvalidPaymentRequest.code,
  idempotency: "optional",
  strictBody: true
}
const writeRoute: OperationTraits = { ...cancelRoute, restrictedWithoutCredit: true, capability: "payments" }

const params = { payment_id: pathId("pay") }

/** Body of the cancel route. C-PCAN-02 */
const Empty = strictStruct({}).annotate({ identifier: "CancelPayment", examples: [{}] })

/** Routes of payment requests by a link. C-PAY, C-FEE, C-PCAN */
export class PaymentsApi extends HttpApiGroup.make("payments")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: CreatePayment,
      success: PaymentRequest.pipe(HttpApiSchema.status(201)),
      error: [
        Errors.InvalidPaymentRequest.wire,
        FeatureDisabled.wire,
        SpendLimitExceeded.wire,
        Errors.PaymentFeePricingUnavailable.wire,
        Errors.InsufficientPaymentBalance.wire,
        Errors.PaymentProviderConnectionRequired.wire,
        IdempotencyKeyConflict.wire
      ]
    })
      .annotate(Traits, { ...writeRoute, warning: "tax_id_check_digits" })
      .annotate(OpenApi.Summary, "Create a payment")
      .annotate(
        OpenApi.Description,
        "Accepts a payment. Its link follows in payment.link_generated. The initiation fee is charged now and the completion fee is held until the outcome."
      ),
    HttpApiEndpoint.get("list", "/", {
      query: listPaymentsQuery,
      success: pageOf(PaymentRequest),
      error: [Errors.InvalidPaymentsQuery.wire, InvalidCursor.wire]
    })
      .annotate(Traits, { ...readRoute, strictQuery: true })
      .annotate(OpenApi.Summary, "List payments")
      .annotate(OpenApi.Description, "Payments of the calling key's environment, newest first."),
    HttpApiEndpoint.get("get", "/:payment_id", {
      params,
      success: PaymentRequest,
      error: Errors.PaymentNotFound.wire
    })
      .annotate(Traits, readRoute)
      .annotate(OpenApi.Summary, "Read a payment")
      .annotate(OpenApi.Description, "Returns the payment with its status and the state of its fees."),
    HttpApiEndpoint.post("cancel", "/:payment_id/cancel", {
      params,
      payload: Empty,
      success: PaymentRequest,
      error: [
        Errors.InvalidPaymentRequest.wire,
        Errors.PaymentNotFound.wire,
        Errors.PaymentCancellationUnsupported.wire,
        Errors.PaymentLinkNotReady.wire,
        IdempotencyKeyConflict.wire
      ]
    })
      .annotate(Traits, cancelRoute)
      .annotate(OpenApi.Summary, "Cancel a payment")
      .annotate(
        OpenApi.Description,
        "Asks the provider to cancel the payment, and returns the current payment; it is cancelled once the provider confirms. An ended payment stays unchanged."
      ),
    HttpApiEndpoint.post("requestApproval", "/:payment_id/request-approval", {
      params,
      payload: RequestApproval,
      success: PaymentRequest,
      error: [
        Errors.InvalidPaymentRequest.wire,
        FeatureDisabled.wire,
        Errors.PaymentNotFound.wire,
        Errors.PaymentApprovalUnsupported.wire,
        Errors.PaymentLinkNotReady.wire,
        Errors.PaymentAlreadyTerminal.wire,
        IdempotencyKeyConflict.wire
      ]
    })
      .annotate(Traits, writeRoute)
      .annotate(OpenApi.Summary, "Request an approval")
      .annotate(
        OpenApi.Description,
        "Asks the provider to have the payment approved. A payment with an earlier request is returned unchanged."
      )
  )
  .prefix("/v1/payments")
  .annotate(OpenApi.Title, "Payments")
  .annotate(OpenApi.Description, "Payment requests in BRL by a link or a Pix code.") {}

/** Routes that set the outcome of a sandbox payment. C-PSBX */
export class SandboxPaymentsApi extends HttpApiGroup.make("sandboxPayments")
  .annotate(OpenApi.Identifier, "sandbox.payments")
  .add(
    HttpApiEndpoint.post("setStatus", "/:payment_id/status", {
      params,
      payload: SetPaymentStatus,
      success: PaymentRequest,
      error: [
        SandboxOnlyRoute.wire,
        Errors.InvalidPaymentRequest.wire,
        Errors.PaymentNotFound.wire,
        Errors.PaymentAlreadyTerminal.wire,
        IdempotencyKeyConflict.wire
      ]
    })
      .annotate(Traits, {
        scopes: ["sandbox:write"],
        rate: "write",
        validation: Errors.InvalidPaymentRequest.code,
        idempotency: "optional",
        strictBody: true,
        sandboxOnly: true
      })
      .annotate(OpenApi.Summary, "Set the status of a sandbox payment")
      .annotate(
        OpenApi.Description,
        "Ends a payment with the given status and raises its event, without a call to a provider. Repeating the status changes nothing."
      )
  )
  .prefix("/v1/sandbox/payments")
  .annotate(OpenApi.Title, "Sandbox payments")
  .annotate(OpenApi.Description, "Simulated outcomes of payments.") {}
