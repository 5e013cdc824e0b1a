import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Traits } from "../conventions/Access.ts"
import { pageOf } from "../conventions/Page.ts"
import { InvalidCursor } from "../conventions/SharedErrors.ts"
import { CreditBalance } from "./Balance.ts"
import { InvalidBillingQuery } from "./BillingErrors.ts"
import { listTraits, readTraits } from "./BillingTraits.ts"
import { LedgerEntry, listLedgerQuery } from "./LedgerEntry.ts"

/** Routes of the organization's credit and its movements; open under a credit block. C-BAL-01, C-BAL-14, C-LED-11 */
export class BillingApi extends HttpApiGroup.make("billing")
  .add(
    HttpApiEndpoint.get("balance", "/balance", { success: CreditBalance })
      .annotate(Traits, readTraits)
      .annotate(OpenApi.Summary, "Read the credit balance")
      .annotate(
        OpenApi.Description,
        "The prepaid credit of the organization, also for sandbox keys. The balance excludes held credit; the sum of both is the total credit."
      ),
    HttpApiEndpoint.get("ledger", "/ledger", {
      query: listLedgerQuery,
      success: pageOf(LedgerEntry),
      error: [InvalidBillingQuery.wire, InvalidCursor.wire]
    })
      .annotate(Traits, listTraits)
      .annotate(OpenApi.Summary, "List ledger entries")
      .annotate(
        OpenApi.Description,
        "Every movement of the organization's credit, newest first. Sandbox entries never change the credit and are listed with `environment=sandbox`."
      )
  )
  .prefix("/v1/billing")
  .annotate(OpenApi.Title, "Billing")
  .annotate(OpenApi.Description, "Prepaid credit and its use, plans and cards.") {}
