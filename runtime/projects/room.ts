import { Layer } from "effect"
import { defineRoom } from "../room/Room.ts"
import { OwnProjectsHttp } from "./OwnProjectsHttp.ts"
import { ProjectActions } from "./ProjectActions.ts"
import { ProjectDirectory } from "./ProjectDirectory.ts"
import { ProjectRepo } from "./ProjectRepo.ts"
import { ProjectsHttp } from "./ProjectsHttp.ts"

/** The projects room: projects of an organization, for API keys, the dashboard and operators. */
export const room = defineRoom({
  name: "projects",
  services: Layer.merge(ProjectActions.layer, ProjectDirectory.layer).pipe(Layer.provide(ProjectRepo.layer)),
  routes: Layer.merge(ProjectsHttp.pipe(Layer.provide(ProjectRepo.layer)), OwnProjectsHttp)
})
