import { readReply } from "@carteiro/http-edge/Reply.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { SetupTarget } from "@carteiro/schema/provider-connections/SetupSession.ts"
import { Clock, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { SetupActions } from "../../provider-connections/Operator.ts"
import { recordChange } from "../kit/Audited.ts"
import { facts, print } from "../kit/Output.ts"
import { environment, foundEnvironment } from "../kit/Parameters.ts"

/** A page on which an owner or admin enters credentials. M-SETUP-01, M-SETUP-02 */
export const setup = Command.make(
  "setup",
  {
    environment,
    target: Flag.Literals("target", SetupTarget.literals).pipe(Flag.withDescription("What to connect"))
  },
  ({ environment, target }) =>
    Effect.gen(function* () {
      const { id, kind, organization_id, project_id } = yield* foundEnvironment(environment)
      const traceId = (yield* Ids).traceId()
      const now = yield* Clock.currentTimeMillis
      const caller = { organization_id, project_id, environment_id: id, environment: kind }
      const created = yield* (yield* SetupActions).create({ caller, now, traceId }, { target })
      const { trace_id: _, ...session } = readReply(created)
      const { expires_at, status, url } = session
      yield* recordChange(organization_id, {
        action: "connection.setup_begun",
        environment: id,
        subject: session.id,
        after: { target }
      })
      yield* print(session, facts({ id: session.id, target, status, expires_at, url }))
    })
).pipe(Command.withDescription("Ask an owner or admin for credentials: prints the page on which to enter them"))
