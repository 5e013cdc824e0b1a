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

/** An owner is asked of nothing but what could be the id of a template. */
const known = <A>({ id }: { readonly id: string }, call: Effect.Effect<A, ApiError>): Effect.Effect<A, ApiError> =>
  parseId("tpl", id) ? call : Effect.fail(new TemplateNotFound())
