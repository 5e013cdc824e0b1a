import type { ChatCall } from "@carteiro/provider/ChatProvider.ts"
import { settlesAt } from "@carteiro/provider/RecoverySchedule.ts"
import {
  type ConnectedAccount,
  ConnectedTemplates,
  type ProviderTemplate,
  type SubmittedTemplate,
  type TemplateProvider
} from "@carteiro/provider/TemplateProvider.ts"
import type { MediaKind } from "@carteiro/schema/messages/content/MediaContent.ts"
import type { TemplateComponent } from "@carteiro/schema/templates/TemplateComponents.ts"
import { Clock, Effect } from "effect"
import { isOurFlow, NamedFlows } from "../../flows/Flows.ts"
import { ExampleFiles } from "../../media/Media.ts"
import type { TemplateState } from "../template/TemplateState.ts"
import { findEqual, findNamed, listAll } from "./AccountTemplates.ts"
import type { ListingResult, RemovalResult, SubmissionResult, TakenForReview } from "./Submission.ts"

type Account = ConnectedAccount<TemplateProvider>

const notConnected = { _tag: "NotConnected" } as const
const failed = { _tag: "Failed", error: null } as const

/** The kind of file in a header of each format. */
const kinds: Readonly<Record<string, MediaKind>> = { IMAGE: "image", VIDEO: "video", DOCUMENT: "document" }

/** Returns our file in the example of a media header; undefined when it has the provider's own id, or none. */
const ourFile = ({ example }: TemplateComponent): string | undefined => {
  const [handle] = [example?.header_handle ?? []].flat()
  return handle?.startsWith("mda_") ? handle : undefined
}

/** Makes the provider calls of the owner of an environment's templates. Every failure is a result. gaps-2 E */
export const makeProviderCalls = Effect.gen(function* () {
  const connected = yield* ConnectedTemplates
  const flows = yield* NamedFlows
  const files = yield* ExampleFiles

  const withAccount = <A>(environmentId: string, call: (account: Account) => Effect.Effect<ChatCall<A>>) =>
    Effect.flatMap(
      connected(environmentId),
      (account): Effect.Effect<ChatCall<A> | typeof notConnected> =>
        account === undefined ? Effect.succeed(notConnected) : call(account)
    )
  const withProvider = <A>(environmentId: string, call: (provider: TemplateProvider) => Effect.Effect<ChatCall<A>>) =>
    withAccount(environmentId, ({ provider }) => call(provider))

  /** Replaces our flow ids in buttons by the provider's ids. */
  const withProviderFlows = Effect.fnUntraced(function* (
    environmentId: string,
    components: ReadonlyArray<TemplateComponent>
  ) {
    const ours = ourFlows(components)
    const find = yield* flows.find(environmentId, ours)
    const missing = ours.find((reference) => find(reference)?.provider_flow_id == null)
    if (missing !== undefined) return { missing: missing.flow_id }
    return { components: withFlowIds(components, (flow_id) => find({ flow_id })?.provider_flow_id as string) }
  })

  /** Uploads the file in the example of a media header to the provider, and replaces our id by the provider's. */
  const withProviderFile = Effect.fnUntraced(function* (
    environmentId: string,
    { provider }: Account,
    components: ReadonlyArray<TemplateComponent>
  ): Effect.fn.Return<ChatCall<ReadonlyArray<TemplateComponent>>> {
    const header = components.find((component) => ourFile(component) !== undefined)
    if (header === undefined) return { _tag: "Done", value: components }
    const assetId = ourFile(header) ?? ""
    const opened = yield* files.open(environmentId, assetId, kinds[header.format ?? ""] ?? "document")
    if ("code" in opened) return { _tag: "Refused", code: `${opened.code}: ${assetId}`, error: null }
    const uploaded = yield* provider.uploadExample(opened.file)
    if (uploaded._tag !== "Done") return uploaded
    const header_handle = [uploaded.value.header_handle]
    return {
      _tag: "Done",
      value: components.map((one) => (one === header ? { ...one, example: { ...one.example, header_handle } } : one))
    }
  })

  return {
    submit: (template: TemplateState): Effect.Effect<SubmissionResult> =>
      withAccount<TakenForReview>(template.environment_id, (account) =>
        Effect.gen(function* () {
          const { provider } = account
          const { language, name, newest, provider_template_id } = template
          const resolved = yield* withProviderFlows(template.environment_id, newest.components)
          if (resolved.missing !== undefined) {
            const code = `flow ${resolved.missing} is not published`
            return { _tag: "Refused", code, error: null } as const
          }
          const shown = yield* withProviderFile(template.environment_id, account, resolved.components)
          if (shown._tag !== "Done") return shown
          const { category, parameter_format } = newest
          const submitted = { name, language, category, parameter_format, components: shown.value }
          return yield* provider_template_id === null
            ? submitNew(provider, template, submitted)
            : change(provider, provider_template_id, submitted)
        })
      ),
    remove: (template: TemplateState): Effect.Effect<RemovalResult> =>
      withProvider(template.environment_id, (provider) =>
        template.provider_template_id === null
          ? removeFound(provider, template)
          : provider.remove(template.name, template.provider_template_id)
      ),
    list: (environmentId: string): Effect.Effect<ListingResult> => withProvider(environmentId, listAll)
  }
})

