export { type PaymentsConnection, PaymentsConnections } from "./connection/PaymentsConnections.ts"
export { type DemoAccount, DemoConnection } from "./DemoConnection.ts"
