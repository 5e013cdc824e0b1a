import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Traits } from "../conventions/Access.ts"
import { rowsOf } from "../conventions/Page.ts"
import { InvalidQuery } from "../conventions/SharedErrors.ts"
import { PhoneManagementCoverage, PhoneManagementSummary } from "./PhoneManagement.ts"

/** The months of an environment's imported numbers, all in one answer. C-PMGT-01..25, decision 0155 */
export class PhoneCoverageApi extends HttpApiGroup.make("phoneCoverage")
  .add(
    HttpApiEndpoint.get("all", "/", {
      success: Schema.Struct({ ...rowsOf(PhoneManagementCoverage).fields, summary: PhoneManagementSummary })
    }).annotate(Traits, {
      authentication: "person",
      scopes: ["billing:read"],
      rate: "read",
      validation: InvalidQuery.code
    })
  )
  .prefix("/people/phone-months") {}
