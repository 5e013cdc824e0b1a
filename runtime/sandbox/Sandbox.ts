export { SandboxCustomers } from "./customer/SandboxCustomers.ts"
