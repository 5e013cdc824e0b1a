export { refusedRecipient } from "./message/Recipient.ts"
export { MessageAdmin } from "./read/MessageAdmin.ts"
