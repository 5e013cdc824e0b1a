export { type AcceptItem, makeAcceptItem } from "./accept/AcceptItem.ts"
export { SendOutlook } from "./accept/SendOutlook.ts"
export { isSuspended } from "./facts/Suspension.ts"
export { type NumberLimits, numberLimits } from "./facts/Throughput.ts"
export {
  type Customer,
  hiddenCustomer,
  readPhone,
  readRecipient,
  recipientWarning,
  refusedRecipient
} from "./message/Recipient.ts"
export { PhoneNumberEntity } from "./number/PhoneNumberEntity.ts"
export { PacingEstimates } from "./pacing/PacingEstimates.ts"
export { pacingChanges } from "./pacing/PacingWrites.ts"
export { MessageAdmin } from "./read/MessageAdmin.ts"
export { sandboxMessageId } from "./sandbox/SandboxChat.ts"
export { readScenario, scenarios } from "./sandbox/SandboxScenario.ts"
export { simulatedContext } from "./sandbox/SimulatedContext.ts"
export { simulatedContent, simulatedCustomer, simulatedPayload } from "./sandbox/SimulatedInbound.ts"
