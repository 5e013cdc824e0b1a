export { Environments } from "./ports/Environments.ts"
export { PaymentPages } from "./ports/PaymentPages.ts"
export { Sessions, SignIn } from "./ports/Sessions.ts"
