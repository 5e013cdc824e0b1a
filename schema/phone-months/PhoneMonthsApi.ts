import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { InvalidBillingQuery } from "../billing/BillingErrors.ts"
import { listTraits } from "../billing/BillingTraits.ts"
import { Traits } from "../conventions/Access.ts"
import { id } from "../conventions/Ids.ts"
import { pageOf, pageQuery } from "../conventions/Page.ts"
import { InvalidCursor } from "../conventions/SharedErrors.ts"
import { PhoneRenewal } from "../phone-numbers/Renewal.ts"
import { PhoneManagementCoverage, PhoneManagementSummary } from "./PhoneManagement.ts"

/** The present month of a rented number. gaps-3 F "Deprecated phone-renewal" */
const PhoneRenewalEntry = Schema.Struct({
  id: id("pn"),
  object: Schema.Literal("phone_renewal"),
  phone_number_id: id("pn"),
  phone: Schema.NullOr(Schema.String).annotate({ description: "The number, in E.164; null until it was delivered." }),
  renewal: Schema.NullOr(PhoneRenewal).annotate({ description: "The renewal as the number itself shows it." })
}).annotate({ identifier: "PhoneRenewalEntry" })

const errors = [InvalidBillingQuery.wire, InvalidCursor.wire] as const

/** Routes of the monthly fees of numbers and their payment. C-PMGT-01..25 */
export class PhoneMonthsApi extends HttpApiGroup.make("phone-months")
  .annotate(OpenApi.Identifier, "billing")
  .add(
    HttpApiEndpoint.get("management", "/phone-management", {
      query: pageQuery(),
      success: Schema.Struct({
        ...pageOf(PhoneManagementCoverage).fields,
        summary: PhoneManagementSummary.annotate({ description: "Totals over all numbers of the environment." })
      }),
      error: errors
    })
      .annotate(Traits, listTraits)
      .annotate(OpenApi.Identifier, "billing.phoneManagement")
      .annotate(OpenApi.Summary, "List the coverage of imported numbers")
      .annotate(
        OpenApi.Description,
        "Numbers imported from your own number-provider account, newest first: the coverage of their management this month, the next charge, and the effect of an unpaid month. Changes nothing."
      ),
    HttpApiEndpoint.get("renewal", "/phone-renewal", {
      query: pageQuery(),
      success: pageOf(PhoneRenewalEntry),
      error: errors
    })
      .annotate(Traits, listTraits)
      .annotate(OpenApi.Deprecated, true)
      .annotate(OpenApi.Identifier, "billing.phoneRenewal")
      .annotate(OpenApi.Summary, "List the renewals of rented numbers")
      .annotate(
        OpenApi.Description,
        "Deprecated: read the numbers themselves, whose `renewal` is equal. Production numbers that the service rents; none for sandbox keys."
      )
  )
  .prefix("/v1/billing")
  .annotate(OpenApi.Title, "Phone months")
  .annotate(OpenApi.Description, "Monthly fees of phone numbers, and the effect of an unpaid month.") {}
