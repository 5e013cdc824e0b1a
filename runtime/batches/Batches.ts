export { BatchDirectory } from "./batch/BatchDirectory.ts"
export { type BatchCommand, offeredCommands } from "./batch/BatchState.ts"
export { BatchCommands } from "./owner/BatchCommands.ts"
export type { BatchPlan } from "./plan/BatchPlans.ts"
