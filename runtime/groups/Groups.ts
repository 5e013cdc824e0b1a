export { groupRefusal, groupStatus, type KnownGroup, NamedGroups } from "./group/NamedGroups.ts"
export { GroupDirectory } from "./participants/GroupDirectory.ts"
export { UpstreamGroupsWorker } from "./worker/UpstreamGroupsWorker.ts"
