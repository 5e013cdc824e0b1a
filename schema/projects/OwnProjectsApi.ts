import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Capability, type OperationTraits, Traits } from "../conventions/Access.ts"
import { pathId, TraceId } from "../conventions/Ids.ts"
import { AmountBrl } from "../conventions/Money.ts"
import { rowsOf } from "../conventions/Page.ts"
import { ProjectNotFound } from "../conventions/SharedErrors.ts"
import { label } from "../conventions/Text.ts"
import { DefaultLanguage, Project } from "./Project.ts"
import { InvalidProjectBody, ProjectLimitReached } from "./ProjectErrors.ts"

/** A project with the most that it may spend in a UTC month; null for no limit. gaps-1 N "Monthly spend cap" */
export const OwnProject = Schema.Struct({ ...Project.fields, monthly_spend_cap_brl: Schema.NullOr(AmountBrl) })
export type OwnProject = typeof OwnProject.Type

/** The settings that the create body does not have; a missing field stays unchanged. gaps-1 G "Defaults not in the create body" */
export const ConfigureProject = Schema.Struct({
  name: Schema.optionalKey(label(1, 120)),
  default_language: Schema.optionalKey(DefaultLanguage),
  /** ISO 3166 code of a region in which phone numbers can be read. */
  default_region: Schema.optionalKey(Schema.String),
  profile: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  monthly_spend_cap_brl: Schema.optionalKey(Schema.NullOr(AmountBrl))
})

const traits: OperationTraits = {
  authentication: "person",
  scopes: ["projects:write"],
  rate: "write",
  validation: InvalidProjectBody.code,
  realTime: true
}
const read: OperationTraits = { ...traits, scopes: ["projects:read"], rate: "read" }
const params = { project_id: pathId("prj") }
const changed = Schema.Struct({ id: Schema.String, object: Schema.Literal("project"), trace_id: TraceId })
const error = ProjectNotFound.wire

/** Projects as the people of their organization see and change them. gaps-1 C "Archived and deleted projects", decision 0155 */
export class OwnProjectsApi extends HttpApiGroup.make("ownProjects")
  .add(
    // Active projects before archived ones, newest first; deleted ones never.
    HttpApiEndpoint.get("list", "/", { success: rowsOf(Project) }).annotate(Traits, read),
    HttpApiEndpoint.get("get", "/:project_id", {
      params,
      success: Schema.Struct({ ...OwnProject.fields, trace_id: TraceId }),
      error
    }).annotate(Traits, read),
    HttpApiEndpoint.patch("configure", "/:project_id", {
      params,
      payload: ConfigureProject,
      success: changed,
      error: [InvalidProjectBody.wire, error]
    }).annotate(Traits, traits),
    HttpApiEndpoint.post("archive", "/:project_id/archive", { params, success: changed, error }).annotate(
      Traits,
      traits
    ),
    HttpApiEndpoint.post("restore", "/:project_id/restore", {
      params,
      success: changed,
      error: [error, ProjectLimitReached.wire]
    }).annotate(Traits, traits),
    HttpApiEndpoint.delete("remove", "/:project_id", { params, success: changed, error }).annotate(Traits, traits)
  )
  .prefix("/people/projects") {}

/** The families that are off in an environment. gaps-1 N "Capability families", decision 0155 */
export class CapabilitySwitchesApi extends HttpApiGroup.make("capabilitySwitches")
  .add(
    HttpApiEndpoint.put("set", "/", {
      payload: Schema.Struct({ capabilities_off: Schema.Array(Capability) }),
      success: Schema.Struct({
        object: Schema.Literal("capability_switches"),
        capabilities_off: Schema.Array(Capability),
        trace_id: TraceId
      }),
      error: InvalidProjectBody.wire
    }).annotate(Traits, traits)
  )
  .prefix("/people/capability-switches") {}
