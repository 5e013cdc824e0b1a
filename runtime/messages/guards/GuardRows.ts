import type { Row } from "@carteiro/tables/Write.ts"
import { type GuardedStep, guardOutcome } from "./GuardOutcome.ts"
import { attemptContent, recordAttempt, releaseContent, stopMarketing } from "./GuardWrites.ts"

/** A marketing message and its step. */
export interface GuardedMessage extends GuardedStep {
  readonly environment_id: string
  readonly business_id: string
  readonly account_id: string
  readonly id: string
  readonly customer_key: string
  readonly marketing_hash: string
}

/**
 * Returns the rows that update the guards after a step of a marketing message; `now` in epoch milliseconds. gaps-2 C
 * "What counts as an attempt"
 */
export const guardRows = (message: GuardedMessage, now: number): ReadonlyArray<Row> => {
  const { account_id, business_id, customer_key, environment_id, id } = message
  const { attempt, claim, stops } = guardOutcome(message)
  const rows: Array<Row> = []
  const content = { environment_id, customer_key, content_hash: message.marketing_hash, message_id: id }
  if (claim === "attempted") {
    rows.push(attemptContent.row({ ...content, attempted_at: message.called_at ?? now }))
  }
  if (claim === "released") rows.push(releaseContent.row(content))
  if (attempt !== undefined) {
    rows.push(recordAttempt.row({ environment_id, business_id, customer_key, message_id: id, ...attempt }))
  }
  if (stops) rows.push(stopMarketing.row({ environment_id, account_id, customer_key, stopped_at: now }))
  return rows
}
