import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { IgnoredNotices } from "../../provider-connections/Operator.ts"
import { print, table } from "../kit/Output.ts"
import { limit, orUndefined } from "../kit/Parameters.ts"

/** What the chat platform told of accounts and has no meaning here. U-ACC-02 */
export const ignored = Command.make(
  "ignored",
  {
    account: Flag.String("account").pipe(
      Flag.withDescription("Only notices about this account, by the platform's id"),
      Flag.withMetavar("ID"),
      Flag.optional
    ),
    limit
  },
  ({ account, limit }) =>
    Effect.gen(function* () {
      const data = yield* (yield* IgnoredNotices).list(orUndefined(account), limit)
      const rows = data.map((one) => [
        one.biz_account_id,
        one.field,
        one.count,
        one.last_at,
        one.environments || "not connected",
        one.content ?? ""
      ])
      yield* print(
        { data },
        table(
          ["account", "field", "count", "last_at", "environments", "newest"],
          rows,
          "nothing was ignored in seven days"
        )
      )
    })
).pipe(Command.withDescription("Count by field what the chat platform told and nobody here reads, of seven days"))
