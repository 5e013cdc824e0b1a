export { dueInboxes, InboxRepo, inboxBodiesJob, inboxJob, type VendorWork } from "./inbox/InboxRepo.ts"
export { deferWork, finishWork, insertWebhook, insertWork } from "./inbox/InboxWrites.ts"
export { sealBody } from "./inbox/SealedBody.ts"
