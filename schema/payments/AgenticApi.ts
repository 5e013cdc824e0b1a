import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { type OperationTraits, Traits } from "../conventions/Access.ts"
import { pathId } from "../conventions/Ids.ts"
import { pageOf, pageQuery } from "../conventions/Page.ts"
import { FeatureDisabled, IdempotencyKeyConflict, InvalidCursor, ProviderError } from "../conventions/SharedErrors.ts"
import { strictStruct } from "../conventions/StrictStruct.ts"
import { SpendLimitExceeded } from "../messages/MessageErrors.ts"
import {
  AgenticAuthorization,
  AgenticBank,
  CreateAuthorization,
  listAuthorizationsQuery
} from "./AgenticAuthorization.ts"
import { AgenticPayment, CreateAgenticPayment } from "./AgenticPayment.ts"
import {
  AgenticAuthorizationNotActive,
  AgenticAuthorizationNotFound,
  AgenticBankNotFound,
  AgenticConnectionRequired,
  AgenticPaymentNotFound,
  InsufficientPaymentBalance,
  InvalidPaymentRequest,
  InvalidPaymentsQuery,
  PaymentFeePricingUnavailable
} from "./PaymentErrors.ts"

const listRoute: OperationTraits = {
  scopes: ["payments:read"],
  rate: "read",
  validation: InvalidPaymentsQuery.code,
  strictQuery: true
}
const readRoute: OperationTraits = { ...listRoute, strictQuery: false }
const writeRoute: OperationTraits = {
  scopes: ["payments:write"],
  rate: "write",
  validation: InvalidPaymentRequest.code,
  idempotency: "optional",
  strictBody: true,
  restrictedWithoutCredit: true
}
const createRoute: OperationTraits = { ...writeRoute, capability: "payments" }

const authorizationParams = { authorization_id: pathId("aga") }

/** Body of the revoke route. gaps-3 C "Agentic authorizations" */
const Empty = strictStruct({}).annotate({ identifier: "RevokeAgenticAuthorization", examples: [{}] })

/**
 * Routes of payments that agents make under authorizations of bank customers, apart from payment requests. C-AGT-01,
 * C-PAY-33
 */
export class AgenticApi extends HttpApiGroup.make("agentic")
  .add(
    HttpApiEndpoint.get("banks", "/banks", {
      query: pageQuery(),
      success: pageOf(AgenticBank),
      error: [InvalidPaymentsQuery.wire, InvalidCursor.wire, AgenticConnectionRequired.wire, ProviderError.wire]
    })
      // It calls the provider with the credentials of the connection.
      .annotate(Traits, { ...listRoute, mayLag: false })
      .annotate(OpenApi.Identifier, "agentic.banks.list")
      .annotate(OpenApi.Summary, "List banks")
      .annotate(
        OpenApi.Description,
        "Banks whose customers can authorize payments, by name. In production the list comes from the connected provider and may be an hour old."
      ),
    HttpApiEndpoint.post("createAuthorization", "/authorizations", {
      payload: CreateAuthorization,
      success: AgenticAuthorization.pipe(HttpApiSchema.status(201)),
      error: [
        InvalidPaymentRequest.wire,
        FeatureDisabled.wire,
        AgenticConnectionRequired.wire,
        AgenticBankNotFound.wire,
        ProviderError.wire,
        IdempotencyKeyConflict.wire
      ]
    })
      .annotate(Traits, { ...createRoute, warning: "tax_id_check_digits" })
      .annotate(OpenApi.Identifier, "agentic.authorizations.create")
      .annotate(OpenApi.Summary, "Create an authorization")
      .annotate(
        OpenApi.Description,
        "Asks a bank's customer to let you take payments up to an amount each. It is pending until the customer decides at authorization_url, for 30 minutes at most."
      ),
    HttpApiEndpoint.get("listAuthorizations", "/authorizations", {
      query: listAuthorizationsQuery,
      success: pageOf(AgenticAuthorization),
      error: [InvalidPaymentsQuery.wire, InvalidCursor.wire]
    })
      .annotate(Traits, listRoute)
      .annotate(OpenApi.Identifier, "agentic.authorizations.list")
      .annotate(OpenApi.Summary, "List authorizations")
      .annotate(OpenApi.Description, "Authorizations of the calling key's environment, newest first."),
    HttpApiEndpoint.get("getAuthorization", "/authorizations/:authorization_id", {
      params: authorizationParams,
      success: AgenticAuthorization,
      error: AgenticAuthorizationNotFound.wire
    })
      .annotate(Traits, readRoute)
      .annotate(OpenApi.Identifier, "agentic.authorizations.get")
      .annotate(OpenApi.Summary, "Read an authorization")
      .annotate(OpenApi.Description, "Returns the authorization with its status; it raises no events."),
    HttpApiEndpoint.post("revokeAuthorization", "/authorizations/:authorization_id/revoke", {
      params: authorizationParams,
      payload: Empty,
      success: AgenticAuthorization,
      error: [InvalidPaymentRequest.wire, AgenticAuthorizationNotFound.wire, IdempotencyKeyConflict.wire]
    })
      .annotate(Traits, writeRoute)
      .annotate(OpenApi.Identifier, "agentic.authorizations.revoke")
      .annotate(OpenApi.Summary, "Revoke an authorization")
      .annotate(
        OpenApi.Description,
        "The authorization accepts no further payments. A rejected, expired or revoked authorization is returned unchanged."
      ),
    HttpApiEndpoint.post("createPayment", "/payments", {
      payload: CreateAgenticPayment,
      success: AgenticPayment.pipe(HttpApiSchema.status(201)),
      error: [
        InvalidPaymentRequest.wire,
        FeatureDisabled.wire,
        SpendLimitExceeded.wire,
        PaymentFeePricingUnavailable.wire,
        InsufficientPaymentBalance.wire,
        AgenticAuthorizationNotFound.wire,
        AgenticAuthorizationNotActive.wire,
        AgenticConnectionRequired.wire,
        IdempotencyKeyConflict.wire
      ]
    })
      .annotate(Traits, createRoute)
      .annotate(OpenApi.Identifier, "agentic.payments.create")
      .annotate(OpenApi.Summary, "Create an agentic payment")
      .annotate(
        OpenApi.Description,
        "Collects an amount under an authorization. The initiation fee is charged now and the completion fee is held until the outcome; read the payment for the outcome."
      ),
    HttpApiEndpoint.get("listPayments", "/payments", {
      query: pageQuery(),
      success: pageOf(AgenticPayment),
      error: [InvalidPaymentsQuery.wire, InvalidCursor.wire]
    })
      .annotate(Traits, listRoute)
      .annotate(OpenApi.Identifier, "agentic.payments.list")
      .annotate(OpenApi.Summary, "List agentic payments")
      .annotate(OpenApi.Description, "Agentic payments of the calling key's environment, newest first."),
    HttpApiEndpoint.get("getPayment", "/payments/:payment_id", {
      params: { payment_id: pathId("agp") },
      success: AgenticPayment,
      error: AgenticPaymentNotFound.wire
    })
      .annotate(Traits, readRoute)
      .annotate(OpenApi.Identifier, "agentic.payments.get")
      .annotate(OpenApi.Summary, "Read an agentic payment")
      .annotate(
        OpenApi.Description,
        "Returns the payment with its outcome and the state of its fees; it raises no events."
      )
  )
  .prefix("/v1/agentic")
  .annotate(OpenApi.Title, "Agentic payments")
  .annotate(OpenApi.Description, "Payments that an agent makes under a bank customer's authorization.") {}
