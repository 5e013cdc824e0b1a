import { Schema } from "effect"
import { itemFields } from "../message/ItemFields.ts"
import { scenarios } from "../sandbox/SandboxScenario.ts"

/** One send as the edge hands it to the number's owner: decoded, admitted, its phone judged. */
export const AcceptItem = Schema.Struct({
  ...itemFields,
  scenario: Schema.Literals(scenarios),
  reply_to: Schema.UndefinedOr(Schema.String)
})
export type AcceptItem = typeof AcceptItem.Type
