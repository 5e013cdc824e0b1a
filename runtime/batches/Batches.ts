export type { BatchPlan } from "./accept/BatchPlans.ts"
export { BatchDirectory } from "./batch/BatchDirectory.ts"
export { type BatchCommand, offeredCommands } from "./batch/BatchState.ts"
export { BatchCommands } from "./owner/BatchCommands.ts"
