import { Ids } from "@carteiro/owners/Ids.ts"
import { ConnectedTemplates, type ProviderTemplate } from "@carteiro/provider/TemplateProvider.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { ProviderError } from "@carteiro/schema/conventions/SharedErrors.ts"
import { TemplateName } from "@carteiro/schema/templates/Template.ts"
import { TemplateProviderConnectionRequired } from "@carteiro/schema/templates/TemplateErrors.ts"
import { Effect, Schema } from "effect"
import { TemplateRepo } from "../template/TemplateRepo.ts"
import { listAll } from "./AccountTemplates.ts"
import type { TemplateCall } from "./TemplateCommands.ts"
import type * as Items from "./TemplateItems.ts"
import { TemplatesEntity } from "./TemplatesEntity.ts"

/** The most templates that one import takes: they are one commit and one answer. */
const mostImported = 500

/**
 * Makes the import of the templates that an environment's account already has approved. The provider's list is read
 * here, beside the owner, which decides on the templates of it that are not here yet. U-TPL-08
 */
export const makeTemplateImports = Effect.gen(function* () {
  const connected = yield* ConnectedTemplates
  const owners = yield* TemplatesEntity.client
  const repo = yield* TemplateRepo
  const ids = yield* Ids

  const listed = Effect.fnUntraced(function* (
    environmentId: string
  ): Effect.fn.Return<ReadonlyArray<ProviderTemplate>, ApiError> {
    const account = yield* connected(environmentId)
    if (account === undefined) return yield* new TemplateProviderConnectionRequired()
    const answer = yield* listAll(account.provider)
    return answer._tag === "Done" ? answer.value : yield* new ProviderError()
  })

  return Effect.fnUntraced(function* (call: TemplateCall): Effect.fn.Return<Items.StoredResponse, ApiError> {
    const { claim, environment, environment_id, now, trace_id } = call
    const all = environment === "sandbox" ? [] : yield* listed(environment_id)
    const taken = all.length === 0 ? new Set<string>() : yield* repo.names(environment_id)
    const templates = all
      .flatMap((template) => sendableTemplate(template) ?? [])
      .filter(({ language, name }) => !taken.has(`${name} ${language}`))
      .slice(0, mostImported)
      .map((template) => ({ ...template, id: ids.mint("tpl", now), version_id: ids.mint("tplv", now) }))
    return yield* owners.Import(environment_id, {
      trace_id,
      claim,
      environment,
      templates,
      left_out: all.length - templates.length
    })
  })
})

const isName = Schema.is(TemplateName)
/** The longest language that a send names. M-MSG-26 */
const longestLanguage = 16

/** Returns the parts of an approved template that can be sent from here; undefined for any other one. */
const sendableTemplate = (
  template: ProviderTemplate
): Omit<Items.ImportedTemplate, "id" | "version_id"> | undefined => {
  const { category, content, language, name, provider_template_id, quality, status } = template
  if (status !== "approved" || category === null || content === null) return undefined
  if (!isName(name) || language.length > longestLanguage) return undefined
  return { name, language, category, ...content, provider_template_id, provider_quality: quality ?? "unknown" }
}
