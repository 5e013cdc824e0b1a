export { type EnvironmentEntry, Environments } from "./ports/Environments.ts"
export { type PayerView, PaymentPages } from "./ports/PaymentPages.ts"
export { type Session, Sessions, SignIn } from "./ports/Sessions.ts"
