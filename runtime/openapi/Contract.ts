import { Api } from "@carteiro/schema/Api.ts"
import { eventCatalog } from "@carteiro/schema/webhooks/EventCatalog.ts"
import { describe } from "./description/Description.ts"

/** The description of the contract as the code has it now. */
export const currentDescription = (): string => `${JSON.stringify(describe(Api, eventCatalog), null, 2)}\n`
