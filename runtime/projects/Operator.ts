export { ProjectActions } from "./ProjectActions.ts"
export { ProjectDirectory } from "./ProjectDirectory.ts"
export { deriveSlug } from "./Slug.ts"
