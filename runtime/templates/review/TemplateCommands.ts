import { parseId } from "@carteiro/owners/Ids.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { TemplateNotFound } from "@carteiro/schema/templates/TemplateErrors.ts"
import { Context, Effect, Layer } from "effect"
import type { Answered, OneItem } from "./TemplateItems.ts"
import { TemplatesEntity } from "./TemplatesEntity.ts"

/** What callers and people have done with one template as it is. gaps-2 G "Template routes" */
export class TemplateCommands extends Context.Service<
  TemplateCommands,
  {
    /** Hands it in for review. */
    submit(environmentId: string, item: typeof OneItem.Type): Effect.Effect<typeof Answered.Type, ApiError>
    /** Removes it here, and at its provider where it is known there. */
    remove(environmentId: string, item: typeof OneItem.Type): Effect.Effect<typeof Answered.Type, ApiError>
  }
>()("@carteiro/runtime/templates/review/TemplateCommands") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(TemplatesEntity.client, (owners) =>
      TemplateCommands.of({
        submit: (environmentId, item) => known(item, owners.Submit(environmentId, item)),
        remove: (environmentId, item) => known(item, owners.Delete(environmentId, item))
      })
    )
  )
}

/** An owner is asked of nothing but what could be the id of a template. */
const known = <A>({ id }: { readonly id: string }, call: Effect.Effect<A, ApiError>): Effect.Effect<A, ApiError> =>
  parseId("tpl", id) ? call : Effect.fail(new TemplateNotFound())
