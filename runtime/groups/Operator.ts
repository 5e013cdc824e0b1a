export { GroupDirectory } from "./participants/GroupDirectory.ts"
