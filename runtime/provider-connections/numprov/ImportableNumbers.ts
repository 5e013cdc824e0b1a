import { parseId } from "@carteiro/owners/Ids.ts"
import * as Errors from "@carteiro/schema/provider-connections/NumprovErrors.ts"
import { ProviderConnectionNotFound } from "@carteiro/schema/provider-connections/ProviderConnectionErrors.ts"
import { Effect, Layer } from "effect"
import { ImportSource } from "../../phone-numbers/PhoneNumbers.ts"
import { NumprovByokEnabled } from "./NumprovActions.ts"
import { NumprovRepo } from "./NumprovRepo.ts"
import { isImportable } from "./NumprovState.ts"
import { takeResource } from "./NumprovWrites.ts"

/**
 * Provides the phone-numbers room with the importable numbers: active numbers of a connected account, listed within the
 * last day. M-IMP-05
 */
export const importableNumbers = Layer.effect(
  ImportSource,
  Effect.gen(function* () {
    const repo = yield* NumprovRepo
    const isActive = yield* NumprovByokEnabled
    return {
      isActive,
      find: Effect.fnUntraced(function* (environment_id, id, provider_number_id, now) {
        const connection = parseId("npc", id) ? yield* repo.find(environment_id, id) : undefined
        if (connection === undefined) return yield* new ProviderConnectionNotFound()
        if (connection.status !== "connected") return yield* new Errors.NumprovConnectionUnavailable()
        const found = yield* repo.resource(environment_id, id, provider_number_id)
        if (found === undefined) return yield* new Errors.NumprovResourceNotFound()
        if (!isImportable(found, now)) return yield* new Errors.NumprovNumberUnavailable()
        const { phone } = found
        const taken = takeResource.row({ environment_id, numprov_connection_id: id, provider_number_id, phone })
        return { phone, rows: [taken] }
      })
    }
  })
)
