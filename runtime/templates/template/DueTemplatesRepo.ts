import type { DueOwners } from "@carteiro/owners/DueWork.ts"
import { instant } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import { ownersOfTenant, sliceOf, walkOwners } from "@carteiro/tables/WalkOwners.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const waitingTemplates = "select environment_id as owner, due_at from templates where due_at is not null"

/** Returns environments with a due review or removal. */
export const dueReviews: Pick<DueOwners, "due" | "ofTenant"> = {
  due: walkOwners(waitingTemplates),
  ofTenant: ownersOfTenant("select $1::text as id", waitingTemplates)
}

/** Returns environments that are due for a comparison with their provider. */
export const dueSyncs: DueOwners["due"] = (now, after, limit) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      many(sql<{ readonly id: string; readonly due: boolean }>`select environment_id as id,
          due_at <= ${instant(now)} as due from template_syncs
        where environment_id > ${after} order by environment_id limit ${limit}`),
      (rows) => sliceOf(rows, limit)
    )
  )
