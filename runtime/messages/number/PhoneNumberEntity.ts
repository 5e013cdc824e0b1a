import { batch, defineOwner } from "@carteiro/owners/Owner.ts"
import { Schema } from "effect"
import { TransferItem } from "../../phone-numbers/PhoneNumbers.ts"
import { AcceptItem } from "../accept/AcceptItem.ts"
import { CancelItem } from "../cancel/CancelItem.ts"
import { InboundItem } from "../receive/InboundItem.ts"

/**
 * One sending number: whatever must not interleave or exceed its rate. Many sends travel as one message and cost one
 * read and one commit. Architecture, section 2
 */
export const PhoneNumberEntity = defineOwner("PhoneNumber", {
  /** The text of the 202. M-MSG-01 */
  Accept: batch(AcceptItem, Schema.String),
  /** The text of the 202. M-SBX-16 */
  Inbound: batch(InboundItem, Schema.String),
  /** The text of the 200: the message as it is then. gaps-2 B "Cancel a message" */
  Cancel: batch(CancelItem, Schema.String),
  /** The text of the 200: the number, in its new environment. M-TRF-01 */
  Transfer: batch(TransferItem, Schema.String)
})
