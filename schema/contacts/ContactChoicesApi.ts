import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Traits } from "../conventions/Access.ts"
import { pathId } from "../conventions/Ids.ts"
import { rowsOf } from "../conventions/Page.ts"
import { InvalidQuery } from "../conventions/SharedErrors.ts"
import { ConsentEvent } from "./Contact.ts"

/** Every choice of a contact, oldest first; none of a contact that is not there. gaps-2 I "Export", decision 0155 */
export class ContactChoicesApi extends HttpApiGroup.make("contactChoices")
  .add(
    HttpApiEndpoint.get("list", "/:contact_id/choices", {
      params: { contact_id: pathId("con") },
      success: rowsOf(ConsentEvent)
    }).annotate(Traits, {
      authentication: "person",
      scopes: ["contacts:read"],
      rate: "read",
      validation: InvalidQuery.code
    })
  )
  .prefix("/people/contacts") {}
