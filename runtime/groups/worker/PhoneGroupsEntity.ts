import { batch, defineOwner } from "@carteiro/owners/Owner.ts"
import { Schema } from "effect"
import * as Items from "./GroupItems.ts"

/**
 * The groups of one number, by its id: every change of one, and what is asked of the provider for it, in one order.
 * Architecture, section 2 "groups belong to their PhoneNumber"
 */
export const PhoneGroupsEntity = defineOwner("PhoneGroups", {
  Create: batch(Items.CreateItem, Items.Answered),
  Delete: batch(Items.GroupItem, Items.Answered),
  ResetLink: batch(Items.GroupItem, Items.Answered),
  Check: batch(Items.CheckItem, Items.Answered),
  /** Somebody joined or left; told twice it changes nothing. C-GPART-04 */
  Participate: batch(Items.ParticipantItem, Items.Answered),
  /** Takes the outcome of a request at the provider; a group that is past it stays as it is. C-GRP-40, C-GRP-56 */
  Report: batch(Items.ReportItem, Schema.Void)
})
