export { ContactDirectory } from "./contact/ContactDirectory.ts"
export { readStoppedPhone } from "./contact/ContactPhone.ts"
export { ContactExports } from "./export/ContactExports.ts"
