export { workingOwner } from "./owner/WorkingOwner.ts"
export { hostedQueue, type Queued } from "./queue/HostedQueue.ts"
