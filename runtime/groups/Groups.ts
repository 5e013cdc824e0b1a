export { groupRefusal, groupStatus, type KnownGroup, NamedGroups } from "./group/NamedGroups.ts"
export { UpstreamGroupsWorker } from "./worker/UpstreamGroupsWorker.ts"
