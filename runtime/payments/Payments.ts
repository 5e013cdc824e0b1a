export { paymentChanges } from "./payment/PaymentChanges.ts"
export { PaymentPages } from "./routes/PaymentPages.ts"
