export { SuspendedContent } from "./log/WebhookEventRepo.ts"
