import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, type Effect } from "effect"
import type { Answered, OneItem } from "./TemplateItems.ts"

/** Commands of API callers and of the dashboard that change one template. gaps-2 G "Template routes" */
export class TemplateCommands extends Context.Service<
  TemplateCommands,
  {
    /** Submits a template for review. */
    submit(environmentId: string, item: typeof OneItem.Type): Effect.Effect<typeof Answered.Type, ApiError>
    /** Removes a template, and removes it at a provider that knows it. */
    remove(environmentId: string, item: typeof OneItem.Type): Effect.Effect<typeof Answered.Type, ApiError>
  }
>()("@carteiro/runtime/templates/review/TemplateCommands") {}
