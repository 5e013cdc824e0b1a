import type { Row } from "@carteiro/tables/Write.ts"
import {
  coverNumber,
  receiveCode,
  recordRegistration,
  reportHealth,
  reportName,
  reportPortfolio,
  reportQuality,
  requireRegistration
} from "../number/NumberFacts.ts"
import { moveEnrollment, moveNumber, recordTransfer } from "../number/NumberMoves.ts"
import {
  activateNumber,
  countRoster,
  failNumber,
  hastenVerifying,
  insertNumber,
  keepRented,
  requestRelease,
  suspendNumber
} from "../number/NumberWrites.ts"
import { advanceNumber, completeReturn, deliverNumber, nameUpstream } from "./RentedWrites.ts"

/** Changes of numbers on which other rooms decide. Each returns a row for the commit of the deciding owner. */
export const numberChanges = {
  activate: activateNumber.row,
  advance: advanceNumber.row,
  completeReturn: completeReturn.row,
  /** Makes the numbers of an environment that wait for a connection due now. */
  connect: hastenVerifying.row,
  countRoster: countRoster.row,
  cover: coverNumber.row,
  deliver: deliverNumber.row,
  fail: failNumber.row,
  insert: insertNumber.row,
  keepRented: keepRented.row,
  move: moveNumber.row,
  moveEnrollment: moveEnrollment.row,
  nameUpstream: nameUpstream.row,
  receiveCode: receiveCode.row,
  recordRegistration: recordRegistration.row,
  recordTransfer: recordTransfer.row,
  reportHealth: reportHealth.row,
  reportName: reportName.row,
  reportPortfolio: reportPortfolio.row,
  reportQuality: reportQuality.row,
  requestRelease: requestRelease.row,
  requireRegistration: requireRegistration.row,
  suspend: suspendNumber.row
} satisfies Readonly<Record<string, (values: never) => Row>>

/** The names of the writes that other rooms follow, and of the insert of numbers. */
export const numberChanged = {
  connected: hastenVerifying.name,
  inserted: insertNumber.name,
  releaseRequested: requestRelease.name
} as const
