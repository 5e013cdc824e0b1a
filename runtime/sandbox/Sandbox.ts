export { SandboxClocks, type Turn } from "./clock/SandboxClocks.ts"
