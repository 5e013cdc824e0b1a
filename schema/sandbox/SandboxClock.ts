import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { SandboxOnlyRoute } from "../access/AccessErrors.ts"
import { Traits } from "../conventions/Access.ts"
import { id, pathId, TraceId } from "../conventions/Ids.ts"
import { Timestamp, TimestampInput } from "../conventions/Timestamp.ts"
import {
  InvalidSandboxRequest,
  SandboxClockAdvanceNotFound,
  SandboxClockAdvancing,
  sandboxClockStops
} from "./SandboxErrors.ts"

/** The longest distance of one advance, in days. */
export const longestAdvanceDays = 400
const daySeconds = 86_400
/** The farthest that a sandbox's clock may be ahead of real time: ten years, in days. gaps-1 "Sandbox clock" */
export const longestLeadDays = 3653

/** Body of POST /v1/sandbox/clock/advance: exactly one of both members. */
export const AdvanceSandboxClock = Schema.Struct({
  by_seconds: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: longestAdvanceDays * daySeconds })).annotate({
      description:
        "Seconds by which the clock advances: at most 400 days, and never to more than ten years ahead of real time."
    })
  ),
  to: Schema.optionalKey(
    TimestampInput.annotate({
      description:
        "Instant to which the clock advances, instead of by_seconds: at most 400 days ahead of its time, and ten years (3,653 days) ahead of real time."
    })
  )
})
  .annotate({ identifier: "AdvanceSandboxClock", examples: [{ by_seconds: 100_800 }] })
  .check(
    Schema.makeFilter(({ by_seconds, to }) => (by_seconds === undefined) !== (to === undefined), {
      expected: "by_seconds or to, one of both"
    })
  )
export type AdvanceSandboxClock = typeof AdvanceSandboxClock.Type

/** Body of POST /v1/sandbox/clock/reset. */
export const ResetSandboxClock = Schema.Struct({
  project_slug: Schema.String.annotate({
    description: "The slug of the key's project, which confirms that this sandbox may be emptied."
  })
}).annotate({ identifier: "ResetSandboxClock", examples: [{ project_slug: "loja-aurora" }] })
export type ResetSandboxClock = typeof ResetSandboxClock.Type

/** The time of a sandbox. */
export class SandboxClock extends Schema.Class<SandboxClock>("SandboxClock")({
  object: Schema.Literal("sandbox_clock"),
  now: Timestamp.annotate({ description: "Time of this sandbox." }),
  real_now: Timestamp.annotate({ description: "Time of all other environments." }),
  lead_seconds: Schema.Int.annotate({
    description: "Seconds by which the sandbox is ahead of real time; negative after its clock stood still for a while."
  }),
  frozen: Schema.Boolean.annotate({ description: "True while the clock is frozen." }),
  advance_id: Schema.NullOr(Schema.String).annotate({
    description: "Id of the running advance; null when there is none."
  }),
  trace_id: TraceId
}) {}

/** One advance of the clock and its progress. */
export class SandboxClockAdvance extends Schema.Class<SandboxClockAdvance>("SandboxClockAdvance")({
  id: id("sca"),
  object: Schema.Literal("sandbox_clock_advance"),
  kind: Schema.Literals(["advance", "reset"]).annotate({
    description: "reset when it empties the sandbox and takes its clock back to real time."
  }),
  status: Schema.Literals(["running", "settled", "stopped"]).annotate({
    description: "settled once all work due on the way has run; stopped when it ended early, with the reason in error."
  }),
  from: Timestamp.annotate({ description: "Sandbox time at the start of the advance." }),
  to: Timestamp.annotate({ description: "Sandbox time at the end of the advance; real time for a reset." }),
  reached: Timestamp.annotate({ description: "Sandbox time up to which all due work has run." }),
  steps: Schema.Int.annotate({ description: "Due instants at which the clock has stopped so far." }),
  next_due_at: Schema.NullOr(Timestamp).annotate({
    description: "Next due instant, on the way or after the end."
  }),
  error: Schema.NullOr(
    Schema.Struct({
      code: Schema.Literals(sandboxClockStops).annotateKey({ description: "Code of the reason for stopping." }),
      message: Schema.String.annotateKey({ description: "The reason and the next step, as text for people." })
    })
  ).annotate({ description: "Reason why the advance stopped early; another advance continues from there." }),
  created_at: Timestamp,
  settled_at: Schema.NullOr(Timestamp).annotate({ description: "Sandbox time at which all due work had run." }),
  trace_id: TraceId
}) {}

