import { Layer } from "effect"
import { servicesLayer as access } from "../access/Access.ts"
import { ProjectActions } from "./ProjectActions.ts"
import { ProjectDirectory } from "./ProjectDirectory.ts"
import { ProjectRepo } from "./ProjectRepo.ts"
import { ProjectsHttp } from "./ProjectsHttp.ts"

export { ProjectActions } from "./ProjectActions.ts"
export { ProjectDirectory } from "./ProjectDirectory.ts"
export { deriveSlug } from "./Slug.ts"

/** What the dashboard and the operator's commands do to projects. */
export const servicesLayer = Layer.merge(ProjectActions.layer, ProjectDirectory.layer).pipe(
  Layer.provide(ProjectRepo.layer),
  Layer.provide(access)
)

/** Routes and services of the room. */
export const layer = ProjectsHttp.pipe(Layer.provide(ProjectRepo.layer), Layer.provideMerge(servicesLayer))