/** Returns our flows that buttons open. */
const ourFlows = (components: ReadonlyArray<TemplateComponent>): ReadonlyArray<{ readonly flow_id: string }> =>
  components.flatMap(({ buttons = [] }) =>
    buttons.flatMap(({ flow_id }) => (flow_id !== undefined && isOurFlow(flow_id) ? [{ flow_id }] : []))
  )

/** Returns the components with the provider's ids in the place of our flows'. */
const withFlowIds = (
  components: ReadonlyArray<TemplateComponent>,
  providerId: (flowId: string) => string
): ReadonlyArray<TemplateComponent> =>
  components.map((component) =>
    component.buttons === undefined
      ? component
      : {
          ...component,
          buttons: component.buttons.map((button) =>
            button.flow_id !== undefined && isOurFlow(button.flow_id)
              ? { ...button, flow_id: providerId(button.flow_id) }
              : button
          )
        }
  )

/** Returns the answer to a submission that a listed template proves. */
const takenFrom = ({ category, provider_template_id, rejection_reason, status }: ProviderTemplate): TakenForReview => ({
  provider_template_id,
  status: status ?? "submitted",
  category,
  rejection_reason
})

/** Submits a template that the provider may have got before. */
const submitNew = (provider: TemplateProvider, template: TemplateState, submitted: SubmittedTemplate) =>
  Effect.gen(function* () {
    // An earlier attempt may have arrived: the provider then has the template under its name.
    if (template.attempts > 1) {
      const listed = yield* listAll(provider)
      if (listed._tag !== "Done") return listed
      const found = findNamed(listed.value, template)
      if (found !== undefined) return { _tag: "Done", value: takenFrom(found) } as const
    }
    const answer = yield* provider.submit(submitted)
    if (answer._tag === "Done") return { _tag: "Done", value: { ...answer.value, rejection_reason: null } } as const
    // The platform refuses a template that the account already has; an equal one is what was asked for.
    const equal = answer._tag === "Refused" ? yield* findEqual(provider, submitted) : undefined
    if (equal !== undefined) return { _tag: "Done", value: takenFrom(equal) } as const
    const now = yield* Clock.currentTimeMillis
    // The refusal of a repeat tells nothing about the earlier attempt, which a list may show late.
    const isOpen = template.attempts > 1 && settlesAt(template.newest.submitted_at ?? now, now) !== undefined
    return answer._tag === "Refused" && isOpen ? ({ _tag: "Failed", error: answer.error } as const) : answer
  })

/** Removes a template whose submission was never answered, once the platform lists it. It may still arrive. */
const removeFound = Effect.fnUntraced(function* (
  provider: TemplateProvider,
  template: TemplateState
): Effect.fn.Return<ChatCall<void>> {
  const listed = yield* listAll(provider)
  if (listed._tag !== "Done") return listed
  const found = findNamed(listed.value, template)
  if (found !== undefined) return yield* provider.remove(found.name, found.provider_template_id)
  const now = yield* Clock.currentTimeMillis
  const isProvenAbsent = settlesAt(template.deleted_at ?? now, now) === undefined
  return isProvenAbsent ? { _tag: "Done", value: undefined } : failed
})

const change = (provider: TemplateProvider, provider_template_id: string, submitted: SubmittedTemplate) =>
  Effect.map(
    provider.change(provider_template_id, submitted),
    (answer): ChatCall<TakenForReview> =>
      answer._tag === "Done"
        ? { _tag: "Done", value: { provider_template_id, status: "submitted", category: null, rejection_reason: null } }
        : answer
  )
