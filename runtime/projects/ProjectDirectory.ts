import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { DefaultLanguage, Project } from "@carteiro/schema/projects/Project.ts"
import { Context, type Effect } from "effect"

/** Projects as people see them, archived ones included; deleted ones are gone. gaps-1 C, G */
export class ProjectDirectory extends Context.Service<
  ProjectDirectory,
  {
    /** Active ones before archived ones, newest first. */
    list(organizationId: string): Effect.Effect<ReadonlyArray<Project>>
    find(organizationId: string, id: string): Effect.Effect<Project | undefined>
    /** What the create body has no place for, and the name. gaps-1 G "Defaults not in the create body" */
    configure(
      organizationId: string,
      id: string,
      settings: {
        readonly name?: string
        readonly default_language?: DefaultLanguage
        readonly profile?: { readonly [key: string]: unknown }
      },
      now: number
    ): Effect.Effect<Project, ApiError>
  }
>()("@carteiro/runtime/projects/ProjectDirectory") {}
