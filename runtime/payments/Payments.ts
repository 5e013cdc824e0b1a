export { paymentChanges } from "./payment/PaymentChanges.ts"
export { PaymentReads } from "./payment/PaymentReads.ts"
export { readPaymentRequest } from "./routes/PaymentActions.ts"
export { type PayerView, PaymentPages } from "./routes/PaymentPages.ts"
