import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { type OperationTraits, Traits } from "../conventions/Access.ts"
import { pathId } from "../conventions/Ids.ts"
import { FeatureDisabled, IdempotencyKeyConflict, InvalidQuery } from "../conventions/SharedErrors.ts"
import { PhoneNumberRead } from "../phone-numbers/PhoneNumber.ts"
import { InvalidPhoneNumberRequest, PlanPhoneLimitReached } from "../phone-numbers/PhoneNumberErrors.ts"
import { CreatePhoneNumberOrder, PhoneNumberOrderRead, ProvisionPhoneNumber } from "./PhoneOrder.ts"
import * as Errors from "./PhoneOrderErrors.ts"

/**
 * One bucket for both routes, which replays use too; requests that break the contract use none. M-ORD-29, M-ORD-30,
 * gaps-2 K "Rate bucket details"
 */
const ordering: OperationTraits = {
  scopes: ["phone_numbers:write"],
  rate: "phone_provision",
  bodyBeforeRate: true,
  validation: InvalidPhoneNumberRequest.code,
  idempotency: "optional",
  capability: "phone_provisioning",
  restrictedWithoutCredit: true
}

const refusals = [
  InvalidPhoneNumberRequest.wire,
  FeatureDisabled.wire,
  Errors.KycRequired.wire,
  Errors.KycPending.wire,
  Errors.BillingWhatsappRequired.wire,
  PlanPhoneLimitReached.wire,
  IdempotencyKeyConflict.wire,
  Errors.PhoneNumberRentalPreviewUnavailable.wire
] as const

/** Routes for renting numbers: a key orders, people decide. M-ORD, M-PHN-45..48, gaps-2 K */
export class PhoneOrdersApi extends HttpApiGroup.make("phoneOrders")
  .annotate(OpenApi.Identifier, "phoneNumbers.orders")
  .add(
    HttpApiEndpoint.post("provision", "/provision", {
      payload: ProvisionPhoneNumber,
      success: PhoneNumberRead.pipe(HttpApiSchema.status(202)),
      error: [...refusals, Errors.PhoneNumberRentalApprovalRequired.wire]
    })
      .annotate(Traits, ordering)
      .annotate(OpenApi.Identifier, "phoneNumbers.provision")
      .annotate(OpenApi.Summary, "Rent a number")
      .annotate(
        OpenApi.Description,
        "In the sandbox, creates a simulated number that is active within a second. In production, creates an order instead, and the 409 names the page on which an owner or admin approves it."
      ),
    HttpApiEndpoint.post("create", "/orders", {
      payload: CreatePhoneNumberOrder,
      success: PhoneNumberOrderRead.pipe(HttpApiSchema.status(201)),
      error: refusals
    })
      .annotate(Traits, ordering)
      .annotate(OpenApi.Summary, "Order a number")
      .annotate(
        OpenApi.Description,
        "In production the order waits for an owner or admin, who sees the charges; relay approval_url to one. The decision raises no event: read the order about once a minute. In the sandbox the order is approved immediately and is free."
      ),
    HttpApiEndpoint.get("get", "/orders/:order_id", {
      params: { order_id: pathId("pno") },
      success: PhoneNumberOrderRead,
      error: Errors.PhoneNumberOrderNotFound.wire
    })
      .annotate(Traits, {
        scopes: ["phone_numbers:read"],
        rate: "read",
        validation: InvalidQuery.code,
        restrictedWithoutCredit: true
      })
      .annotate(OpenApi.Summary, "Read an order")
      .annotate(OpenApi.Description, "Returns the order with its current status.")
  )
  .prefix("/v1/phone-numbers")
  .annotate(OpenApi.Title, "Phone number orders")
  .annotate(OpenApi.Description, "Orders of rented numbers, which an owner or admin approves.") {}
