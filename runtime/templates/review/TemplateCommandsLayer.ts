import { parseId } from "@carteiro/owners/Ids.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { TemplateNotFound } from "@carteiro/schema/templates/TemplateErrors.ts"
import { Effect, Layer } from "effect"
import { TemplateCommands } from "./TemplateCommands.ts"
import { TemplatesEntity } from "./TemplatesEntity.ts"

export const templateCommandsLayer = Layer.effect(
  TemplateCommands,
  Effect.map(TemplatesEntity.client, (owners) =>
    TemplateCommands.of({
      submit: (environmentId, item) => known(item, owners.Submit(environmentId, item)),
      remove: (environmentId, item) => known(item, owners.Delete(environmentId, item))
    })
  )
)

/** Refuses a text that is not a template's id without a call to an owner. */
const known = <A>({ id }: { readonly id: string }, call: Effect.Effect<A, ApiError>): Effect.Effect<A, ApiError> =>
  parseId("tpl", id) ? call : Effect.fail(new TemplateNotFound())
