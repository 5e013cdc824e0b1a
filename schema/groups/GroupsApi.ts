import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { type OperationTraits, Traits } from "../conventions/Access.ts"
import { pathId } from "../conventions/Ids.ts"
import { pageOf } from "../conventions/Page.ts"
import { FeatureDisabled, IdempotencyKeyConflict, InvalidCursor } from "../conventions/SharedErrors.ts"
import { SenderPhoneNumberUnavailable } from "../messages/MessageErrors.ts"
import { PhoneNumberNotFound } from "../phone-numbers/PhoneNumberErrors.ts"
import { CreateGroup, Group, GroupEntry, listGroupsQuery, SimulateParticipant } from "./Group.ts"
import { CheckEligibility, eligibilityQuery, GroupEligibility } from "./GroupEligibility.ts"
import * as Errors from "./GroupErrors.ts"

const writing = (traits: Partial<OperationTraits>): OperationTraits => ({
  scopes: ["groups:write"],
  rate: "write",
  validation: Errors.InvalidGroupRequest.code,
  idempotency: "optional",
  strictBody: true,
  restrictedWithoutCredit: true,
  ...traits
})
const reading: OperationTraits = {
  scopes: ["groups:read"],
  rate: "read",
  validation: Errors.InvalidGroupsQuery.code,
  restrictedWithoutCredit: true,
  strictQuery: true
}
const params = { group_id: pathId("grp") }
const accepted = Group.pipe(HttpApiSchema.status(202))

/** Groups that a business makes on its own numbers. C-GRP, C-ELIG, C-GPART */
export class GroupsApi extends HttpApiGroup.make("groups")
  .add(
    HttpApiEndpoint.get("eligibility", "/v1/groups/eligibility", {
      query: eligibilityQuery,
      success: GroupEligibility,
      error: [Errors.InvalidGroupsQuery.wire, PhoneNumberNotFound.wire]
    })
      .annotate(Traits, reading)
      .annotate(OpenApi.Identifier, "groups.eligibility.get")
      .annotate(OpenApi.Summary, "Read whether a number may host groups")
      .annotate(OpenApi.Description, "Returns the result of the latest check, without a call to the provider."),
    HttpApiEndpoint.post("checkEligibility", "/v1/groups/eligibility-checks", {
      payload: CheckEligibility,
      success: GroupEligibility.pipe(HttpApiSchema.status(202)),
      error: [
        Errors.InvalidGroupRequest.wire,
        FeatureDisabled.wire,
        PhoneNumberNotFound.wire,
        IdempotencyKeyConflict.wire
      ]
    })
      .annotate(Traits, writing({ capability: "groups" }))
      .annotate(OpenApi.Identifier, "groups.eligibility.check")
      .annotate(OpenApi.Summary, "Ask for a check of a number")
      .annotate(
        OpenApi.Description,
        "Returns the stored result and the new check_requested_at; read the eligibility until checked_at is later."
      ),
    HttpApiEndpoint.post("create", "/v1/groups", {
      payload: CreateGroup,
      success: accepted,
      error: [
        Errors.InvalidGroupRequest.wire,
        FeatureDisabled.wire,
        PhoneNumberNotFound.wire,
        SenderPhoneNumberUnavailable.wire,
        Errors.GroupPhoneNumberNotEligible.wire,
        IdempotencyKeyConflict.wire
      ]
    })
      .annotate(Traits, writing({ capability: "groups" }))
      .annotate(OpenApi.Summary, "Create a group")
      .annotate(
        OpenApi.Description,
        "The group is pending until the provider confirms it; an event reports the outcome."
      ),
    HttpApiEndpoint.get("list", "/v1/groups", {
      query: listGroupsQuery,
      success: pageOf(GroupEntry),
      error: [Errors.InvalidGroupsQuery.wire, InvalidCursor.wire]
    })
      .annotate(Traits, reading)
      .annotate(OpenApi.Summary, "List groups")
      .annotate(OpenApi.Description, "Groups of the calling key's environment, newest first; deleted ones included."),
    HttpApiEndpoint.get("get", "/v1/groups/:group_id", {
      params,
      success: Group,
      error: [Errors.GroupNotFound.wire, Errors.PersonalChatappGroupNotSupported.wire]
    })
      .annotate(Traits, { ...reading, strictQuery: false })
      .annotate(OpenApi.Summary, "Read a group")
      .annotate(OpenApi.Description, "Returns the group from the service's own records."),
    HttpApiEndpoint.delete("delete", "/v1/groups/:group_id", {
      params,
      success: accepted,
      error: [
        Errors.GroupNotFound.wire,
        Errors.PersonalChatappGroupNotSupported.wire,
        Errors.GroupNotActive.wire,
        IdempotencyKeyConflict.wire
      ]
    })
      .annotate(Traits, writing({ strictBody: false }))
      .annotate(OpenApi.Summary, "Delete a group")
      .annotate(
        OpenApi.Description,
        "The group is deleting until the provider confirms it. A failed group is deleted immediately; a deleted group is returned unchanged."
      ),
    HttpApiEndpoint.post("resetInviteLink", "/v1/groups/:group_id/invite-link/reset", {
      params,
      success: accepted,
      error: [
        FeatureDisabled.wire,
        Errors.GroupNotFound.wire,
        Errors.PersonalChatappGroupNotSupported.wire,
        Errors.GroupNotActive.wire,
        Errors.GroupInviteLinkResetInProgress.wire,
        IdempotencyKeyConflict.wire
      ]
    })
      .annotate(Traits, writing({ capability: "groups", strictBody: false }))
      .annotate(OpenApi.Summary, "Replace the invite link of a group")
      .annotate(
        OpenApi.Description,
        "Returns the group with the link that will be replaced; the old link stops working."
      ),
    HttpApiEndpoint.post("simulateParticipant", "/v1/sandbox/groups/:group_id/participants", {
      params,
      payload: SimulateParticipant,
      success: Group,
      error: [
        Errors.SandboxGroupParticipantSandboxOnly.wire,
        Errors.InvalidGroupRequest.wire,
        FeatureDisabled.wire,
        Errors.GroupNotFound.wire,
        Errors.PersonalChatappGroupNotSupported.wire,
        Errors.GroupNotActive.wire,
        Errors.GroupParticipantLimitReached.wire
      ]
    })
      .annotate(Traits, {
        scopes: ["sandbox:write"],
        rate: "write",
        validation: Errors.InvalidGroupRequest.code,
        strictBody: true,
        sandboxOnly: true,
        sandboxOnlyRefusal: () => new Errors.SandboxGroupParticipantSandboxOnly(),
        capability: "groups"
      })
      .annotate(OpenApi.Identifier, "sandbox.groups.addParticipant")
      .annotate(OpenApi.Summary, "Simulate a participant joining or leaving")
      .annotate(OpenApi.Description, "Simulates the provider's notice for a sandbox group; at most eight participants.")
  )
  .annotate(OpenApi.Title, "Groups")
  .annotate(OpenApi.Description, "Chat groups on your own numbers (beta): the set of routes and fields may grow.") {}
