import { Commit } from "@carteiro/owners/Commit.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { ProjectNotFound } from "@carteiro/schema/conventions/SharedErrors.ts"
import { clean } from "@carteiro/schema/conventions/Text.ts"
import type { DefaultLanguage, Project } from "@carteiro/schema/projects/Project.ts"
import { jsonText } from "@carteiro/tables/StoredJson.ts"
import { Context, Effect, Layer } from "effect"
import { readProject } from "./ProjectRead.ts"
import { ProjectRepo } from "./ProjectRepo.ts"

/** Reads projects for the dashboard, archived ones included, deleted ones not. gaps-1 C, G */
export class ProjectDirectory extends Context.Service<
  ProjectDirectory,
  {
    /** Returns active projects before archived ones, newest first. */
    list(organizationId: string): Effect.Effect<ReadonlyArray<Project>>
    find(organizationId: string, id: string): Effect.Effect<Project | undefined>
    /**
     * Returns the most that a project may spend in a UTC month, in 1/10,000 BRL; null for no limit. gaps-1 N "Monthly
     * spend cap"
     */
    spendCap(organizationId: string, id: string): Effect.Effect<number | null>
    setSpendCap(organizationId: string, id: string, cap: number | null, now: number): Effect.Effect<void, ApiError>
    /**
     * Sets the name, and the settings that the create body does not have. gaps-1 G "Defaults not in the create body"
     */
    configure(
      organizationId: string,
      id: string,
      settings: {
        readonly name?: string
        readonly default_language?: DefaultLanguage
        /** ISO 3166 code of a region in which phone numbers can be read. */
        readonly default_region?: string
        readonly profile?: { readonly [key: string]: unknown }
      },
      now: number
    ): Effect.Effect<Project, ApiError>
  }
>()("@carteiro/runtime/projects/ProjectDirectory") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* ProjectRepo
      const commit = yield* Commit
      const find = (organizationId: string, id: string) =>
        Effect.map(repo.find(organizationId, id), (row) => (row === undefined ? undefined : readProject(row)))
      return ProjectDirectory.of({
        list: (organizationId) => Effect.map(repo.listAll(organizationId), (rows) => rows.map(readProject)),
        find,
        spendCap: (organizationId, id) => repo.spendCap(organizationId, id),
        setSpendCap: (organizationId, id, cap, now) =>
          Effect.asVoid(commit.write([repo.cap(organizationId, id, cap, now)])),
        configure: Effect.fnUntraced(function* (organizationId, id, settings, now) {
          const { default_language, default_region, name, profile } = settings
          const before = yield* repo.find(organizationId, id)
          if (before === undefined) return yield* new ProjectNotFound()
          const next = {
            name: name === undefined ? before.name : clean(name),
            default_language: default_language ?? before.default_language,
            default_region: default_region ?? before.default_region,
            profile: profile === undefined ? before.profile : jsonText(profile)
          }
          yield* commit.write([repo.configure(organizationId, id, next, now)])
          return (yield* find(organizationId, id)) ?? (yield* new ProjectNotFound())
        })
      })
    })
  )
}
