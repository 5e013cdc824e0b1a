import { callingMember } from "@carteiro/http-edge/Admission.ts"
import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { parseId } from "@carteiro/owners/Ids.ts"
import { InsufficientScope } from "@carteiro/schema/conventions/SharedErrors.ts"
import { formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import { NumberDetailsApi } from "@carteiro/schema/phone-numbers/NumberDetailsApi.ts"
import { PhoneNumberNotFound } from "@carteiro/schema/phone-numbers/PhoneNumberErrors.ts"
import { Effect } from "effect"
import { NumberDirectory } from "../number/NumberDirectory.ts"
import { NumberRegistrations } from "../number/NumberRegistrations.ts"

/** Operations of people about numbers. Decision 0155 */
export const NumberDetailsHttp = Routes.group(
  NumberDetailsApi,
  Effect.gen(function* () {
    const numbers = yield* NumberDirectory
    const registrations = yield* NumberRegistrations

    return Routes.handlers(NumberDetailsApi, {
      firstActive: Effect.fnUntraced(function* ({ caller, traceId }) {
        const first = yield* numbers.firstActive(caller.environment_id)
        const number = first === undefined ? null : pick(first)
        return reply({ traceId }, 200, { object: "first_active_number", number })
      }),

      get: Effect.fnUntraced(function* ({ caller, params, traceId }) {
        const id = params.phone_number_id
        const row = parseId("pn", id) ? yield* numbers.read(caller.environment_id, id) : undefined
        if (row === undefined) return yield* new PhoneNumberNotFound()
        const registration = yield* registrations.find(caller.environment_id, id)
        const isOwner = callingMember(caller).role === "owner"
        return reply({ traceId }, 200, {
          object: "phone_number_details",
          id,
          portfolio_id: row.portfolio_id,
          registration:
            registration === undefined
              ? null
              : {
                  ...registration,
                  pin: isOwner ? registration.pin : null,
                  tried_at: formatTimestampOrNull(registration.tried_at)
                }
        })
      }),

      enterPin: Effect.fnUntraced(function* ({ body, caller, params, traceId }) {
        if (callingMember(caller).role !== "owner") {
          return yield* new InsufficientScope({ message: "Only owners of the organization enter a PIN." })
        }
        const id = params.phone_number_id
        const is_entered = parseId("pn", id) && (yield* registrations.enterPin(caller.environment_id, id, body.pin))
        return reply({ traceId }, 200, { object: "phone_number_pin", is_entered })
      })
    })
  })
)

const pick = ({
  display_name,
  id,
  phone
}: {
  readonly id: string
  readonly phone: string | null
  readonly display_name: string | null
}) => ({ id, phone, display_name })
