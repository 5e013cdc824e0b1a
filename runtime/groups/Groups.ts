export { UpstreamGroupsEntity } from "./notices/GroupNotices.ts"
export { GroupDirectory, type ShownGroup } from "./participants/GroupDirectory.ts"
