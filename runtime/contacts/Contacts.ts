export { contactChanges } from "./contact/ContactWrites.ts"
export { MarketingStops } from "./contact/MarketingStops.ts"
export { CustomerMessages } from "./export/CustomerMessages.ts"
export { DataRetention } from "./retention/DataRetention.ts"
