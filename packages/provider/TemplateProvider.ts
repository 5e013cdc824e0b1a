import { Context, Effect } from "effect"
import type { ChatCall } from "./ChatProvider.ts"
import type { MediaProvider } from "./MediaProvider.ts"

/** A template as it is handed in for review; `components` as the contract spells them. */
export interface SubmittedTemplate {
  readonly name: string
  readonly language: string
  readonly category: "marketing" | "utility" | "authentication"
  readonly parameter_format: "POSITIONAL" | "NAMED"
  readonly components: ReadonlyArray<unknown>
}

/** Where a review stands at the provider, in our words. */
export type ReviewStatus = "submitted" | "approved" | "rejected" | "paused" | "disabled"

/** A template as the provider lists it. */
export interface ProviderTemplate {
  readonly provider_template_id: string
  readonly name: string
  readonly language: string
  readonly status: ReviewStatus
  readonly category: SubmittedTemplate["category"] | null
  readonly rejection_reason: string | null
  readonly quality: "green" | "yellow" | "red" | "unknown"
}

/** One page of the provider's list; `next` is undefined at its end. */
export interface ProviderTemplatePage {
  readonly templates: ReadonlyArray<ProviderTemplate>
  readonly next: string | undefined
}

/** Port to the templates of one business account. */
export interface TemplateProvider {
  readonly submit: (
    template: SubmittedTemplate
  ) => Effect.Effect<ChatCall<{ readonly provider_template_id: string; readonly status: ReviewStatus }>>
  /** Hands a changed version of a known template in again. */
  readonly change: (
    provider_template_id: string,
    template: Pick<SubmittedTemplate, "category" | "components" | "parameter_format">
  ) => Effect.Effect<ChatCall<void>>
  /** Removes one language of a template. The platform takes a name without an id to mean all of its languages. */
  readonly remove: (name: string, provider_template_id: string) => Effect.Effect<ChatCall<void>>
  readonly list: (after: string | undefined) => Effect.Effect<ChatCall<ProviderTemplatePage>>
}

/** The account templates are handed in to; `files` takes what their examples show, undefined while it has no number. */
export interface ConnectedReview extends ConnectedAccount<TemplateProvider> {
  readonly files: MediaProvider | undefined
}

/** The business account an environment's templates live in, and who reaches it. */
export interface ConnectedAccount<A> {
  readonly biz_account_id: string
  readonly provider: A
}

/** Finds the connected account of an environment; undefined when it has none. gaps-2 E "Choice of connection" */
export const ConnectedTemplates = Context.Reference<
  (environment_id: string) => Effect.Effect<ConnectedReview | undefined>
>("@carteiro/provider/ConnectedTemplates", { defaultValue: () => () => Effect.succeed(undefined) })