const write = {
  scopes: ["sandbox:write"],
  rate: "write",
  validation: InvalidSandboxRequest.code,
  idempotency: "optional",
  sandboxOnly: true,
  strictBody: true,
  realTime: true
} as const

const read = {
  scopes: [],
  rate: "read",
  validation: InvalidSandboxRequest.code,
  sandboxOnly: true,
  realTime: true
} as const

/** Routes of a sandbox clock, which its keys advance, freeze and resume. */
export class SandboxClockApi extends HttpApiGroup.make("sandboxClock")
  .annotate(OpenApi.Identifier, "sandbox.clock")
  .add(
    HttpApiEndpoint.get("get", "/v1/sandbox/clock", { success: SandboxClock, error: SandboxOnlyRoute.wire })
      .annotate(Traits, read)
      .annotate(OpenApi.Summary, "Read the sandbox's clock")
      .annotate(OpenApi.Description, "Returns the sandbox's time and its lead over real time.")
  )
  .add(
    HttpApiEndpoint.post("advance", "/v1/sandbox/clock/advance", {
      payload: AdvanceSandboxClock,
      success: SandboxClockAdvance.pipe(HttpApiSchema.status(202)),
      error: [SandboxOnlyRoute.wire, InvalidSandboxRequest.wire, SandboxClockAdvancing.wire]
    })
      .annotate(Traits, write)
      .annotate(OpenApi.Summary, "Turn the sandbox's clock ahead")
      .annotate(
        OpenApi.Description,
        "The clock stops at each due instant on the way until the work due then has run. Read the advance until it is settled."
      )
  )
  .add(
    HttpApiEndpoint.post("freeze", "/v1/sandbox/clock/freeze", {
      success: SandboxClock,
      error: [SandboxOnlyRoute.wire, InvalidSandboxRequest.wire, SandboxClockAdvancing.wire]
    })
      .annotate(Traits, write)
      .annotate(OpenApi.Summary, "Stop the sandbox's clock")
      .annotate(
        OpenApi.Description,
        "Time stands still until the clock is advanced or resumed. A first freeze stops half a second ahead."
      )
  )
  .add(
    HttpApiEndpoint.post("resume", "/v1/sandbox/clock/resume", {
      success: SandboxClock,
      error: [SandboxOnlyRoute.wire, InvalidSandboxRequest.wire, SandboxClockAdvancing.wire]
    })
      .annotate(Traits, write)
      .annotate(OpenApi.Summary, "Resume the sandbox's clock")
      .annotate(OpenApi.Description, "Time continues from the frozen instant. Only a reset takes it back to real time.")
  )
  .add(
    HttpApiEndpoint.post("reset", "/v1/sandbox/clock/reset", {
      payload: ResetSandboxClock,
      success: SandboxClockAdvance.pipe(HttpApiSchema.status(202)),
      error: [SandboxOnlyRoute.wire, InvalidSandboxRequest.wire, SandboxClockAdvancing.wire]
    })
      .annotate(Traits, write)
      .annotate(OpenApi.Summary, "Empty the sandbox")
      .annotate(
        OpenApi.Description,
        "Deletes the sandbox's messages, events, endpoints, batches, payments, contacts, media and all else, and takes its clock back to real time. Keys, templates and the first simulated number stay. Read the returned advance until it is settled; until then other writes of the sandbox get 503."
      )
  )
  .add(
    HttpApiEndpoint.get("getAdvance", "/v1/sandbox/clock/advances/:advance_id", {
      params: { advance_id: pathId("sca") },
      success: SandboxClockAdvance,
      error: [SandboxOnlyRoute.wire, SandboxClockAdvanceNotFound.wire]
    })
      .annotate(OpenApi.Identifier, "sandbox.clock.advances.get")
      .annotate(Traits, read)
      .annotate(OpenApi.Summary, "Read an advance of the clock")
      .annotate(
        OpenApi.Description,
        "Returns the instant it reached, the number of steps, and the reason if it stopped."
      )
  )
  .annotate(OpenApi.Title, "Sandbox clock")
  .annotate(
    OpenApi.Description,
    "Advance, freeze and resume the time of a sandbox, or empty it; production keys are refused."
  ) {}
