export { paymentChanges } from "./payment/PaymentChanges.ts"
