export { heardFrom } from "./ContactRepo.ts"
