import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Traits } from "../conventions/Access.ts"
import { rowsOf } from "../conventions/Page.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { InvalidSandboxRequest } from "./SandboxErrors.ts"

/** Something of a sandbox that waits for time. */
export const SandboxDueThing = Schema.Struct({
  object: Schema.Literal("sandbox_due_thing"),
  /** The name of the type of owner that waits, such as `Batch`. */
  owner_type: Schema.String,
  /** The id of what it belongs to. */
  subject_id: Schema.String,
  /** On the sandbox's clock. */
  due_at: Timestamp
})
export type SandboxDueThing = typeof SandboxDueThing.Type

/** What the time of a sandbox moves next, soonest first and at most a hundred. gaps-1 "Sandbox clock", decision 0155 */
export class SandboxDueApi extends HttpApiGroup.make("sandboxDue")
  .add(
    HttpApiEndpoint.get("list", "/", { success: rowsOf(SandboxDueThing) }).annotate(Traits, {
      authentication: "person",
      scopes: [],
      rate: "read",
      validation: InvalidSandboxRequest.code
    })
  )
  .prefix("/people/sandbox-due") {}
