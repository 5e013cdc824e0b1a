import { batch, defineOwner } from "@carteiro/owners/Owner.ts"
import { Schema } from "effect"
import { TransferItem } from "../../phone-numbers/PhoneNumbers.ts"
import { AcceptItem } from "../accept/AcceptItem.ts"
import { CancelItem } from "../cancel/CancelItem.ts"
import { InboundItem } from "../receive/InboundItem.ts"

/**
 * The owner of one sending number: it runs everything that must not interleave or exceed the number's rate. Many sends
 * travel as one message and cost one read and one commit.
 */
export const PhoneNumberEntity = defineOwner("PhoneNumber", {
  /** Accepts sends; returns the body of the 202. M-MSG-01 */
  Accept: batch(AcceptItem, Schema.String),
  /** Captures simulated messages; returns the body of the 202. M-SBX-16 */
  Inbound: batch(InboundItem, Schema.String),
  /** Cancels messages; returns the body of the 200: the message after the commit. gaps-2 B "Cancel a message" */
  Cancel: batch(CancelItem, Schema.String),
  /** Transfers the number; returns the body of the 200: the number in its new environment. M-TRF-01 */
  Transfer: batch(TransferItem, Schema.String)
})
