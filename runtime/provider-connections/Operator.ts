export { IgnoredNotices } from "./account/IgnoredNotices.ts"
export {
  type InstallationAccount,
  InstallationAccounts,
  type InstallationNumber
} from "./connection/InstallationAccounts.ts"
export { remediesOf } from "./connection/Remedies.ts"
export { readConnection } from "./connection/StoredConnection.ts"
export { ConnectionActions } from "./manage/ConnectionActions.ts"
export { ConnectionAdmin } from "./manage/ConnectionAdmin.ts"
export { SetupActions } from "./setup/SetupActions.ts"
