import type { Subject } from "@carteiro/owners/Subject.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { arrayParameter } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { MessageRow } from "../message/MessageRead.ts"
import { messageBody } from "../message/MessageText.ts"
import { channelsOf } from "../message/Recipient.ts"
import { messageColumns } from "./MessageRows.ts"

/** Returns the latest messages of a customer with their contents, newest first. */
export const customerMessages = Effect.map(
  SqlClient.SqlClient,
  (sql) => (environment: { readonly id: string; readonly kind: EnvironmentKind }, customer: Subject, count: number) =>
    many(
      sql.unsafe<MessageRow>(
        `select ${messageColumns} from messages
        where customer_key = $1 and environment_id = $2 and channel = any($3::text[]) order by id desc limit $4`,
        [customer.key, environment.id, arrayParameter("text", channelsOf(customer.type)), count]
      ),
      (row) => messageBody(row, environment.kind)
    )
)
