import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { type OperationTraits, Traits } from "../conventions/Access.ts"
import { pathId } from "../conventions/Ids.ts"
import { FeatureDisabled, IdempotencyKeyConflict, InvalidQuery } from "../conventions/SharedErrors.ts"
import { PhoneNumberRead } from "../phone-numbers/PhoneNumber.ts"
import { InvalidPhoneNumberRequest, PlanPhoneLimitReached } from "../phone-numbers/PhoneNumberErrors.ts"
import { CreatePhoneNumberOrder, PhoneNumberOrderRead, ProvisionPhoneNumber } from "./PhoneOrder.ts"
import * as Errors from "./PhoneOrderErrors.ts"

/** One bucket for both, of which replays spend too; what breaks the contract spends nothing. M-ORD-29, M-ORD-30, gaps-2 K "Rate bucket details" */
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

/** Renting numbers: ordered by a key, decided by people. M-ORD, M-PHN-45..48, gaps-2 K */
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
        "In the sandbox a simulated number, active within a second. In production nothing is rented: an order is created, and the 409 tells where an owner or admin approves it."
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
        "In production it waits for an owner or admin, who sees what will be charged; relay approval_url to one. No event tells of the decision: read the order about once a minute. In the sandbox it is approved at once and free."
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
      .annotate(OpenApi.Description, "Its status is computed now.")
  )
  .prefix("/v1/phone-numbers")
  .annotate(OpenApi.Title, "Phone number orders")
  .annotate(OpenApi.Description, "Numbers that are rented here, once somebody approves.") {}
