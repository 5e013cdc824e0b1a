import type { ChatCall } from "@carteiro/provider/ChatProvider.ts"
import type { ProviderTemplate, SubmittedTemplate, TemplateProvider } from "@carteiro/provider/TemplateProvider.ts"
import { Effect } from "effect"
import { isSameContent } from "../template/SameContent.ts"

/** The most pages of a list that are read: no account has more templates. */
const mostPages = 200
/** The most pages of the templates of one name, which are its languages. */
const mostPagesOfName = 5

const failed = { _tag: "Failed", error: null } as const

/** Reads the whole list of an account's templates, or of those of a name. */
export const listAll = Effect.fnUntraced(function* (
  provider: TemplateProvider,
  name?: string
): Effect.fn.Return<ChatCall<ReadonlyArray<ProviderTemplate>>> {
  const all: Array<ProviderTemplate> = []
  let after: string | undefined
  for (let page = 0; page < (name === undefined ? mostPages : mostPagesOfName); page++) {
    const answer = yield* provider.list(after, name)
    if (answer._tag !== "Done") return answer
    all.push(...answer.value.templates)
    const { next } = answer.value
    // A repeated cursor would return the same page again and again.
    if (next !== undefined && next === after) return failed
    after = next
    if (after === undefined) return { _tag: "Done", value: all } as const
  }
  return failed
})

/** Finds a template of this name and language in a list. */
export const findNamed = (
  listed: ReadonlyArray<ProviderTemplate>,
  of: { readonly name: string; readonly language: string }
): ProviderTemplate | undefined => listed.find(({ language, name }) => name === of.name && language === of.language)

/**
 * Finds the template that the account already has under the name and language of a submission, with equal content;
 * undefined when the list cannot be read. U-TPL-08
 */
export const findEqual = (
  provider: TemplateProvider,
  submitted: SubmittedTemplate
): Effect.Effect<ProviderTemplate | undefined> =>
  Effect.map(listAll(provider, submitted.name), (listed) => {
    const found = listed._tag === "Done" ? findNamed(listed.value, submitted) : undefined
    const content = found?.content ?? null
    return content !== null && isSameContent(content.components, submitted.components) ? found : undefined
  })
