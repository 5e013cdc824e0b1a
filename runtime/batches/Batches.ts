export { type BatchPlan, BatchPlans } from "./accept/BatchPlans.ts"
export { BatchDirectory, countedRecipients } from "./batch/BatchDirectory.ts"
export type { FailureReason } from "./batch/BatchRepo.ts"
export { type BatchCommand, offeredCommands } from "./batch/BatchState.ts"
