import { Layer } from "effect"
import { CallerRepo } from "../access/Access.ts"
import * as PhoneNumbers from "../phone-numbers/PhoneNumbers.ts"
import { SandboxHttp } from "./SandboxHttp.ts"

export { QuickstartTemplates } from "./QuickstartTemplates.ts"

/** Routes of the room; what they simulate is done by the owners of room messages. */
export const layer = SandboxHttp.pipe(Layer.provide(Layer.merge(CallerRepo.layer, PhoneNumbers.layer)))
