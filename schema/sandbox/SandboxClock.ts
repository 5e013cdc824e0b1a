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

/** The longest way of one advance, in days. */
export const longestAdvanceDays = 400
const daySeconds = 86_400

/** Body of POST /v1/sandbox/clock/advance: one of both members. */
export const AdvanceSandboxClock = Schema.Struct({
  by_seconds: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: longestAdvanceDays * daySeconds })).annotate({
      description: "By how many seconds the clock goes ahead; 400 days at most."
    })
  ),
  to: Schema.optionalKey(
    TimestampInput.annotate({
      description:
        "The instant up to which the clock goes, ahead of its time by 400 days at most; instead of by_seconds."
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

/** The time of a sandbox. */
export class SandboxClock extends Schema.Class<SandboxClock>("SandboxClock")({
  object: Schema.Literal("sandbox_clock"),
  now: Timestamp.annotate({ description: "The time of this sandbox." }),
  real_now: Timestamp.annotate({ description: "The time of every other environment." }),
  lead_seconds: Schema.Int.annotate({
    description: "By how many seconds the sandbox is ahead of real time; negative after its clock stood for a while."
  }),
  frozen: Schema.Boolean.annotate({ description: "True while the clock stands." }),
  advance_id: Schema.NullOr(Schema.String).annotate({ description: "Id of the advance under way." }),
  trace_id: TraceId
}) {}

/** One advance of the clock and how far it got. */
export class SandboxClockAdvance extends Schema.Class<SandboxClockAdvance>("SandboxClockAdvance")({
  id: id("sca"),
  object: Schema.Literal("sandbox_clock_advance"),
  status: Schema.Literals(["running", "settled", "stopped"]).annotate({
    description: "settled once everything due on the way has run; stopped when it ended early, as error tells."
  }),
  from: Timestamp.annotate({ description: "The sandbox's time when it began." }),
  to: Timestamp.annotate({ description: "The sandbox's time at its end." }),
  reached: Timestamp.annotate({ description: "The sandbox's time up to which everything due has run." }),
  steps: Schema.Int.annotate({ description: "Due instants that the clock stopped at so far." }),
  next_due_at: Schema.NullOr(Timestamp).annotate({
    description: "The next due instant, on the way or behind its end."
  }),
  error: Schema.NullOr(
    Schema.Struct({
      code: Schema.Literals(sandboxClockStops).annotateKey({ description: "Why it stopped." }),
      message: Schema.String.annotateKey({ description: "The reason and the next thing to do, for a person." })
    })
  ).annotate({ description: "Why the advance stopped early; another advance goes on from there." }),
  created_at: Timestamp,
  settled_at: Schema.NullOr(Timestamp).annotate({ description: "The sandbox's time when everything due had run." }),
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

/** The clock of a sandbox, which its keys turn ahead, stop and let go on. */
export class SandboxClockApi extends HttpApiGroup.make("sandboxClock")
  .annotate(OpenApi.Identifier, "sandbox.clock")
  .add(
    HttpApiEndpoint.get("get", "/v1/sandbox/clock", { success: SandboxClock, error: SandboxOnlyRoute.wire })
      .annotate(Traits, read)
      .annotate(OpenApi.Summary, "Read the sandbox's clock")
      .annotate(OpenApi.Description, "Tells the sandbox's time, and by how much it is ahead of real time.")
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
        "The clock stops at each due instant on the way until the work due there has run. Read the advance until it is settled."
      )
  )
  .add(
    HttpApiEndpoint.post("freeze", "/v1/sandbox/clock/freeze", {
      success: SandboxClock,
      error: [SandboxOnlyRoute.wire, SandboxClockAdvancing.wire]
    })
      .annotate(Traits, write)
      .annotate(OpenApi.Summary, "Stop the sandbox's clock")
      .annotate(
        OpenApi.Description,
        "Time stands until the clock is advanced or resumed. A first freeze stands half a second ahead."
      )
  )
  .add(
    HttpApiEndpoint.post("resume", "/v1/sandbox/clock/resume", {
      success: SandboxClock,
      error: [SandboxOnlyRoute.wire, SandboxClockAdvancing.wire]
    })
      .annotate(Traits, write)
      .annotate(OpenApi.Summary, "Let the sandbox's clock go on")
      .annotate(
        OpenApi.Description,
        "Time goes on from where it stood. It never runs backwards: make a new project for real time."
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
      .annotate(OpenApi.Description, "Tells the instant it reached, the steps it took, and what stopped it.")
  )
  .annotate(OpenApi.Title, "Sandbox clock")
  .annotate(
    OpenApi.Description,
    "Turn the time of a sandbox ahead, stop it, and let it go on; production keys are refused."
  ) {}
