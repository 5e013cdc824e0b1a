import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { type OperationTraits, Traits } from "../conventions/Access.ts"
import { pathId, TraceId } from "../conventions/Ids.ts"
import { InsufficientScope } from "../conventions/SharedErrors.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { InvalidPhoneNumberRequest, PhoneNumberNotFound } from "./PhoneNumberErrors.ts"

/** The registration of a number at the chat platform. U-CON-03 */
export const NumberRegistration = Schema.Struct({
  state: Schema.Literals(["required", "registered", "pin_required", "refused"]),
  /** Owners see it; null while the platform holds one that this service does not know. */
  pin: Schema.NullOr(Schema.String),
  /** The platform's reason for a refusal. */
  problem: Schema.NullOr(Schema.String),
  tried_at: Schema.NullOr(Timestamp)
})
export type NumberRegistration = typeof NumberRegistration.Type

const traits: OperationTraits = {
  authentication: "person",
  scopes: ["phone_numbers:read"],
  rate: "read",
  validation: InvalidPhoneNumberRequest.code
}
const params = { phone_number_id: pathId("pn") }

/** What people see and do of numbers beside the API: portfolio, registration and its PIN. U-CON-03, U-LIM-01, decision 0155 */
export class NumberDetailsApi extends HttpApiGroup.make("numberDetails")
  .add(
    /** The oldest active number: the one that a customer writes to. */
    HttpApiEndpoint.get("firstActive", "/first-active", {
      success: Schema.Struct({
        object: Schema.Literal("first_active_number"),
        number: Schema.NullOr(
          Schema.Struct({
            id: Schema.String,
            phone: Schema.NullOr(Schema.String),
            display_name: Schema.NullOr(Schema.String)
          })
        ),
        trace_id: TraceId
      })
    }).annotate(Traits, traits),
    HttpApiEndpoint.get("get", "/:phone_number_id", {
      params,
      success: Schema.Struct({
        object: Schema.Literal("phone_number_details"),
        id: Schema.String,
        /** All numbers of a portfolio share one allowance; null while it is unknown. */
        portfolio_id: Schema.NullOr(Schema.String),
        /** Null for a number that is not registered by this service. */
        registration: Schema.NullOr(NumberRegistration),
        trace_id: TraceId
      }),
      error: PhoneNumberNotFound.wire
    }).annotate(Traits, traits),
    /** Stores the PIN that an owner enters; `is_entered` is false for a number that waits for none. */
    HttpApiEndpoint.post("enterPin", "/:phone_number_id/pin", {
      params,
      payload: Schema.Struct({ pin: Schema.String.check(Schema.isPattern(/^\d{6}$/u)) }),
      success: Schema.Struct({
        object: Schema.Literal("phone_number_pin"),
        is_entered: Schema.Boolean,
        trace_id: TraceId
      }),
      error: InsufficientScope.wire
    }).annotate(Traits, { ...traits, scopes: ["phone_numbers:write"], rate: "write" })
  )
  .prefix("/people/phone-numbers") {}
