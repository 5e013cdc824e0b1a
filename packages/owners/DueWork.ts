export { platformJobs } from "./schedule/PlatformJobs.ts"
export { type DueOwners, type DuePage, layerSweeper } from "./schedule/Sweeper.ts"
export { secondsDue, type TableGauge } from "./schedule/TableGauges.ts"
export { wakeAfterCommit } from "./schedule/WakeAfterCommit.ts"
