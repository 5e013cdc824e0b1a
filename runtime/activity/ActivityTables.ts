import { defaulted, defineTable, int8, nullable, text, timestamptz } from "@carteiro/tables/Table.ts"
import { ids } from "../erasure/Standings.ts"

/** The border up to which each source of reports is counted. Decision 0068 */
export const activityBordersTable = defineTable("activity_borders", {
  owner: "activity",
  erasure: ids,
  key: ["source"],
  columns: {
    source: text,
    counted_before: int8,
    system_identifier: nullable(text),
    ahead: defaulted(int8)
  }
})

/** Counts of what happens in an environment by hour, made from rows that exist anyway, each exactly once. Decision 0068 */
export const activityHoursTable = defineTable("activity_hours", {
  owner: "activity",
  erasure: ids,
  key: ["environment_id", "measure", "hour"],
  columns: {
    environment_id: text,
    measure: text,
    hour: timestamptz,
    count: int8,
    amount: int8
  }
})

/** Calls of each webhook endpoint by hour: the measure is the endpoint's id with the outcome. Decision 0068 */
export const endpointActivityHoursTable = defineTable("endpoint_activity_hours", {
  owner: "activity",
  erasure: ids,
  key: ["environment_id", "measure", "hour"],
  columns: {
    environment_id: text,
    measure: text,
    hour: timestamptz,
    count: int8,
    amount: int8
  }
})

/** Messages of each number by hour: the measure is the number's id with what happened to a message. Decision 0068 */
export const numberActivityHoursTable = defineTable("number_activity_hours", {
  owner: "activity",
  erasure: ids,
  key: ["environment_id", "measure", "hour"],
  columns: {
    environment_id: text,
    measure: text,
    hour: timestamptz,
    count: int8,
    amount: int8
  }
})
