export { contactTarget, heardFrom } from "./ContactRepo.ts"
