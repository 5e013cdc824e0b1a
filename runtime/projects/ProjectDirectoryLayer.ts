import { ProjectNotFound } from "@carteiro/schema/conventions/SharedErrors.ts"
import { clean } from "@carteiro/schema/conventions/Text.ts"
import { Effect, Layer } from "effect"
import { Commit } from "../platform/commit/Commit.ts"
import { ProjectDirectory } from "./ProjectDirectory.ts"
import { readProject } from "./ProjectRead.ts"
import { ProjectRepo } from "./ProjectRepo.ts"

export const ProjectDirectoryLayer = Layer.effect(
  ProjectDirectory,
  Effect.gen(function* () {
    const repo = yield* ProjectRepo
    const commit = yield* Commit
    const find = (organizationId: string, id: string) =>
      Effect.map(repo.find(organizationId, id), (row) => (row === undefined ? undefined : readProject(row)))
    return ProjectDirectory.of({
      list: (organizationId) => Effect.map(repo.listAll(organizationId), (rows) => rows.map(readProject)),
      find,
      configure: Effect.fnUntraced(function* (organizationId, id, { name, default_language, profile }, now) {
        const before = yield* repo.find(organizationId, id)
        if (before === undefined) return yield* new ProjectNotFound()
        const settings = {
          name: name === undefined ? before.name : clean(name),
          default_language: default_language ?? before.default_language,
          profile: profile === undefined ? before.profile : JSON.stringify(profile)
        }
        yield* commit.write([repo.configure(organizationId, id, settings, now)])
        return (yield* find(organizationId, id)) ?? (yield* new ProjectNotFound())
      })
    })
  })
)
