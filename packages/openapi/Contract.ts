import { Api } from "@carteiro/schema/Api.ts"
import { eventCatalog } from "@carteiro/schema/webhooks/EventCatalog.ts"
import { describe } from "./description/Description.ts"

/** Returns the description of the contract from the present code. */
export const currentDescription = (): string => `${JSON.stringify(describe(Api, eventCatalog), null, 2)}\n`
