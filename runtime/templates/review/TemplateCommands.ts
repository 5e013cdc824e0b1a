import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, type Effect } from "effect"
import type { Answered, OneItem } from "./TemplateItems.ts"

/** Commands of callers and of people that change one template. gaps-2 G "Template routes" */
export class TemplateCommands extends Context.Service<
  TemplateCommands,
  {
    /** Hands it in for review. */
    submit(environmentId: string, item: typeof OneItem.Type): Effect.Effect<typeof Answered.Type, ApiError>
    /** Removes it here, and at its provider where it is known there. */
    remove(environmentId: string, item: typeof OneItem.Type): Effect.Effect<typeof Answered.Type, ApiError>
  }
>()("@carteiro/runtime/templates/review/TemplateCommands") {}
