import type { TemplateComponent } from "@carteiro/schema/templates/TemplateComponents.ts"
import { Context, Effect } from "effect"
import type { ChatFile } from "./ChatContent.ts"
import type { ChatCall } from "./ChatProvider.ts"

/** A template to submit for review; `components` in the contract's spelling. */
export interface SubmittedTemplate {
  readonly name: string
  readonly language: string
  readonly category: "marketing" | "utility" | "authentication"
  readonly parameter_format: "POSITIONAL" | "NAMED"
  readonly components: ReadonlyArray<TemplateComponent>
}

/** The state of a review at the provider, in the product's terms. */
export type ReviewStatus = "submitted" | "approved" | "rejected" | "paused" | "disabled"

/** A template in the provider's list; null for what the provider's answer leaves out. U-TPL-05 */
export interface ProviderTemplate {
  readonly provider_template_id: string
  readonly name: string
  readonly language: string
  readonly status: ReviewStatus | null
  readonly category: SubmittedTemplate["category"] | null
  readonly rejection_reason: string | null
  readonly quality: "green" | "yellow" | "red" | "unknown" | null
  /** Null where the answer leaves it out, and for a template with parts that the contract does not have. U-TPL-08 */
  readonly content: TemplateContent | null
}

/** The parts of a template in the contract's spelling, without examples of files, which only the provider keeps. */
export type TemplateContent = Pick<SubmittedTemplate, "components" | "parameter_format">

/** One page of the provider's list; `next` is undefined at its end. */
export interface ProviderTemplatePage {
  readonly templates: ReadonlyArray<ProviderTemplate>
  readonly next: string | undefined
}

/** Port to the templates of one business account. */
export interface TemplateProvider {
  readonly submit: (
    template: SubmittedTemplate
  ) => Effect.Effect<
    ChatCall<Pick<ProviderTemplate, "category" | "provider_template_id"> & { readonly status: ReviewStatus }>
  >
  /** Submits a changed version of a known template. */
  readonly change: (
    provider_template_id: string,
    template: Pick<SubmittedTemplate, "category" | "components" | "parameter_format">
  ) => Effect.Effect<ChatCall<void>>
  /** Uploads the file that a media header shows to the reviewer; its handle is the header's example. U-TPL-01 */
  readonly uploadExample: (
    file: Extract<ChatFile, { readonly _tag: "Bytes" }>
  ) => Effect.Effect<ChatCall<{ readonly header_handle: string }>>
  /** Removes one language of a template. The platform takes a name without an id as all its languages. */
  readonly remove: (name: string, provider_template_id: string) => Effect.Effect<ChatCall<void>>
  /** Returns one page of the account's templates, or of those of a name, without those that are being deleted. */
  readonly list: (after: string | undefined, name?: string) => Effect.Effect<ChatCall<ProviderTemplatePage>>
}

/** The business account of an environment's templates, and its port. */
export interface ConnectedAccount<A> {
  readonly biz_account_id: string
  readonly provider: A
}

/** Returns the connected account of an environment; undefined when it has none. gaps-2 E "Choice of connection" */
export const ConnectedTemplates = Context.Reference<
  (environment_id: string) => Effect.Effect<ConnectedAccount<TemplateProvider> | undefined>
>("@carteiro/provider/ConnectedTemplates", { defaultValue: () => () => Effect.succeed(undefined) })
