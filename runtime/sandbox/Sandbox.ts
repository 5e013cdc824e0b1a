export { SandboxClocks, type Turn } from "./clock/SandboxClocks.ts"
export { SandboxCustomers } from "./SandboxCustomers.ts"
