export { DeliverySettings } from "./delivery/DeliverySettings.ts"
export { SuspendedContent } from "./log/WebhookEventRepo.ts"
