import type { OperationReply } from "@carteiro/http-edge/Reply.ts"
import type { Claim } from "@carteiro/owners/Idempotency.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { CreateTemplate, Template, UpdateTemplate } from "@carteiro/schema/templates/Template.ts"
import { Context, type Effect } from "effect"
import type { OneItem, StoredResponse } from "./TemplateItems.ts"

/** The environment that a call is about, and what its commit is told. */
export interface TemplateCall {
  readonly environment: EnvironmentKind
  readonly environment_id: string
  readonly trace_id: string
  readonly claim: Claim | undefined
  /** Epoch milliseconds. */
  readonly now: number
}

/** Commands of API callers and of the dashboard that change one template. gaps-2 G "Template routes" */
export class TemplateCommands extends Context.Service<
  TemplateCommands,
  {
    /** Makes a template as a draft. */
    create(call: TemplateCall, body: CreateTemplate): OperationReply<Template>
    /** Changes a template; a version that was reviewed stays, and a new draft begins. */
    update(call: TemplateCall, id: string, body: UpdateTemplate): Effect.Effect<StoredResponse, ApiError>
    /** Submits a template for review. */
    submit(environmentId: string, item: typeof OneItem.Type): Effect.Effect<StoredResponse, ApiError>
    /** Imports the approved templates that the environment's account already has. U-TPL-08 */
    importAll(call: TemplateCall): Effect.Effect<StoredResponse, ApiError>
    /** Removes a template, and removes it at a provider that knows it. */
    remove(environmentId: string, item: typeof OneItem.Type): Effect.Effect<StoredResponse, ApiError>
  }
>()("@carteiro/runtime/templates/review/TemplateCommands") {}
