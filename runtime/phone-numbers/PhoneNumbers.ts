export { NumberLifecycles } from "./lifecycle/NumberLifecycles.ts"
export { advanceNumber, completeReturn, deliverNumber, nameUpstream } from "./lifecycle/RentedWrites.ts"
export { type ManagedNumber, MonthNumbers, type RentedMonthNumber } from "./months/MonthNumbers.ts"
export { newNumber } from "./number/NewNumber.ts"
export {
  coverNumber,
  fictitiousNumber,
  receiveCode,
  reportHealth,
  reportName,
  reportQuality
} from "./number/NumberFacts.ts"
export { NumberOwners, TransferItem } from "./number/NumberOwners.ts"
export { ImportSource, NumberTraffic, RentalMonths } from "./number/NumberPorts.ts"
export { NumberReads } from "./number/NumberReads.ts"
export {
  activateNumber,
  countRoster,
  failNumber,
  hastenVerifying,
  hasWaiting,
  insertNumber,
  keepRented,
  moveEnrollment,
  moveNumber,
  recordTransfer,
  requestRelease,
  suspendNumber
} from "./number/NumberWrites.ts"
export { PhoneNumberRepo } from "./number/PhoneNumberRepo.ts"
export { nextRenewalAt } from "./number/RenewalState.ts"
export { Rosters } from "./number/Rosters.ts"
export { NumberImport } from "./routes/NumberImport.ts"
