import { Ids, parseId } from "@carteiro/owners/Ids.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { storedComponents } from "@carteiro/schema/templates/TemplateComponents.ts"
import { TemplateNotFound } from "@carteiro/schema/templates/TemplateErrors.ts"
import { Effect, Layer } from "effect"
import { TemplateCommands } from "./TemplateCommands.ts"
import { makeTemplateImports } from "./TemplateImports.ts"
import { TemplatesEntity } from "./TemplatesEntity.ts"

export const templateCommandsLayer = Layer.effect(
  TemplateCommands,
  Effect.gen(function* () {
    const owners = yield* TemplatesEntity.client
    const ids = yield* Ids
    const importAll = yield* makeTemplateImports
    return TemplateCommands.of({
      create: ({ claim, environment, environment_id, now, trace_id }, body) =>
        owners.Create(environment_id, {
          trace_id,
          claim,
          id: ids.mint("tpl", now),
          version_id: ids.mint("tplv", now),
          environment,
          name: body.name,
          language: body.language,
          category: body.category,
          parameter_format: body.parameter_format ?? "POSITIONAL",
          components: storedComponents(body.components)
        }),
      update: ({ environment_id, now, trace_id }, id, { category, components, parameter_format }) =>
        known(
          { id },
          owners.Update(environment_id, {
            trace_id,
            id,
            version_id: ids.mint("tplv", now),
            category,
            parameter_format,
            components: components === undefined ? undefined : storedComponents(components)
          })
        ),
      importAll,
      submit: (environmentId, item) => known(item, owners.Submit(environmentId, item)),
      remove: (environmentId, item) => known(item, owners.Delete(environmentId, item))
    })
  })
)

/** Refuses a text that is not a template's id without a call to an owner. */
const known = <A>({ id }: { readonly id: string }, call: Effect.Effect<A, ApiError>): Effect.Effect<A, ApiError> =>
  parseId("tpl", id) ? call : Effect.fail(new TemplateNotFound())
