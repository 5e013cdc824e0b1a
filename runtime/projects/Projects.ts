import { Layer } from "effect"
import { servicesLayer as access } from "../access/Access.ts"
import { ProjectActionsLayer } from "./ProjectActionsLayer.ts"
import { ProjectRepo } from "./ProjectRepo.ts"
import { ProjectsHttp } from "./ProjectsHttp.ts"

export { ProjectActions } from "./ProjectActions.ts"
export { deriveSlug } from "./Slug.ts"

/** Routes of the room and what the dashboard does to projects. */
export const layer = ProjectsHttp.pipe(
  Layer.provideMerge(ProjectActionsLayer),
  Layer.provide(ProjectRepo.layer),
  Layer.provide(access)
)
