export { PaymentReads } from "./payment/PaymentReads.ts"
export { readPaymentRequest } from "./routes/PaymentActions.ts"
